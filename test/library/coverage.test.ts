import { describe, expect, onTestFinished, test } from "vitest";
import { type CoverageReport, formatCoverage, startSandbox } from "../../src/index.js";
import { operationIds } from "../../src/service/index.js";
import { eventKinds } from "../../src/service/webhooks/events.js";
import { openShop } from "../service/business/shop.js";
import { post } from "../support/sandbox.js";

const start = "/v1/phone/verify/start";
const common = ["internal_error", "provider_unavailable", "provider_timeout", "rate_limited"];

async function unused(options?: Parameters<typeof startSandbox>[0]) {
  const sandbox = await startSandbox({ validateReplies: true, ...options });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

const calls = ({ operations }: CoverageReport, id = "startPhoneVerification") =>
  operations.find(({ operation }) => operation === id)?.calls;

test("a test suite reads the combined coverage of all its accounts at its end", async () => {
  const sandbox = await unused();
  const [one, other] = [sandbox.account(), sandbox.account()];
  await post(one, start, { phone: "08031234567" });
  await post(other, start, { phone: "08031234567" });
  expect(calls(await sandbox.coverage())).toBe(2);
  expect(calls(await one.coverage())).toBe(1);
});

test("a report can reset the coverage", async () => {
  const sandbox = await unused();
  const account = sandbox.account();
  await post(account, start, { phone: "08031234567" });
  expect(calls(await account.coverage({ reset: true }))).toBe(1);
  expect(calls(await account.coverage())).toBe(0);
  expect(calls(await sandbox.coverage({ reset: true }))).toBe(1);
  expect(calls(await sandbox.coverage())).toBe(0);
});

test("sandboxes with an admin token or registered keys only report their coverage too", async () => {
  const guarded = await unused({ adminToken: "a-long-admin-token", registeredKeysOnly: true });
  expect((await guarded.coverage()).summary.operations).toEqual({ exercised: 0, total: operationIds.length });
});

describe("a formatted report", () => {
  test("has only the totals if nothing was called", async () => {
    const sandbox = await unused();
    const { outcomes, transitions } = (await sandbox.coverage()).summary;
    expect(formatCoverage(await sandbox.coverage())).toBe(
      `operations 0 of ${operationIds.length}, outcomes 0 of ${outcomes.total}, transitions 0 of ${transitions.total}, events 0 of ${eventKinds.length}`,
    );
  });

  test("names the uncovered outcomes, moves and events of what a suite used", async () => {
    const sandbox = await unused();
    const account = sandbox.account();
    await post(account, start, { phone: "08031234567" }, { "X-Sandbox-Outcome": "sms_failed" });
    await post(account, start, { phone: "08031234567" }, { "X-Sandbox-Outcome": "rate_limited" });
    const shop = await openShop(account);
    const { payment_id } = await shop.transfer(5_000);
    await shop.move(payment_id, "raise_issue");
    const [figures, ...lines] = formatCoverage(await sandbox.coverage()).split("\n");
    expect(figures).toMatch(
      /^operations 4 of \d+, outcomes \d+ of \d+, transitions \d+ of \d+, events 3 of \d+$/,
    );
    expect(lines).toEqual([
      `Uncovered outcomes of the operations called (common: ${common.join(", ")}):`,
      "  startPhoneVerification: sent, expired, locked, internal_error, provider_unavailable, provider_timeout",
      "  saveBusinessProfile: all common",
      "  createVirtualAccount: all common",
      expect.stringMatching(/^ {2}simulatePayment: failed, .*all common$/),
      "Uncovered moves of the records made:",
      "  phone_verification: verify, expire, lock",
      "  virtual_account: deactivate, activate",
      "  payment: succeed from failed, hold, release, fail, raise_issue from pending and held, resolve_issue, settle",
      "Uncovered events of the operations called:",
      "  payment.settled, payment.failed, payment.issue_resolved",
    ]);
  });

  test("stays within 40 lines when every operation was called and every machine was used", async () => {
    const report = await (await unused()).coverage();
    for (const operation of report.operations) operation.calls = 1;
    const machines = new Set<string>();
    for (const transition of report.transitions) {
      if (machines.has(transition.machine)) continue;
      machines.add(transition.machine);
      transition.count = 1;
    }
    const lines = formatCoverage(report).split("\n");
    expect(lines.length).toBeLessThanOrEqual(40);
    for (const { operation } of report.operations) expect(lines.join()).toContain(operation);
  });

  test("has only the totals if everything is covered", async () => {
    const report = await (await unused()).coverage();
    for (const operation of report.operations) {
      operation.calls = 1;
      for (const outcome of operation.outcomes) outcome.count = 1;
    }
    for (const counted of [...report.transitions, ...report.events]) counted.count = 1;
    expect(formatCoverage(report).split("\n")).toHaveLength(1);
  });
});
