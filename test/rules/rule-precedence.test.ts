import { describe, expect, test } from "vitest";
import type { SandboxAccount } from "../../src/index.js";
import { stopwatch } from "../../src/time/time.js";
import { call, post, type Reply, useSandbox } from "../support/sandbox.js";

const sandbox = useSandbox();
const on = "startPhoneVerification";
const start = (account: SandboxAccount, headers = {}): Promise<Reply> =>
  post(account, "/v1/phone/verify/start", { phone: "+2348031234567" }, headers);

/** Returns the statuses of `count` consecutive requests. */
async function statuses(account: SandboxAccount, count: number): Promise<number[]> {
  const seen: number[] = [];
  while (seen.length < count) seen.push((await start(account)).status);
  return seen;
}

describe("of two rules that match", () => {
  test("the one with the higher priority decides, even if it is older", async () => {
    const account = sandbox.account();
    await account.rules.add({ on, outcome: "provider_timeout", priority: 1 });
    await account.rules.add({ on, outcome: "provider_unavailable" });
    await account.rules.add({ on, outcome: "internal_error", priority: -1 });
    expect(await statuses(account, 1)).toEqual([504]);
    expect((await account.rules.list()).map(({ priority, used }) => [priority, used])).toEqual([
      [1, 1],
      [0, 0],
      [-1, 0],
    ]);
  });

  test("the second takes over when the first is used up", async () => {
    const account = sandbox.account();
    await account.rules.add({ on, outcome: "provider_unavailable" });
    await account.rules.add({ on, outcome: "provider_timeout", times: 1 });
    expect(await statuses(account, 3)).toEqual([504, 503, 503]);
  });

  test("one gives the outcome and the other the fault of the connection", async () => {
    const account = sandbox.account();
    await account.rules.add({ on, fault: { latency: "80ms" } });
    await account.rules.add({ on, outcome: "provider_unavailable" });
    const since = stopwatch();
    const { status, headers } = await start(account);
    expect(since()).toBeGreaterThanOrEqual(80);
    expect([status, headers.get("X-Sandbox-Outcome"), headers.get("X-Sandbox-Fault")]).toEqual([
      503,
      "provider_unavailable; by=rule",
      "latency=80ms",
    ]);
    expect((await account.rules.list()).map(({ used }) => used)).toEqual([1, 1]);
  });

  test("one whose effects another rule overrides is not used", async () => {
    const account = sandbox.account();
    await account.rules.add({ on, outcome: "provider_unavailable", times: 1 });
    await account.rules.add({ on, fault: { error: "rate_limited" }, times: 1 });
    expect(await statuses(account, 3)).toEqual([429, 503, 201]);
  });
});

describe("the reported fault", () => {
  const said = async (account: SandboxAccount, headers = {}) => {
    const reply = await start(account, headers);
    const [entry] = await account.requests.list();
    expect(entry?.fault).toBe(reply.headers.get("X-Sandbox-Fault"));
    return [reply.status, reply.headers.get("X-Sandbox-Fault")];
  };

  test("combines the error of one rule and the latency of another", async () => {
    const account = sandbox.account();
    await account.rules.add({ on, fault: { latency: "1ms" } });
    await account.rules.add({ on, fault: { error: "rate_limited" } });
    expect(await said(account)).toEqual([429, "latency=1ms, error=rate_limited"]);
  });

  test("omits an error that another rule's outcome overrides", async () => {
    const account = sandbox.account();
    await account.rules.add({ on, fault: { latency: "1ms", error: "rate_limited" } });
    await account.rules.add({ on, outcome: "provider_unavailable" });
    expect(await said(account)).toEqual([503, "latency=1ms"]);
  });

  test("omits an error that the outcome header overrides", async () => {
    const account = sandbox.account();
    await account.rules.add({ on, fault: { latency: "1ms", error: "rate_limited" } });
    expect(await said(account, { "X-Sandbox-Outcome": "provider_timeout" })).toEqual([504, "latency=1ms"]);
  });

  test("is missing for an outcome", async () => {
    const account = sandbox.account();
    await account.rules.add({ on, outcome: "rate_limited" });
    expect(await said(account)).toEqual([429, null]);
  });
});

