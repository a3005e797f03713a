/** Patterns with catastrophic backtracking must not delay other accounts or the next request. */
import { expect, test } from "vitest";
import type { RuleInput, SandboxAccount } from "../../src/index.js";
import { CpuBudget, runWithTimeout } from "../../src/rules/pattern-budget.js";
import { call, post, useSandbox } from "../support/sandbox.js";

const sandbox = useSandbox();
const on = "startPhoneVerification";
const outcome = "provider_unavailable";
const endless: RuleInput = { on, when: { body: { reference: "/(a+)+b/" } }, outcome: "provider_timeout" };

const start = async (account: SandboxAccount, reference = `${"a".repeat(40)}!`) => {
  const body = { phone: "+2348031234567", reference };
  const { status, headers } = await post(account, "/v1/phone/verify/start", body);
  return [status, headers.get("X-Sandbox-Rules")];
};

const stoppedOf = async (account: SandboxAccount) => {
  const { items } = (await call(account, "GET", "/_sandbox/rules")).body;
  return items.map(({ stopped }: { stopped?: string }) => stopped);
};

const tooLong = "when: its patterns take too long";

test("a rule whose pattern takes too long is stopped, and shows the reason", async () => {
  const account = sandbox.account();
  const { id } = await account.rules.add(endless);
  expect(await stoppedOf(account)).toEqual([undefined]);
  expect(await start(account)).toEqual([201, `stopped=${id}`]);
  expect(await stoppedOf(account)).toEqual([tooLong]);
  expect(sandbox.warnings).toEqual([]);
});

test("a stopped rule is not tried again, even on requests that it would match", async () => {
  const account = sandbox.account();
  await account.rules.add(endless);
  expect(await start(account, "aab")).toEqual([504, null]);
  await start(account);
  expect(await start(account, "aab")).toEqual([201, null]);
});

test("the next rule decides", async () => {
  const account = sandbox.account();
  await account.rules.add({ on, when: { body: { reference: "/a+!/" } }, outcome });
  const { id } = await account.rules.add(endless);
  expect(await start(account)).toEqual([503, `stopped=${id}`]);
});

test("all patterns of a request share one time budget, and rules beyond it wait for the next request", async () => {
  const account = sandbox.account();
  for (let i = 0; i < 10; i++) await account.rules.add(endless);
  const [status, told] = await start(account);
  expect([status, told]).toEqual([201, expect.stringMatching(/^stopped=.+, passed-over=[1-9]/)]);
  const stopped = (await stoppedOf(account)).filter(Boolean).length;
  expect(told).toContain(`passed-over=${10 - stopped}`);
});

test("a rule without patterns is evaluated even when the budget is used up", async () => {
  const account = sandbox.account();
  await account.rules.add({ on, outcome });
  for (let i = 0; i < 10; i++) await account.rules.add(endless);
  expect((await start(account))[0]).toBe(503);
});

test("patterns for deliveries are limited too, and the webhook is sent unchanged", async () => {
  const account = sandbox.account();
  await post(account, "/v1/webhooks", { url: "http://127.0.0.1:9/hook" });
  await account.rules.add({
    on: "webhooks",
    when: { data: { note: "/(a+)+b/" } },
    webhook: { drop: true },
  });
  const event = { event: "payout.paid", data: { note: "a".repeat(40) } };
  expect((await post(account, "/_sandbox/events", event)).status).toBe(201);
  expect(await stoppedOf(account)).toEqual([tooLong]);
  expect(await account.deliveries.list()).toHaveLength(1);
});

test("a snapshot keeps stopped rules, and a rule that is created again is tried again", async () => {
  const account = sandbox.account();
  await account.rules.add(endless);
  await start(account);
  const copy = sandbox.account();
  await copy.restore(await account.snapshot());
  expect(await start(copy, "aab")).toEqual([201, null]);
  await copy.rules.add(endless);
  expect(await start(copy, "aab")).toEqual([504, null]);
});

const sleeper = new Int32Array(new SharedArrayBuffer(4));
/** Far more than the CPU time that other threads of the process, which compile and collect garbage, use meanwhile. */
const sleepMs = 100;

test("time that passes without the process is not taken from the budget of several patterns", () => {
  const budget = new CpuBudget(2 * sleepMs);
  const callback = () => Atomics.wait(sleeper, 0, 0, sleepMs);
  for (let runs = 0; runs < 4; runs++) expect(budget.run(callback)).toBe("timed-out");
  expect(budget.leftMs).toBeGreaterThan(0);
});

function useCpu(ms: number): true {
  const start = process.cpuUsage();
  for (let usedMs = 0; usedMs < ms; ) {
    const { user, system } = process.cpuUsage(start);
    usedMs = (user + system) / 1_000;
  }
  return true;
}

const limitMs = 20;

test("a pattern that has to be tried again leaves as much for the next one as any other", () => {
  const budget = new CpuBudget(2 * limitMs);
  let tries = 0;
  const callback = () => {
    if (++tries > 3) return useCpu(2 * limitMs);
    useCpu(limitMs / 4);
    return Atomics.wait(sleeper, 0, 0, 2 * limitMs);
  };
  expect(budget.run(callback, limitMs)).toBeNull();
  expect(budget.leftMs).toBeGreaterThanOrEqual(limitMs);
});

test("a pattern gets no more than what the ones before it left", () => {
  const budget = new CpuBudget(limitMs);
  const callback = () => useCpu(0.75 * limitMs);
  expect([budget.run(callback), budget.run(callback)]).toContain(null);
});

test("a pattern during which the process got no CPU is tried again", () => {
  let tries = 0;
  const callback = () => {
    // The thread sleeps past the limit, as it does on a machine whose other processes come first.
    if (++tries === 1) Atomics.wait(sleeper, 0, 0, 2 * sleepMs);
    return true;
  };
  expect([runWithTimeout(callback, sleepMs), tries]).toEqual([true, 2]);
});
