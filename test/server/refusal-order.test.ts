import { afterEach, describe, expect, test } from "vitest";
import type { SandboxAccount } from "../../src/index.js";
import { file, formOf, formType, png } from "../support/forms.js";
import { call, post, type Reply, read, useListeningSandbox } from "../support/sandbox.js";

const sandbox = useListeningSandbox();
const start = "/v1/phone/verify/start";
const check = "/v1/phone/verify/check";
const phone = "08031234567";
const wallet = 1_000_000;
const mebibyte = "x".repeat(1024 * 1024);

const code = ({ status, body }: Reply): string => `${status} ${body.error.code}`;

/** Calls without a key. */
const stranger = async (method: string, path: string, init: RequestInit = {}): Promise<Reply> =>
  read(await fetch(sandbox.url + path, { method, ...init }));

afterEach(() => expect(sandbox.warnings).toEqual([]));

test("an unknown path is reported before a missing key", async () => {
  expect(code(await stranger("GET", "/v1/nothing"))).toBe("404 route_not_found");
  expect(code(await stranger("POST", "/v1/phone/verify"))).toBe("404 route_not_found");
});

test("an unsupported method is reported before a missing key, and Allow lists the supported ones", async () => {
  const reply = await stranger("GET", start);
  expect(code(reply)).toBe("405 method_not_allowed");
  expect(reply.headers.get("Allow")).toBe("POST");
  expect((await stranger("DELETE", "/v1/wa/channels")).headers.get("Allow")).toBe("GET, POST");
});

test("a missing key is reported before content type and size", async () => {
  for (const type of ["text/plain", "application/json", formType]) {
    const init = { body: mebibyte + mebibyte, headers: { "Content-Type": type } };
    expect(code(await stranger("POST", start, init))).toBe("401 missing_api_key");
    expect(code(await stranger("POST", "/v1/verify/document", init))).toBe("401 missing_api_key");
  }
});

test("content type and size are reported before a malformed body", async () => {
  const account = sandbox.account();
  const text = { "Content-Type": "text/plain" };
  expect(code(await post(account, start, "{", text))).toBe("415 unsupported_media_type");
  expect(code(await post(account, start, `{${mebibyte}`))).toBe("413 body_too_large");
});

test("a malformed body is reported before an unknown outcome", async () => {
  const account = sandbox.account();
  const nope = { "X-Sandbox-Outcome": "nope" };
  expect(code(await post(account, start, "{", nope))).toBe("400 malformed_json");
  const cutOff = formOf([file("file", png)])
    .subarray(0, 100)
    .toString("latin1");
  const form = { ...nope, "Content-Type": formType };
  expect(code(await post(account, "/v1/verify/document", cutOff, form))).toBe("400 validation_error");
});

test("an unknown outcome is reported before invalid fields", async () => {
  const reply = await post(sandbox.account(), start, {}, { "X-Sandbox-Outcome": "nope" });
  expect(code(reply)).toBe("400 unknown_outcome");
  expect(reply.body.error.message).toContain("sent, sms_failed");
});

describe("invalid fields are reported before", () => {
  test("the plan", async () => {
    const account = sandbox.account();
    await account.update({ plan: "starter" });
    const path = "/v1/wa/channels/wac_unknown/otp";
    expect(code(await post(account, path, {}))).toBe("400 missing_field");
    const reply = await post(account, path, { to: "2348031234567" });
    expect(code(reply)).toBe("403 plan_required");
    expect(reply.body.error.required_plan).toBe("growth");
  });

  test("the mode", async () => {
    const account = sandbox.account({ mode: "live" });
    const path = "/v1/business/test/simulate-payment";
    expect(code(await post(account, path, {}))).toBe("400 missing_field");
    const reply = await post(account, path, { virtual_account_id: "va_unknown", amount: 500 });
    expect(code(reply)).toBe("403 test_mode_only");
  });
});

describe("an error outcome is reported after", () => {
  const fails = { "X-Sandbox-Outcome": "internal_error" };

  test("a record that does not exist", async () => {
    const reply = await post(sandbox.account(), check, { id: "phv_unknown", code: "123456" }, fails);
    expect(code(reply)).toBe("404 resource_not_found");
  });

  test("an invalid number and a template without a code", async () => {
    const account = sandbox.account();
    expect(code(await post(account, start, { phone: "12" }, fails))).toBe("400 invalid_phone");
    const reply = await post(account, start, { phone, template: "Hello" }, fails);
    expect(code(reply)).toBe("400 invalid_template");
  });

  test("the plan", async () => {
    const account = sandbox.account();
    await account.update({ plan: "starter" });
    const reply = await post(account, "/v1/wa/channels/wac_unknown/otp", { to: "2348031234567" }, fails);
    expect(code(reply)).toBe("403 plan_required");
  });
});

describe("with an empty wallet", () => {
  async function penniless(): Promise<SandboxAccount> {
    const account = sandbox.account();
    await account.update({ balance: 0 });
    return account;
  }

  test("an invalid number is reported before an insufficient balance", async () => {
    expect(code(await post(await penniless(), start, { phone: "12" }))).toBe("400 invalid_phone");
  });

  test("an error outcome is reported before 402", async () => {
    const down = { "X-Sandbox-Outcome": "provider_unavailable" };
    const reply = await post(await penniless(), start, { phone }, down);
    expect(code(reply)).toBe("503 provider_unavailable");
  });

  test.each(["sent", "sms_failed", "locked"])("402 is reported before the outcome %s", async (outcome) => {
    const account = await penniless();
    const reply = await post(account, start, { phone }, { "X-Sandbox-Outcome": outcome });
    expect(code(reply)).toBe("402 insufficient_balance");
    expect(await account.inbox.list()).toEqual([]);
  });

  test("free operations succeed", async () => {
    expect((await call(await penniless(), "GET", "/v1/balance")).status).toBe(200);
  });
});

describe("a refusal costs nothing and stores nothing", () => {
  const outcome = (name: string) => ({ "X-Sandbox-Outcome": name });
  test.each<[string, object, Record<string, string>]>([
    ["400 missing_field", {}, {}],
    ["400 invalid_phone", { phone: "12" }, {}],
    ["400 invalid_template", { phone, template: "Hello" }, {}],
    ["400 unknown_outcome", { phone }, outcome("nope")],
    ["415 unsupported_media_type", { phone }, { "Content-Type": "text/plain" }],
    ["429 rate_limited", { phone }, outcome("rate_limited")],
    ["500 internal_error", { phone }, outcome("internal_error")],
    ["503 provider_unavailable", { phone: "+2348000000006" }, {}],
    ["504 provider_timeout", { phone }, outcome("provider_timeout")],
  ])("%s", async (expected, body, headers) => {
    const account = sandbox.account();
    expect(code(await post(account, start, body, headers))).toBe(expected);
    expect(await account.control("GET", "/account")).toMatchObject({ balance: wallet });
    expect(await account.inbox.list()).toEqual([]);
    expect(await account.events.list()).toEqual([]);
    // A stored verification would have a job for its expiry.
    expect(await account.clock.get()).toMatchObject({ next_due: null });
  });
});