describe("one rule", () => {
  test("may give both an outcome and a fault", async () => {
    const account = sandbox.account();
    await account.rules.add({ on, outcome: "sms_failed", fault: { latency: "20ms" } });
    const { status, headers } = await start(account);
    expect([status, headers.get("X-Sandbox-Outcome"), headers.get("X-Sandbox-Fault")]).toEqual([
      201,
      "sms_failed; by=rule",
      "latency=20ms",
    ]);
  });

  test("for every operation (*) applies to each, next to rules for single operations", async () => {
    const account = sandbox.account();
    await account.rules.add({ on, outcome: "provider_timeout" });
    await account.rules.add({ on: "*", outcome: "rate_limited", priority: -1 });
    expect((await start(account)).status).toBe(504);
    expect((await call(account, "GET", "/v1/balance")).status).toBe(429);
    expect((await call(account, "GET", "/v1/pricing")).status).toBe(429);
  });
});

describe("under the outcome header", () => {
  const sent = { "X-Sandbox-Outcome": "sent" };

  test("a rule's fault still applies, and its outcome does not", async () => {
    const account = sandbox.account();
    await account.rules.add({ on, outcome: "provider_timeout", fault: { reply: "malformed" } });
    const response = await account.fetch("/v1/phone/verify/start", {
      method: "POST",
      headers: { "Content-Type": "application/json", ...sent },
      body: JSON.stringify({ phone: "+2348031234567" }),
    });
    expect([response.status, response.headers.get("X-Sandbox-Outcome")]).toEqual([201, "sent; by=header"]);
    await expect(response.json()).rejects.toThrow(SyntaxError);
  });

  test("a rule with only an outcome or an error is not used", async () => {
    const account = sandbox.account();
    await account.rules.add({ on, outcome: "provider_timeout", times: 1 });
    await account.rules.add({ on, fault: { error: "insufficient_balance" }, times: 1 });
    expect((await start(account, sent)).status).toBe(201);
    expect((await account.rules.list()).map(({ times, used }) => [times, used])).toEqual([
      [1, 0],
      [1, 0],
    ]);
  });
});

