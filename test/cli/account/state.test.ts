import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { SandboxAccount } from "../../../src/client/account/account.js";
import { programFile, temporaryFolder } from "../../support/program.js";
import { post } from "../../support/sandbox.js";
import { connectionTo, standin, standinHere, useProgram } from "../use-program.js";

const program = useProgram();

const startPhone = (account: SandboxAccount) =>
  post(account, "/v1/phone/verify/start", { phone: "08031234567" });

describe("the state of an account", () => {
  test("is emptied by standin reset", async () => {
    const account = program.account();
    await startPhone(account);
    expect(await standin(account, "reset")).toBe(`The account of ${account.key} has been reset.\n`);
    expect(await account.inbox.list()).toEqual([]);
  });

  test("is written to a file or stdout byte for byte, and restored from it to any account", async () => {
    const [account, other] = [program.account(), program.account()];
    const { id } = (await startPhone(account)).body;
    await account.clock.freeze();
    const file = join(temporaryFolder(), "state.json");
    expect(await standinHere(account, "snapshot", file)).toContain(file);
    expect(readFileSync(file, "utf8")).toBe(await (await account.fetch("/_sandbox/snapshot")).text());
    expect(await standin(account, "snapshot")).toBe(readFileSync(file, "utf8"));
    expect(await standinHere(account, "snapshot", "-")).toBe(readFileSync(file, "utf8"));
    expect(await standinHere(other, "restore", file)).toMatch(
      /^\d+ records? restored\. The clock is stopped at /,
    );
    expect((await other.records.get(id)).state).toBe("pending");
    expect(await standinHere(other, "snapshot")).toBe(readFileSync(file, "utf8"));
  });
});

test("standin restore - reads what standin snapshot prints", async () => {
  const [account, other] = [program.account(), program.account()];
  await startPhone(account);
  const input = await standinHere(account, "snapshot");
  const args = ["restore", "-", "--json", ...connectionTo(other)];
  const output = execFileSync(process.execPath, [programFile, ...args], {
    input,
    encoding: "utf8",
    timeout: 60_000,
  });
  expect(JSON.parse(output)).toMatchObject({ restored: true });
  expect(await other.inbox.list()).toEqual(await account.inbox.list());
});
