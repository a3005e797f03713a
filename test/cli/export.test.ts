import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { SandboxAccount } from "../../src/client/account/account.js";
import { runProgram, temporaryFolder } from "../support/program.js";
import { post } from "../support/sandbox.js";
import { runHere } from "./run-here.js";
import { connectionTo, standin, standinHere, useProgram } from "./use-program.js";

const program = useProgram();

async function accountWithRequests(): Promise<SandboxAccount> {
  const account = program.account();
  await post(account, "/v1/phone/verify/start", { phone: "08095551234" });
  await post(account, "/v1/verify/bvn", { bvn: "225" });
  return account;
}

const exportPact = (account: SandboxAccount, ...args: string[]) =>
  runHere(["export", "pact", ...args, ...connectionTo(account)]);

describe("standin export pact", () => {
  test("writes a file that standin verify accepts, and that fails if an assumption is switched", async () => {
    const file = join(temporaryFolder(), "shop-service.json");
    const output = await standin(await accountWithRequests(), "export", "pact", file, "--consumer", "shop");
    expect(output).toBe(`Wrote 2 interactions between shop and service to ${file}.\n`);
    const { code, stdout } = await runProgram(["verify", file, "--json"]);
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { passed: true }]);
    const other = await runHere(["verify", file, "--json", "--assume", "http.created=ok"]);
    const { interactions } = JSON.parse(other.stdout) as {
      interactions: { description: string; result: string }[];
    };
    expect([other.code, interactions.map(({ description, result }) => [description, result])]).toEqual([
      1,
      [
        ["a startPhoneVerification that answers 201", "failed"],
        ["a verifyBvn that answers 400 invalid_bvn", "passed"],
      ],
    ]);
  });

  test("prints the pact on stdout and what is left out on stderr", async () => {
    const account = await accountWithRequests();
    await account.fetch("/v1/verify/liveness", { method: "POST", body: new FormData() });
    const { code, stdout, stderr } = await exportPact(account);
    const { metadata, interactions } = JSON.parse(stdout);
    expect([code, metadata.pactSpecification.version, interactions.length]).toEqual([0, "4.0", 2]);
    expect(stderr).toBe(
      "left out: a verifyLiveness that answers 400: the journal does not keep files and form fields\n",
    );
  });

  test("--json prints the pact and what is left out as one document", async () => {
    const account = await accountWithRequests();
    await account.fetch("/v1/verify/liveness", { method: "POST", body: new FormData() });
    const { stdout, stderr } = await exportPact(account, "--json");
    expect(JSON.parse(stdout)).toEqual(await account.pact());
    expect([JSON.parse(stdout).left_out.length, stderr]).toEqual([1, ""]);
  });

  test("--webhooks exports deliveries", async () => {
    const account = program.account();
    await post(account, "/v1/webhooks", { url: "http://127.0.0.1:9/hook" });
    await account.events.trigger("payout.paid");
    const file = join(temporaryFolder(), "webhooks.json");
    expect(await standinHere(account, "export", "pact", file, "--webhooks", "--provider", "shop")).toBe(
      `Wrote 1 interaction between service and shop to ${file}.\n`,
    );
    expect(JSON.parse(readFileSync(file, "utf8")).interactions).toMatchObject([
      { description: "a payout.paid event at /hook" },
    ]);
  });

  test("fails if there is nothing to export, or the file cannot be written", async () => {
    const empty = program.account();
    expect(await exportPact(empty)).toMatchObject({
      code: 1,
      stdout: "",
      stderr: "standin: the account has no requests to export\n",
    });
    expect(await exportPact(empty, "--webhooks")).toMatchObject({
      code: 1,
      stderr: "standin: the account has no webhook deliveries to export\n",
    });
    const noFolder = join(temporaryFolder(), "file");
    writeFileSync(noFolder, "");
    const file = join(noFolder, "pact.json");
    const { code, stderr } = await exportPact(await accountWithRequests(), file);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`cannot be written to ${file}`)]);
  });
});
