/** Code that must compile for users, and code that must not: a line after @ts-expect-error is an error if it compiles. */
import {
  type CheckResult,
  type CoverageReport,
  checkReceiver,
  connectSandbox,
  type Expectation,
  formatCoverage,
  type InboxMessage,
  type OperationId,
  type OutcomeName,
  type RecordEntry,
  type Rule,
  type RuleInput,
  type SandboxAccount,
  type ScenarioResult,
  type Snapshot,
  startSandbox,
} from "standin";

const sandbox = await startSandbox({ seed: "7", assumptions: { "http.created": "ok" } });
await startSandbox();
// @ts-expect-error: a port is a number
await startSandbox({ port: "4010" });
// @ts-expect-error: no such option
await startSandbox({ memory: true });
// @ts-expect-error: the URL stands
sandbox.url = "http://127.0.0.1:4010";

const elsewhere = connectSandbox("http://127.0.0.1:4010", { adminToken: "secret" });
const account: SandboxAccount = elsewhere.account({ mode: "live" });
sandbox.account({ key: "svc_test_mine" });
// @ts-expect-error: a key is of one mode or the other
sandbox.account({ mode: "sandbox" });
// @ts-expect-error: who connects did not start it
elsewhere.close();

// Rules: outcomes, faults and webhooks.
const rule: Rule = await account.rules.add({ on: "createPayout", outcome: "rejected", times: 1 });
await account.rules.add({ on: "*", fault: { latency: { min: "1s", max: "2s" }, reply: "reset_after" } });
await account.rules.add({ on: "webhooks", webhook: { tamper: "signature", duplicate: 1 } });
await account.rules.add({
  on: "verifyBvn",
  outcome: "no_match",
  next: [{ fault: { error: "rate_limited" } }],
});
await account.rules.remove(rule.id);
// @ts-expect-error: a rule is on something
await account.rules.add({ outcome: "rejected" });
// @ts-expect-error: no such operation
await account.rules.add({ on: "createPayot", outcome: "rejected" });
// @ts-expect-error: no such outcome
await account.rules.add({ on: "createPayout", outcome: "rejectd" });
// @ts-expect-error: no such outcome of what comes next
await account.rules.add({ on: "createPayout", outcome: "paid", next: [{ outcome: "fialed" }] });
// @ts-expect-error: no such error
await account.rules.add({ on: "createPayout", fault: { error: "rate_limit" } });
await account.rules.add({ on: "payout.paid", webhook: { drop: true } });
// @ts-expect-error: no such event
await account.rules.add({ on: "payout.payd", webhook: { drop: true } });
await account.rules.add({ on: "webhooks", when: { event: "/payout\\..*/" }, webhook: { drop: true } });
// @ts-expect-error: no such event, and no pattern
await account.rules.add({ on: "webhooks", when: { event: "payout" }, webhook: { drop: true } });
for (const on of ["createPayout", "createRefund"] as const)
  await account.rules.add({ on, outcome: "rejected" });
declare const read: (what: string) => string;
const chosen: RuleInput = { on: read("on") as OperationId, outcome: read("outcome") as OutcomeName };
await account.rules.add(chosen);
// @ts-expect-error: no such way to break a reply
await account.rules.add({ on: "*", fault: { reply: "explode" } });
// @ts-expect-error: no such way to change a delivery
await account.rules.add({ on: "webhooks", webhook: { tamper: "envelope" } });

// Moves by hand, by machine.
const record: RecordEntry = await account.moves.payout("po_1", "reject");
await account.moves.session("cs_1", "end", { minutes: 12 });
// @ts-expect-error: no such move of a payout
await account.moves.payout("po_1", "rejct");
// @ts-expect-error: a move of another machine
await account.moves.payout("po_1", "settle");
// @ts-expect-error: no such machine
await account.moves.payouts("po_1", "reject");
const states: string = record.state;

// Scenarios.
await account.scenario.load("payout-rejected", { keep: true });
const walked: ScenarioResult = await account.scenario.run({ name: "Mine", steps: [{ advance: "1h" }] });
const problems: string[] = walked.steps.flatMap((step) => step.problems);
// @ts-expect-error: a name or a scenario
await account.scenario.load(1);

// Activities.
const { event, data } = await account.webhooks.wait({ event: "payout.rejected", timeout: "2s" });
const message: InboxMessage = await account.inbox.wait({ to: "+2348031234567", channel: "sms" });
const found: Expectation = await account.requests.expect({
  operation: "startPhoneVerification",
  body: { phone: "/\\+234\\d{10}/" },
  times: { min: 1, max: 2 },
});
// @ts-expect-error: an operation is named
await account.requests.expect({ times: 1 });
// @ts-expect-error: no such operation
await account.requests.expect({ operation: "startPhone" });
// @ts-expect-error: no such operation
await account.requests.list({ operation: "startPhone" });
await account.events.trigger("payout.paid");
await account.events.list({ event });
// @ts-expect-error: no such event
await account.events.trigger("payout.payd");
// @ts-expect-error: no such event
await account.events.list({ event: "payout.payd" });
// @ts-expect-error: no such event
await account.webhooks.wait({ event: "payout.payd" });
// @ts-expect-error: no such event
await account.deliveries.list({ event: "payout.payd" });
// @ts-expect-error: no such channel
await account.inbox.wait({ channel: "pigeon" });
// @ts-expect-error: no such state of a delivery
await account.deliveries.list({ status: "lost" });

// State, clock and coverage.
const snapshot: Snapshot = await account.snapshot();
const { records } = await sandbox.account().restore(snapshot);
// @ts-expect-error: what is restored was a snapshot
await account.restore({});
const { ran } = await account.advance("24h");
// @ts-expect-error: a duration is text
await account.advance(24);
const coverage: CoverageReport = await sandbox.coverage({ reset: true });
const report: string = formatCoverage(await account.coverage());

const { results } = await checkReceiver({ url: "http://127.0.0.1:3000/", secret: "whsec_1" });
const checked: readonly CheckResult[] = results;
// @ts-expect-error: what signs is needed
await checkReceiver({ url: "http://127.0.0.1:3000/" });

await sandbox.close();

export { checked, coverage, data, event, found, message, problems, ran, records, report, states };
