/** The contents of a recording. */
import { expect, onTestFinished, test, vi } from "vitest";
import type { Recording, RecordingOptions } from "../../../src/client/account/types.js";
import { createSandbox, type SandboxAccount } from "../../../src/index.js";
import type { Scenario } from "../../../src/scenarios/scenario-file.js";
import { freshFolder } from "../../support/folder.js";
import { field, file, png } from "../../support/forms.js";
import { startReceiver } from "../../support/receiver.js";
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
  await post(account, "/v1/business/refunds", {
    payment_id: paid.payment_id,
    amount: 5_000,
    reason: "Returned",
  });
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

test("a scenario is loaded at its time, since its timeline has times of the day beside durations", async () => {
  const account = sandbox.account();
  await call(account, "GET", "/v1/balance");
  const { now } = Date;
  vi.spyOn(Date, "now").mockImplementation(() => now() + 30_000);
  onTestFinished(() => void vi.restoreAllMocks());
  const send = (phone: string) => ({ do: "start_phone_verification" as const, with: { phone } });
  const timeline = [{ after: "20s", ...send("+2348031234567") }];
  await account.scenario.load({ name: "Later", timeline }, { keep: true });
  const { scenario } = await record(account);
  expect(scenario.steps).toMatchObject([
    { call: "GET /v1/balance" },
    { advance: expect.stringMatching(/^30s/) },
    { control: "POST /scenarios?keep=true" },
  ]);
  expect((await sandbox.account().scenario.run(scenario)).passed).toBe(true);
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

test("a BVN or NIN that was refused for its form is replaced by one that is refused too, and so are secrets of addresses", async () => {
  const account = sandbox.account();
  const bodies = [
    { bvn: 22456789012 },
    { bvn: "22456 789012" },
    { bvn: "224567890123" },
    { nin: 70456789012 },
  ];
  for (const body of bodies)
    expect((await post(account, `/v1/verify/${"bvn" in body ? "bvn" : "nin"}`, body)).status).toBe(400);
  await call(account, "GET", `/v1/balance?api_key=${account.key}&bvn=22456789012`);
  await call(account, "GET", "/v1/audits/22456789012");
  const { scenario } = await record(account);
  const text = JSON.stringify(scenario);
  expect(scenario.steps).toHaveLength(6);
  for (const secret of ["456789012", "456 789012", account.key]) expect(text).not.toContain(secret);
  expect((await sandbox.account().scenario.run(scenario)).steps.filter(({ passed }) => !passed)).toEqual([]);
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
  await expect(record(account)).rejects.toThrow("because a snapshot was restored");
});

test("a recording is refused once the oldest calls are no longer kept, or after a restart, with that reason", async () => {
  const account = sandbox.account();
  for (let at = 0; at < 11; at++)
    await Promise.all(Array.from({ length: 100 }, () => call(account, "GET", "/v1/balance")));
  await expect(record(account)).rejects.toThrow("because only the newest 1,000 calls and jobs are kept");

  const data = freshFolder();
  const first = await createSandbox({ data });
  await first.account({ key: "svc_test_restarted" }).update({ plan: "growth" });
  await first.close();
  const second = await createSandbox({ data });
  onTestFinished(() => second.close());
  const again = second.account({ key: "svc_test_restarted" });
  await expect(record(again)).rejects.toThrow("the sandbox was restarted");
  await again.reset();
  await again.update({ plan: "growth" });
  expect((await record(again)).scenario.steps).toHaveLength(1);
});

test("each receiver of a run answers as its own endpoint did", async () => {
  const account = sandbox.account();
  const failing = await startReceiver((count, response) => response.writeHead(count === 1 ? 500 : 202).end());
  const usual = await startReceiver((_count, response) => response.writeHead(204).end());
  onTestFinished(() => Promise.all([failing.close(), usual.close()]).then(() => {}));
  for (const { url } of [failing, usual]) await post(account, "/v1/webhooks", { url });
  await account.events.trigger("payout.paid");
  await account.advance("10s");
  const { scenario } = await record(account);
  const receivers = (scenario.steps ?? []).filter((step) => "receive" in step);
  expect(receivers.map(({ receive }) => (receive as { answers?: number[] }).answers)).toEqual([
    [500, 202],
    undefined,
  ]);
});

test("rules that draw are left out and named, and what they drew happens again", async () => {
  const account = sandbox.account({ key: "svc_test_drawn" });
  const { id } = await account.rules.add({
    on: "startPhoneVerification",
    outcome: "sms_failed",
    probability: 0.5,
  });
  await account.rules.add({
    on: "getBalance",
    fault: { error: "rate_limited" },
    times: 1,
    next: [{ fault: { reply: "truncated" }, probability: 0.5 }],
  });
  await account.rules.add({ on: "payout.paid", webhook: { delay: { min: "1s", max: "2h" } } });
  for (let at = 0; at < 6; at++) {
    await post(account, "/v1/phone/verify/start", { phone: "+2348031234567" });
    await call(account, "GET", "/v1/balance").catch(() => {});
  }
  const outcomes = (await account.requests.list()).map(({ outcome }) => outcome);
  expect(outcomes).toEqual(expect.arrayContaining(["sent", "sms_failed"]));
  await account.rules.remove(id);
  await account.events.trigger("payout.paid");
  const { scenario, left_out } = await record(account);
  expect(left_out).toEqual([
    "a rule on startPhoneVerification that draws: each request that it decided has a rule of one use in its place",
    "a rule on getBalance that draws: each request that it decided has a rule of one use in its place",
    "a rule on payout.paid that draws: webhooks are delivered without its faults",
  ]);
  expect(JSON.stringify(scenario)).not.toContain("probability");
  expect((await sandbox.account().scenario.run(scenario)).steps.filter(({ passed }) => !passed)).toEqual([]);
});

test("the id that a cut-off reply did not give is taken from the event that followed", async () => {
  const account = sandbox.account();
  await call(account, "PUT", "/v1/business/profile", profile);
  await account.rules.add({ on: "createVirtualAccount", fault: { reply: "truncated" }, times: 1 });
  await post(account, "/v1/business/virtual-accounts", customer).catch(() => {});
  const { body: list } = await call(account, "GET", "/v1/business/virtual-accounts");
  const simulate = { virtual_account_id: list.accounts[0].id, amount: 20_000 };
  await post(account, "/v1/business/test/simulate-payment", simulate);
  const { scenario } = await record(account);
  expect(scenario.steps).toMatchObject([
    { call: "PUT /v1/business/profile" },
    { control: "POST /rules" },
    { call: "POST /v1/business/virtual-accounts", expect: { failure: "<any>" } },
    { webhook: "virtual_account.created", as: "event" },
    { call: "GET /v1/business/virtual-accounts" },
    {
      call: "POST /v1/business/test/simulate-payment",
      body: { virtual_account_id: ref("event.data.id") },
    },
    { webhook: "payment.received" },
  ]);
  expect((await sandbox.account().scenario.run(scenario)).steps.filter(({ passed }) => !passed)).toEqual([]);
});

test("the rules of a loaded scenario that draw are left out as well", async () => {
  const account = sandbox.account();
  const rule = { on: "startPhoneVerification", probability: 0.999_999_999, outcome: "sms_failed" };
  await account.scenario.load({
    name: "Unlucky",
    rules: [rule, { on: "getBalance", fault: { error: "rate_limited" } }],
  });
  await post(account, "/v1/phone/verify/start", { phone: "+2348031234567" });
  const { scenario, left_out } = await record(account);
  expect(left_out).toEqual([expect.stringContaining("a rule on startPhoneVerification that draws")]);
  expect(scenario.rules).toEqual([{ on: "getBalance", fault: { error: "rate_limited" } }]);
  expect(scenario.steps?.[0]).toMatchObject({
    control: "POST /rules",
    body: { outcome: "sms_failed", times: 1 },
  });
  expect((await sandbox.account().scenario.run(scenario)).steps.filter(({ passed }) => !passed)).toEqual([]);
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
