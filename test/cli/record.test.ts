/** `standin record`, on the built program. A second sandbox plays the real service. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { SandboxAccount } from "../../src/index.js";
import { front, start } from "../drift/deviating-service.js";
import { freshFolder } from "../support/folder.js";
import { freePort } from "../support/port.js";
import { runProgram } from "../support/program.js";
import { useListeningSandbox } from "../support/sandbox.js";
import { runHere } from "./run-here.js";
import { spawnStandin } from "./spawned-program.js";

const service = useListeningSandbox();

const phone = "+2348099887766";

/** A client that verifies the number of a person, whose code it reads at the service. */
const clientIn = (folder: string, { baseUrl, key }: SandboxAccount): string[] => {
  const program = join(folder, "client.mjs");
  writeFileSync(
    program,
    `import { request } from "node:http";
    import { json } from "node:stream/consumers";
    const headers = { "X-Service-Key": "${key}", "Content-Type": "application/json" };
    const ask = (url, method = "GET", body = "") => new Promise((resolve) => request(url, { method, headers }, (reply) => resolve(json(reply))).end(body));
    const post = (path, body) => ask(process.env.SERVICE_BASE_URL + path, "POST", JSON.stringify(body));
    const { id } = await post("/v1/phone/verify/start", { phone: "${phone}", reference: "order-7788" });
    const { items } = await ask("${baseUrl}/_sandbox/inbox");
    const { verified } = await post("/v1/phone/verify/check", { id, code: items[0].codes[0] });
    process.exitCode = verified ? 0 : 9;`,
  );
  return ["--", process.execPath, program];
};

const secretsOf = async (account: SandboxAccount): Promise<string[]> => [
  account.key,
  "8099887766",
  "order-7788",
  ...(await account.inbox.list()).flatMap(({ codes }) => codes),
];

test("a scenario is written without secrets, and passes scenario run", async () => {
  const folder = freshFolder();
  const account = service.account();
  const args = ["record", "--from", service.url, "--out", "story.yaml", ...clientIn(folder, account)];
  const { code, stdout, stderr } = await runProgram(args, folder);
  expect([code, stdout], stderr).toEqual([0, "Wrote 3 steps to story.yaml.\n"]);
  expect(stderr).toMatch(/^Recording http:\S+ at http:\S+ for story\.yaml\..*\nWebhooks do not pass here/);
  expect(stderr).toContain("POST /v1/phone/verify/check → 200");
  expect(stderr).toContain("2 requests passed. No reply deviates from the contract.");
  const written = readFileSync(join(folder, "story.yaml"), "utf8");
  const secrets = await secretsOf(account);
  expect(secrets).toHaveLength(4);
  for (const secret of secrets) expect(stdout + stderr + written).not.toContain(secret);
  const run = await runHere(["scenario", "run", "story.yaml"], folder);
  expect(run.stdout).toMatch(/1 of 1 scenario passed, 3 steps/);
});

test("a pact is written without secrets, and standin verify verifies it", async () => {
  const folder = freshFolder();
  const account = service.account();
  const args = ["record", "--from", service.url, "--as", "pact", "--out", "pact.json"];
  const { code, stdout, stderr } = await runHere([...args, ...clientIn(folder, account)], folder);
  expect([code, stdout], stderr).toEqual([0, "Wrote 2 interactions to pact.json.\n"]);
  const written = readFileSync(join(folder, "pact.json"), "utf8");
  for (const secret of await secretsOf(account)) expect(written).not.toContain(secret);
  const verified = await runHere(["verify", "pact.json"], folder);
  expect(verified.code, verified.stdout + verified.stderr).toBe(0);
});

test("a reply that deviates is named when it passes and at the end, and the exit code is 1", async () => {
  const folder = freshFolder();
  const account = service.account();
  const url = await front(service.url, start, ({ body }) => {
    body.carrier = "mtn";
  });
  const args = ["record", "--from", url, "--out", "story.json", "--json", ...clientIn(folder, account)];
  const { code, stdout, stderr } = await runHere(args, folder);
  expect(code, stderr).toBe(1);
  expect(stderr).toContain(
    "POST /v1/phone/verify/start → 201\n  deviates: carrier is not a field of the contract",
  );
  expect(JSON.parse(stdout).findings).toEqual([
    {
      operation: "startPhoneVerification",
      at: "carrier",
      problem: "is not a field of the contract",
      replies: 1,
    },
  ]);
  expect(existsSync(join(folder, "story.json"))).toBe(true);
});

test("without a command it records until it is stopped", async () => {
  const folder = freshFolder();
  const account = service.account();
  const out = join(folder, "story.yaml");
  const { child, waitFor, exitCode } = spawnStandin([
    "record",
    "--from",
    service.url,
    "--port",
    "0",
    "--out",
    out,
  ]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const url = /at (http:\S+) for/.exec(await waitFor(/Ctrl\+C ends/))?.[1];
  await fetch(`${url}/v1/balance`, { headers: { "X-Service-Key": account.key } });
  child.kill("SIGINT");
  expect(await exitCode).toBe(0);
  expect(readFileSync(out, "utf8")).toContain("call: GET /v1/balance");
});

test("a service that does not answer gives exit code 3 and writes nothing, and a failing command keeps its exit code", async () => {
  const folder = freshFolder();
  const nobody = `http://127.0.0.1:${await freePort()}`;
  const args = (from: string, program: string) => [
    ...["record", "--from", from, "--out", "story.yaml", "--", process.execPath, "-e", program],
  ];
  const ask = (end: string) =>
    `require("node:http").get(process.env.SERVICE_BASE_URL + "/v1/balance", { headers: { "X-Service-Key": "${service.account().key}" } }, () => ${end})`;
  const unanswered = await runHere(args(nobody, ask("process.exit()")), folder);
  expect([unanswered.code, unanswered.stderr]).toEqual([3, expect.stringContaining("does not answer")]);
  expect(existsSync(join(folder, "story.yaml"))).toBe(false);
  const failed = await runHere(args(service.url, ask("process.exit(7)")), folder);
  expect([failed.code, existsSync(join(folder, "story.yaml"))]).toEqual([7, true]);
});

test.each([
  [["record"], "required option '--from <url>' not specified"],
  [["record", "--from", "ftp://x"], "--from must be an http or https URL"],
  [["record", "--from", "http://127.0.0.1:1", "--", "true"], "name a file for the recording with --out"],
])("refuses %j", async (args, message) => {
  const { code, stderr } = await runHere(args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});
