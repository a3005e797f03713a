import { expect, test } from "vitest";
import type { OperationId } from "../../src/index.js";
import { post, useSandbox } from "../support/sandbox.js";

const sandbox = useSandbox();
const path = "/v1/phone/verify/start";
const on = "startPhoneVerification";
const phone = "+2348031234567";
const status = async (
  account: ReturnType<typeof sandbox.account>,
  body: object = { phone },
  headers = {},
  query = "",
) => (await post(account, path + query, body, headers)).status;

test("the header takes precedence over a rule, and a rule over a test value", async () => {
  const account = sandbox.account();
  await account.rules.add({ on, outcome: "provider_timeout" });
  const body = { phone: "+2348000000006" };
  const byRule = await post(account, path, body);
  expect([byRule.status, byRule.headers.get("X-Sandbox-Outcome")]).toEqual([
    504,
    "provider_timeout; by=rule",
  ]);
  const byHeader = await post(account, path, body, { "X-Sandbox-Outcome": "sent" });
  expect([byHeader.status, byHeader.headers.get("X-Sandbox-Outcome")]).toEqual([201, "sent; by=header"]);
});

test("a rule with times applies that many times, refused requests included", async () => {
  const account = sandbox.account();
  await account.rules.add({ on, outcome: "provider_unavailable", times: 2 });
  expect(await status(account)).toBe(503);
  expect(await status(account)).toBe(503);
  expect(await status(account)).toBe(201);
  expect(await account.rules.list()).toMatchObject([{ times: 0, used: 2 }]);
});

test.each([
  ["path", { path }, { path: "/.*\\/check/" }],
  ["body, by the fields that it names", { body: { reference: "a" } }, { body: { reference: "b" } }],
  ["body, by a field that is not there", { body: { phone } }, { body: { template: "{code}" } }],
  ["headers, whatever their case", { headers: { "X-Tenant": "one" } }, { headers: { "x-tenant": "two" } }],
  ["query", { query: { debug: "1" } }, { query: { debug: "2" } }],
] as const)("a rule matches on %s", async (_part, hit, miss) => {
  const request = [{ phone, reference: "a" }, { "X-Tenant": "one" }, "?debug=1"] as const;
  const matching = sandbox.account();
  await matching.rules.add({ on, when: hit, outcome: "provider_unavailable" });
  expect(await status(matching, ...request)).toBe(503);
  const other = sandbox.account();
  await other.rules.add({ on, when: miss, outcome: "provider_unavailable" });
  expect(await status(other, ...request)).toBe(201);
});

test("the newest rule that matches decides", async () => {
  const account = sandbox.account();
  await account.rules.add({ on, outcome: "provider_unavailable" });
  const newer = await account.rules.add({ on, when: { body: { phone } }, outcome: "provider_timeout" });
  expect(await status(account)).toBe(504);
  await account.rules.remove(newer.id);
  expect(await status(account)).toBe(503);
});

test("a probability is drawn from the seed: the same account draws the same, another seed draws differently", async () => {
  const draws = async (key: string) => {
    const account = sandbox.account({ key });
    await account.reset();
    await account.rules.add({ on, outcome: "provider_unavailable", probability: 0.5 });
    const results = [];
    for (let i = 0; i < 24; i++) results.push(await status(account));
    return results.join();
  };
  const first = await draws("svc_test_probability_a");
  expect(await draws("svc_test_probability_a")).toBe(first);
  expect(await draws("svc_test_probability_b")).not.toBe(first);
  expect(first).toContain("503");
  expect(first).toContain("201");
});

test("a rule for an unknown operation or outcome is refused, and the error names the right ones", async () => {
  const account = sandbox.account();
  const mistyped = "startPhoneVerificatoin" as OperationId;
  await expect(account.rules.add({ on: mistyped, outcome: "sent" })).rejects.toThrow(on);
  await expect(account.rules.add({ on, outcome: "paid" })).rejects.toThrow("sms_failed");
});

test("a rule applies to its own account only", async () => {
  await sandbox.account().rules.add({ on, outcome: "internal_error" });
  expect(await status(sandbox.account())).toBe(201);
});
