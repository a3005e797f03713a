import { describe, expect, test } from "vitest";
import type { OutcomeName } from "../../../src/index.js";
import { testValues } from "../../../src/service/test-values.js";
import { call, post, useSandbox } from "../../support/sandbox.js";

const sandbox = useSandbox();
const path = "/v1/phone/verify/start";
const phone = "+2348031234567";

/** Effect of each outcome of startPhoneVerification. */
const seen: Record<string, { status: number; sent: boolean; cost: number; checked?: string }> = {
  sent: { status: 201, sent: true, cost: 6, checked: "verified" },
  sms_failed: { status: 201, sent: false, cost: 0 },
  expired: { status: 201, sent: true, cost: 6, checked: "expired" },
  locked: { status: 201, sent: true, cost: 6, checked: "max_attempts_reached" },
  rate_limited: { status: 429, sent: false, cost: 0 },
  provider_unavailable: { status: 503, sent: false, cost: 0 },
  provider_timeout: { status: 504, sent: false, cost: 0 },
  internal_error: { status: 500, sent: false, cost: 0 },
};

async function observe(mode: "test" | "live", body: object, headers: Record<string, string> = {}) {
  const account = sandbox.account({ mode });
  const before = (await call(account, "GET", "/v1/balance")).body.balance;
  const reply = await post(account, path, body, headers);
  const cost = before - (await call(account, "GET", "/v1/balance")).body.balance;
  const [message] = await account.inbox.list();
  const code = message?.codes[0];
  const checked =
    code && (await post(account, "/v1/phone/verify/check", { id: reply.body.id, code })).body.status;
  return {
    reply,
    observed: { status: reply.status, sent: message !== undefined, cost, ...(checked ? { checked } : {}) },
  };
}

describe.each(["test", "live"] as const)("on a %s key", (mode) => {
  const values = testValues.filter(({ operations }) => operations.includes("startPhoneVerification"));

  test.each(values)("the test value $value: $note", async ({ value, outcome }) => {
    const { reply, observed } = await observe(mode, { phone: value });
    expect(observed).toEqual(seen[outcome]);
    expect(reply.headers.get("X-Sandbox-Outcome")).toBe(`${outcome}; by=test-value`);
  });

  test.each(Object.keys(seen))("the header X-Sandbox-Outcome: %s", async (outcome) => {
    const { reply, observed } = await observe(mode, { phone }, { "X-Sandbox-Outcome": outcome });
    expect(observed).toEqual(seen[outcome]);
    expect(reply.headers.get("X-Sandbox-Outcome")).toBe(`${outcome}; by=header`);
  });

  test.each(Object.keys(seen))("a rule with the outcome %s", async (outcome) => {
    const account = sandbox.account({ mode });
    await account.rules.add({ on: "startPhoneVerification", outcome: outcome as OutcomeName });
    const reply = await post(account, path, { phone });
    expect(reply.status).toBe(seen[outcome]?.status);
    expect(reply.headers.get("X-Sandbox-Outcome")).toBe(`${outcome}; by=rule`);
  });
});

test("an SMS that fails is refunded in full and leaves a pending verification", async () => {
  const account = sandbox.account();
  const { body } = await post(account, path, { phone: "+2348000000002" });
  expect(body.status).toBe("pending");
  expect((await account.records.get(body.id)).state).toBe("pending");
});

test("an unknown outcome is refused with the list of outcomes", async () => {
  const { status, body } = await post(sandbox.account(), path, { phone }, { "X-Sandbox-Outcome": "paid" });
  expect(status).toBe(400);
  expect(body.error).toMatchObject({ code: "unknown_outcome", param: "X-Sandbox-Outcome" });
  for (const outcome of Object.keys(seen)) expect(body.error.message).toContain(outcome);
});

test("429 has Retry-After", async () => {
  const { headers } = await post(sandbox.account(), path, { phone: "+2348000000005" });
  expect(Number(headers.get("Retry-After"))).toBeGreaterThan(0);
});
