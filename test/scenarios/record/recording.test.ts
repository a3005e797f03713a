/** The contents of a recording. */
import { expect, test } from "vitest";
import type { SandboxAccount } from "../../../src/index.js";
import type { Recording, RecordingOptions } from "../../../src/library/types.js";
import type { Scenario } from "../../../src/scenarios/scenario-file.js";
import { field, file, png } from "../../support/forms.js";
import { call, post, useSandbox } from "../../support/sandbox.js";
import { upload } from "../../support/uploads.js";
import { ref } from "../files.js";

const sandbox = useSandbox();

interface Recorded extends Recording {
  scenario: Scenario;
}
const record = (account: SandboxAccount, options: RecordingOptions = {}) =>
  account.scenario.record(options) as Promise<Recorded>;

const customer = { customer_name: "Chidi Obi", customer_email: "chidi@example.com" };
const profile = { business_name: "Ada Stores", business_type: "registered", contact_phone: "+2348031234567" };

test("calls before the recording become given where they can, and their records are referred to", async () => {
  const account = sandbox.account();
  await call(account, "PUT", "/v1/business/profile", profile);
  await call(account, "PUT", "/v1/business/payout-account", {
    bank_code: "058",
    account_number: "0123456789",
  });
  const { body: va } = await post(account, "/v1/business/virtual-accounts", customer);
  const simulate = { virtual_account_id: va.id, amount: 20_000 };
  const { body: paid } = await post(account, "/v1/business/test/simulate-payment", simulate);
  await account.records.move(paid.payment_id, "settle");
  const { headers } = await post(account, "/v1/business/payouts", { amount: 7_000 });
  await post(account, "/v1/business/refunds", { payment_id: paid.payment_id, reason: "Returned" });
  const { scenario, left_out } = await record(account, {
    since: headers.get("x-request-id") as string,
  });
  expect(left_out).toEqual([]);
  expect(scenario.given).toEqual({
    clock: expect.any(String),
    business: profile,
    payout_account: { bank_code: "058", account_number: "0123456789" },
    virtual_accounts: [customer],
    payments: [{ virtual_account_id: ref("given.virtual_accounts.0.id"), amount: 20_000, moves: ["settle"] }],
  });
  expect(scenario.steps).toMatchObject([
    {
      call: "POST /v1/business/payouts",
      expect: { status: 201, body: { amount: 7_000, status: "requested" } },
    },
    { webhook: "payout.requested" },
    { call: "POST /v1/business/refunds", body: { payment_id: ref("given.payments.0.payment_id") } },
    { webhook: "refund.requested" },
  ]);
  expect((await sandbox.account().scenario.run(scenario)).steps.filter(({ passed }) => !passed)).toEqual([]);
});

test("codes are taken from the message, and no secret is in the recording", async () => {
  const account = sandbox.account();
  const { body: started } = await post(account, "/v1/phone/verify/start", { phone: "+2348031234567" });
  const { codes } = await account.inbox.wait();
  await post(account, "/v1/phone/verify/check", { id: started.id, code: codes[0] });
  await post(account, "/v1/verify/bvn", { bvn: "22456789012" });
  const { scenario } = await record(account);
  expect(scenario.steps).toMatchObject([
    { call: "POST /v1/phone/verify/start", as: "phone_verification" },
    { inbox: { channel: "sms" }, expect: { codes: ["/\\d{6}/"] }, as: "message" },
    {
      body: { id: ref("phone_verification.id"), code: ref("message.codes.0") },
      expect: { body: { verified: true } },
    },
    { body: { bvn: "22100000001" } },
  ]);
  const text = JSON.stringify(scenario);
  for (const secret of [account.key, codes[0], "22456789012", started.id]) expect(text).not.toContain(secret);
});

test("uploads are files of the recording, or part of its steps", async () => {
  const account = sandbox.account();
  await upload(account, [file("file", png, "adaeze.png"), field("note", "x")]);
  const { scenario, files } = await record(account);
  expect(files).toEqual([
    { name: expect.stringMatching(/^upload-.+\.png$/), base64: png.toString("base64") },
  ]);
  expect(scenario.steps).toMatchObject([
    { files: { file: { name: "adaeze.png", fixture: files[0]?.name } } },
    {},
  ]);
  const inline = await record(account, { inline: true });
  expect(inline.files).toEqual([]);
  expect(inline.scenario.steps).toMatchObject([{ files: { file: { base64: files[0]?.base64 } } }, {}]);
});

test("a file that is too large to keep is replaced by a fixture, which the recording says", async () => {
  const account = sandbox.account();
  await upload(account, [file("file", Buffer.concat([png, Buffer.alloc(1_100_000)]), "adaeze.png")]);
  const { scenario, files, left_out } = await record(account);
  expect(files).toEqual([]);
  expect(scenario.steps).toMatchObject([{ files: { file: { fixture: "id-card.png" } } }, {}]);
  expect(left_out).toEqual([expect.stringContaining("id-card.png stands in")]);
});

test("a recording cannot begin at an unknown activity, or after a restored snapshot", async () => {
  const account = sandbox.account();
  await post(account, "/v1/phone/verify/start", { phone: "+2348031234567" });
  await expect(record(account, { since: "req_none" })).rejects.toThrow("There is no activity");
  await account.restore(await account.snapshot());
  await expect(record(account)).rejects.toThrow("no longer knows everything");
});

test("a scenario that was loaded on an advanced clock, which it sets back, is what the recording begins with", async () => {
  const account = sandbox.account();
  await account.advance("1d");
  await account.scenario.load("payout-rejected");
  await account.events.trigger("payout.paid");
  const { scenario } = await record(account);
  expect(scenario.given).toMatchObject({ payments: [{ amount: 20_000, settled: true }] });
  expect(scenario.rules).toHaveLength(1);
  expect(scenario.steps).toMatchObject([{ control: "POST /events" }, { webhook: "payout.paid" }]);
  expect((await sandbox.account().scenario.run(scenario)).steps.filter(({ passed }) => !passed)).toEqual([]);
});

test("a session that began with a scenario is recorded as that scenario and what followed", async () => {
  const account = sandbox.account();
  await account.scenario.load("payout-rejected");
  await post(account, "/v1/business/payouts", { amount: 7_000 });
  await account.advance("2m");
  const { scenario } = await record(account);
  expect(scenario.rules).toHaveLength(1);
  expect(scenario.steps).toMatchObject([
    {},
    { webhook: "payout.requested" },
    { advance: "2m" },
    { webhook: "payout.rejected" },
  ]);
  expect((await sandbox.account().scenario.run(scenario)).passed).toBe(true);
});
