/** Errors that a rule requests: every code that an operation declares, in the body format in force. */
import { describe, expect, test } from "vitest";
import { errors } from "../../src/contract/errors.js";
import { errorCodesOf } from "../../src/contract/refusals.js";
import type { ErrorCode, Fault } from "../../src/index.js";
import { startPhoneVerification } from "../../src/service/phone/phone.js";
import { call, post, useSandbox } from "../support/sandbox.js";

const on = "startPhoneVerification";
const path = "/v1/phone/verify/start";
const body = { phone: "+2348031234567" };
const codes = errorCodesOf(startPhoneVerification as never, { serviceOnly: true }) as ErrorCode[];

describe.each(["envelope", "problem", "flat"] as const)("with errors.body=%s", (shape) => {
  const sandbox = useSandbox({ assumptions: { "errors.body": shape } });

  test.each(codes)("%s has its status and body, and nothing is charged", async (code) => {
    const account = sandbox.account();
    const before = (await call(account, "GET", "/v1/balance")).body.balance;
    await account.rules.add({ on, fault: { error: code } });
    const reply = await post(account, path, body);
    const said = shape === "envelope" ? reply.body.error : reply.body;
    expect([reply.status, said.code]).toEqual([errors[code].status, code]);
    expect(reply.headers.get("Content-Type")).toContain(shape === "problem" ? "problem+json" : "/json");
    expect(reply.headers.get("X-Sandbox-Outcome")).toBe(`${code}; by=rule`);
    expect(reply.headers.get("X-Sandbox-Fault")).toBe(`error=${code}`);
    expect(await account.requests.list({ operation: on })).toMatchObject([{ fault: `error=${code}` }]);
    expect((await call(account, "GET", "/v1/balance")).body.balance).toBe(before);
    expect(await account.inbox.list()).toEqual([]);
    expect(sandbox.warnings).toEqual([]);
  });
});

describe("an error that a rule asks for", () => {
  const sandbox = useSandbox({ assumptions: { "errors.validation_status": "422" } });

  test.each<[Fault, number, string | null]>([
    [{ error: "rate_limited" }, 429, "60"],
    [{ error: "rate_limited", retry_after: 3 }, 429, "3"],
    [{ error: "rate_limited", retry_after: 0 }, 429, "0"],
    [{ error: "provider_unavailable" }, 503, null],
    [{ error: "provider_unavailable", retry_after: 120 }, 503, "120"],
    [{ error: "invalid_phone" }, 422, null],
  ])("%j has status %i and Retry-After %s", async (fault, status, retryAfter) => {
    const account = sandbox.account();
    await account.rules.add({ on, fault });
    const reply = await post(account, path, body);
    expect([reply.status, reply.headers.get("Retry-After")]).toEqual([status, retryAfter]);
  });

  test("gives way to an error in the request itself", async () => {
    const account = sandbox.account();
    await account.rules.add({ on: "checkPhoneVerification", fault: { error: "rate_limited" } });
    const check = (sent: object) => post(account, "/v1/phone/verify/check", sent);
    expect((await check({})).status).toBe(422);
    expect((await check({ id: "phv_none", code: "123456" })).status).toBe(404);
    const { id } = (await post(account, path, body)).body;
    expect((await check({ id, code: "123456" })).status).toBe(429);
  });

  test("may have any code that every operation of the rule declares", async () => {
    const account = sandbox.account();
    await account.rules.add({ on: "*", fault: { error: "storage_unavailable" } });
    expect((await call(account, "GET", "/v1/balance")).status).toBe(503);
    expect((await post(account, path, body)).status).toBe(503);
    expect(await account.rules.list()).toMatchObject([{ used: 2 }]);
  });
});
