/** Recordings as tests of Vitest and pytest and as a pact: what `standin scenario record --as` writes passes as it stands. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { SandboxAccount } from "../../src/index.js";
import { useProgram } from "../cli/use-program.js";
import { ref } from "../scenarios/files.js";
import { field, file, png } from "../support/forms.js";
import { run, usePackage } from "../support/package.js";
import { runProgram } from "../support/program.js";
import { call, post } from "../support/sandbox.js";
import { upload } from "../support/uploads.js";

const program = useProgram();
const installed = usePackage();

/** What a tester did: a code, an upload, money, webhooks and the clock. */
async function story(): Promise<SandboxAccount> {
  const account = program.account();
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
  return account;
}

/** Records the story in a project with the package installed. Returns the folder. */
async function recorded(form: string, name: string, leftOut: unknown = ""): Promise<string> {
  const folder = installed.project(form);
  const { baseUrl, key } = await story();
  const args = ["scenario", "record", join(folder, name), "--as", form, "--url", baseUrl, "--key", key];
  expect(await runProgram(args)).toMatchObject({ code: 0, stderr: leftOut });
  return folder;
}

test("--as vitest: the test passes, and fails when an expectation is changed", async () => {
  const folder = await recorded("vitest", "story.test.ts");
  const vitest = () => run(["npx", "vitest", "run", "--root", "."], folder);
  const { code, stdout, stderr } = await vitest();
  expect([stdout + stderr, code]).toEqual([expect.stringMatching(/Tests +1 passed \(1\)/), 0]);
  const text = readFileSync(join(folder, "story.test.ts"), "utf8");
  writeFileSync(join(folder, "story.test.ts"), text.replace('"verified": true', '"verified": false'));
  expect((await vitest()).code).toBe(1);
});

test("--as pytest: the test passes", async ({ skip }) => {
  const folder = await recorded("pytest", "test_story.py");
  const pytest = ["python3", "-m", "pytest"];
  skip((await run([...pytest, "--version"], folder)).code !== 0, "pytest does not work here");
  const { code, stdout, stderr } = await run(pytest, folder, { PYTHONDONTWRITEBYTECODE: "1" });
  expect([stdout + stderr, code]).toEqual([expect.stringContaining("1 passed in"), 0]);
});

test("--as pact: the sandbox verifies the pact", async () => {
  const folder = await recorded("pact", "story.json", expect.stringContaining("left out: "));
  const { interactions } = JSON.parse(readFileSync(join(folder, "story.json"), "utf8"));
  expect(interactions.length).toBeGreaterThan(4);
  const { code, stdout, stderr } = await run(["npx", "standin", "verify", "story.json"], folder);
  expect([stdout + stderr, code]).toEqual([expect.stringMatching(/passed|verified/), 0]);
});
