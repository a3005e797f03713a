/** Recordings as tests of Vitest and pytest and as a pact: what `standin scenario record --as` writes passes as it stands. */
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Sandbox, type SandboxAccount, startSandbox } from "../../src/index.js";
import { runHere } from "../cli/run-here.js";
import { connectionTo } from "../cli/use-program.js";
import { ref } from "../scenarios/files.js";
import { field, file, png } from "../support/forms.js";
import { run, usePackage } from "../support/package.js";
import { call, post } from "../support/sandbox.js";
import { pytest, runtimes, skipWithout } from "../support/toolchains.js";
import { upload } from "../support/uploads.js";

const installed = usePackage();

let sandbox: Sandbox;
let account: SandboxAccount;
beforeAll(async () => {
  sandbox = await startSandbox({ validateReplies: true });
  account = sandbox.account();
  await play();
});
afterAll(() => sandbox.close());

/** What a tester did: a code, an upload, money, webhooks and the clock. */
async function play(): Promise<void> {
  await account.clock.freeze("2026-03-02T09:00:00Z");
  await post(account, "/v1/webhooks", { url: "http://127.0.0.1:9/" });
  const { body: started } = await post(account, "/v1/phone/verify/start", { phone: "+2348031234567" });
  const { codes } = await account.inbox.wait();
  await post(account, "/v1/phone/verify/check", { id: started.id, code: codes[0] });
  await upload(account, [file("file", png, "adaeze.png"), field("note", `x """ \\ ${ref("y")}`)]);
  const profile = { business_name: "Ada", business_type: "registered", contact_phone: "+2348031234567" };
  await call(account, "PUT", "/v1/business/profile", profile);
  const customer = { customer_name: 'Chidi "C" Obi', customer_email: "chidi@example.com" };
  const { body: made } = await post(account, "/v1/business/virtual-accounts", customer);
  const payment = { virtual_account_id: made.id, amount: 20_000 };
  await post(account, "/v1/business/test/simulate-payment", payment);
  await account.advance("25h");
}

interface VitestReport {
  testResults: { name: string; assertionResults: { status: string }[] }[];
}

/** Records what the tester did in a project with the package installed. Returns the folder. */
async function recorded(form: string, name: string, leftOut: unknown = ""): Promise<string> {
  const folder = installed.project(form);
  const args = ["scenario", "record", join(folder, name), "--as", form, ...connectionTo(account)];
  expect(await runHere(args)).toMatchObject({ code: 0, stderr: leftOut });
  return folder;
}

test("--as vitest: the test passes, and fails when an expectation is changed", async () => {
  const folder = await recorded("vitest", "story.test.ts");
  const text = readFileSync(join(folder, "story.test.ts"), "utf8");
  const changed = text.replace('"verified": true', '"verified": false');
  expect(changed).not.toBe(text);
  writeFileSync(join(folder, "changed.test.ts"), changed);
  const report = join(folder, "report.json");
  // One worker for both files.
  const flags = ["--no-file-parallelism", "--no-isolate", "--reporter=json", `--outputFile=${report}`];
  const { code, stdout, stderr } = await run(["npx", "vitest", "run", "--root", ".", ...flags], folder);
  expect(code, stdout + stderr).toBe(1);
  const { testResults } = JSON.parse(readFileSync(report, "utf8")) as VitestReport;
  const results = testResults.map(({ name, assertionResults }) => [
    basename(name),
    assertionResults.map(({ status }) => status),
  ]);
  expect(Object.fromEntries(results)).toEqual({ "story.test.ts": ["passed"], "changed.test.ts": ["failed"] });
});

test("--as pytest: the test passes", async ({ skip }) => {
  skipWithout("pytest", skip);
  const folder = await recorded("pytest", "test_story.py");
  const { code, stdout, stderr } = await run(pytest, folder, runtimes);
  expect([stdout + stderr, code]).toEqual([expect.stringContaining("1 passed in"), 0]);
});

test("--as pact: the sandbox verifies the pact", async () => {
  const folder = await recorded("pact", "story.json", expect.stringContaining("left out: "));
  const { interactions } = JSON.parse(readFileSync(join(folder, "story.json"), "utf8"));
  expect(interactions.length).toBeGreaterThan(4);
  const { code, stdout, stderr } = await run(["npx", "standin", "verify", "story.json"], folder);
  expect([stdout + stderr, code]).toEqual([expect.stringMatching(/passed|verified/), 0]);
});