describe("over time", () => {
  test("a rule with after skips that many matches first", async () => {
    const account = sandbox.account();
    await account.rules.add({ on, outcome: "provider_unavailable", after: 2, times: 1 });
    expect(await statuses(account, 4)).toEqual([201, 201, 503, 201]);
    expect(await account.rules.list()).toMatchObject([{ after: 0, times: 0, used: 1 }]);
  });

  test("only matches count towards after", async () => {
    const account = sandbox.account();
    await account.rules.add({
      on,
      when: { headers: { "X-Try": "<string>" } },
      outcome: "provider_unavailable",
      after: 1,
    });
    expect(await statuses(account, 2)).toEqual([201, 201]);
    expect((await start(account, { "X-Try": "1" })).status).toBe(201);
    expect((await start(account, { "X-Try": "2" })).status).toBe(503);
  });

  test("a rule advances through its stages: 503 twice, 429 once, and then success", async () => {
    const account = sandbox.account();
    await account.rules.add({
      on,
      outcome: "provider_unavailable",
      times: 2,
      next: [{ fault: { error: "rate_limited", retry_after: 7 }, times: 1 }],
    });
    expect(await statuses(account, 2)).toEqual([503, 503]);
    expect(await account.rules.list()).toMatchObject([
      { fault: { error: "rate_limited" }, times: 1, used: 2, next: [] },
    ]);
    const limited = await start(account);
    expect([limited.status, limited.headers.get("Retry-After")]).toEqual([429, "7"]);
    expect(await statuses(account, 2)).toEqual([201, 201]);
    expect(await account.rules.list()).toMatchObject([{ times: 0, used: 3 }]);
  });

  test("a stage inherits nothing from the previous one, not even its probability", async () => {
    // The key decides what is drawn: with this one the second stage is not used up within its first 20 matches.
    const account = sandbox.account({ key: "svc_test_dice_of_stages" });
    await account.rules.add({
      on,
      outcome: "sms_failed",
      fault: { latency: "1ms" },
      times: 1,
      next: [
        { outcome: "provider_unavailable", times: 20, probability: 0.5 },
        { outcome: "provider_timeout" },
      ],
    });
    expect((await start(account)).headers.get("X-Sandbox-Fault")).toBe("latency=1ms");
    const [second] = await account.rules.list();
    expect(second).toMatchObject({ outcome: "provider_unavailable", probability: 0.5, times: 20 });
    expect(second).not.toHaveProperty("fault");
    const drawn = await statuses(account, 20);
    expect(new Set(drawn)).toEqual(new Set([201, 503]));
    for (let used = 0; used === 0; ) used = (await start(account)).status === 504 ? 1 : 0;
    const [third] = await account.rules.list();
    expect(third).toMatchObject({ probability: 1, times: null, next: [] });
    expect(await statuses(account, 3)).toEqual([504, 504, 504]);
  });

  test("a match that the probability rejects does not use the rule up", async () => {
    // The key decides what is drawn: with this one the rule does not apply to all of the first three calls.
    const account = sandbox.account({ key: "svc_test_dice" });
    await account.rules.add({ on, outcome: "provider_unavailable", times: 3, probability: 0.3 });
    const seen = await statuses(account, 40);
    expect(seen.filter((status) => status === 503)).toHaveLength(3);
    expect(seen.slice(0, 3)).not.toEqual([503, 503, 503]);
  });
});

test.each([
  ["sent", "sms_failed; by=test-value", "provider_unavailable; by=rule"],
  ["sms_failed", "provider_unavailable; by=rule", "sent; by=default"],
])("a rule for requests that have the outcome %s leaves others alone", async (outcome, failing, usual) => {
  const account = sandbox.account();
  await account.rules.add({ on, when: { outcome }, outcome: "provider_unavailable" });
  const outcomes: (string | null)[] = [];
  for (const phone of ["+2348000000002", "+2348031234567"]) {
    const { headers } = await post(account, "/v1/phone/verify/start", { phone });
    outcomes.push(headers.get("X-Sandbox-Outcome"));
  }
  expect(outcomes).toEqual([failing, usual]);
});

test("a rule for an outcome looks at what other rules decide, newer ones too", async () => {
  const account = sandbox.account();
  await account.rules.add({ on, when: { outcome: "sms_failed" }, outcome: "provider_timeout", times: 1 });
  await account.rules.add({ on, outcome: "sms_failed", times: 2 });
  const outcomes: (string | null)[] = [];
  for (let request = 0; request < 3; request++)
    outcomes.push((await start(account)).headers.get("X-Sandbox-Outcome"));
  expect(outcomes).toEqual(["provider_timeout; by=rule", "sms_failed; by=rule", "sent; by=default"]);
  expect((await account.rules.list()).map(({ used }) => used)).toEqual([2, 1]);
});

test("a request that is refused for another reason uses up no rule that decided its outcome", async () => {
  const account = sandbox.account();
  const refund = "createRefund";
  await account.rules.add({ on: refund, when: { outcome: "failed" }, outcome: "rejected", times: 1 });
  await account.rules.add({ on: refund, outcome: "failed", times: 1 });
  const { status } = await post(account, "/v1/business/refunds", { payment_id: "pay_none", reason: "late" });
  expect(status).toBeGreaterThanOrEqual(400);
  expect((await account.rules.list()).map(({ used, times }) => [used, times])).toEqual([
    [0, 1],
    [0, 1],
  ]);
});
