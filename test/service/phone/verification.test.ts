import { describe, expect, test } from "vitest";
import type { SandboxAccount } from "../../../src/index.js";
import { call, post, type Reply, useSandbox } from "../../support/sandbox.js";

const sandbox = useSandbox();
const phone = "+2348031234567";

const start = (account: SandboxAccount, body: object = { phone }): Promise<Reply> =>
  post(account, "/v1/phone/verify/start", body);
const check = (account: SandboxAccount, id: string, code: string): Promise<Reply> =>
  post(account, "/v1/phone/verify/check", { id, code });

/** Starts a verification and returns it with its code from the inbox. */
async function started(account: SandboxAccount, body?: object) {
  const { body: verification } = await start(account, body);
  const { codes } = await account.inbox.wait({ to: verification.phone });
  const code = codes[0] as string;
  return {
    id: verification.id as string,
    code,
    wrong: code === "111111" ? "222222" : "111111",
    verification,
  };
}

const balance = async (account: SandboxAccount) => (await call(account, "GET", "/v1/balance")).body.balance;

describe("starting a phone verification", () => {
  test("returns exactly the fields of the interface and sends the code by SMS", async () => {
    const account = sandbox.account();
    const reply = await start(account, { phone: "0803 123-4567", reference: "order-7" });
    expect(reply.status).toBe(201);
    expect(reply.headers.get("X-Sandbox-Outcome")).toBe("sent; by=default");
    expect(reply.body).toEqual({
      id: expect.stringMatching(/^phv_[a-z0-9]{20}$/),
      phone,
      status: "pending",
      expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      reference: "order-7",
      cost: 6,
      is_test: true,
    });
    const [message] = await account.inbox.list({ to: phone });
    expect(message).toMatchObject({ channel: "sms", to: phone });
    expect(message?.text).toContain(message?.codes[0]);
  });

  test("a reference that was not given is null, and a live key has is_test false", async () => {
    const { body } = await start(sandbox.account({ mode: "live" }));
    expect(body).toMatchObject({ reference: null, is_test: false });
  });

  test("the charge of NGN 6.00 is made when the message goes out", async () => {
    const account = sandbox.account();
    const before = await balance(account);
    await start(account);
    expect(await balance(account)).toBe(before - 6);
  });

  test("the dashboard's send costs NGN 8.00", async () => {
    const account = sandbox.account();
    const before = await balance(account);
    const verification = await account.control<{ id: string; cost: number }>("POST", "/phone/start", {
      phone,
    });
    expect(verification.cost).toBe(8);
    expect(await balance(account)).toBe(before - 8);
    const { codes } = await account.inbox.wait({ to: phone });
    expect((await check(account, verification.id, codes[0] as string)).body.verified).toBe(true);
  });

  test.each([
    ["08031234567", phone],
    ["+234 803 123 4567", phone],
    ["0201 234 5678", "+2342012345678"],
    ["+14155552671", "+14155552671"],
    ["+447700900123", "+447700900123"],
    ["+492345", "+492345"],
    ["+2348000000001", "+2348000000001"],
  ])("accepts %s as %s", async (written, normalised) => {
    expect((await start(sandbox.account(), { phone: written })).body.phone).toBe(normalised);
  });

  test.each([
    "8031234567",
    "2348031234567",
    "0803123456",
    "080312345678",
    "06031234567",
    "+234803123456",
    "+23480312345678",
    "+999123456789",
    "+4477009001",
    "+4477009001234",
    "+4407700900123",
    "0803123456a",
    "",
    "+",
    "00234803123456",
    "0803\u00a0123\u00a04567",
    "0803\t1234567",
    "08031234567\n",
  ])("refuses %j with invalid_phone, and costs nothing", async (written) => {
    const account = sandbox.account();
    const before = await balance(account);
    const { status, body } = await start(account, { phone: written });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: "invalid_phone", param: "phone" });
    expect(await balance(account)).toBe(before);
  });

  test("fills the template's code, site and minutes, and no other word in braces", async () => {
    const account = sandbox.account();
    await start(account, { phone, template: "{site}: {code}, {minutes} min, {code} {other}" });
    const [message] = await account.inbox.list();
    const code = message?.codes[0];
    expect(message?.text).toBe(`Standin: ${code}, 10 min, ${code} {other}`);
  });

  test("refuses a template without {code}", async () => {
    const { status, body } = await start(sandbox.account(), { phone, template: "no code here" });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: "invalid_template", param: "template" });
  });

  test("a message of more than 160 characters is sent whole, at the price of one send", async () => {
    const account = sandbox.account();
    const { status, body } = await start(account, { phone, template: `{code}${"ẹ".repeat(400)}` });
    expect([status, body.cost]).toEqual([201, 6]);
    const [message] = await account.inbox.list();
    expect(message?.text).toBe(`${message?.codes[0]}${"ẹ".repeat(400)}`);
  });
});

describe("checking a code", () => {
  test("the correct code before expiry verifies", async () => {
    const account = sandbox.account();
    const { id, code } = await started(account, { phone, reference: "r" });
    const reply = await check(account, id, code);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({ id, phone, status: "verified", verified: true, reference: "r" });
  });

  test("a wrong code is 200 with verified false, and the right one still verifies", async () => {
    const account = sandbox.account();
    const { id, code, wrong } = await started(account);
    expect((await check(account, id, wrong)).body).toMatchObject({ status: "pending", verified: false });
    expect((await check(account, id, code)).body.verified).toBe(true);
  });

  test("five wrong tries make the id unusable, for the right code too", async () => {
    const account = sandbox.account();
    const { id, code, wrong } = await started(account);
    for (let tries = 1; tries <= 4; tries++) {
      expect((await check(account, id, wrong)).body.status).toBe("pending");
    }
    expect((await check(account, id, wrong)).body.status).toBe("max_attempts_reached");
    expect((await check(account, id, code)).body).toMatchObject({
      status: "max_attempts_reached",
      verified: false,
    });
  });

  test("the fifth try may still be the right one", async () => {
    const account = sandbox.account();
    const { id, code, wrong } = await started(account);
    for (let tries = 1; tries <= 4; tries++) await check(account, id, wrong);
    expect((await check(account, id, code)).body.verified).toBe(true);
  });

  test("a code expires after ten minutes of the account's clock", async () => {
    const account = sandbox.account();
    await account.clock.freeze();
    const early = await started(account);
    await account.advance("9m59s");
    expect((await check(account, early.id, early.code)).body.verified).toBe(true);
    const late = await started(account);
    await account.advance("10m");
    expect((await check(account, late.id, late.code)).body).toMatchObject({
      status: "expired",
      verified: false,
    });
  });

  test("a code is used once: later checks are false, and the status stays verified", async () => {
    const account = sandbox.account();
    const { id, code, wrong } = await started(account);
    expect((await check(account, id, code)).body).toMatchObject({ status: "verified", verified: true });
    for (const later of [code, wrong])
      expect((await check(account, id, later)).body).toMatchObject({ status: "verified", verified: false });
  });

  test("the code 000000 is never right", async () => {
    const account = sandbox.account();
    const { id } = await started(account);
    expect((await check(account, id, "000000")).body.verified).toBe(false);
  });

  test("is free", async () => {
    const account = sandbox.account();
    const { id, code } = await started(account);
    const before = await balance(account);
    await check(account, id, code);
    expect(await balance(account)).toBe(before);
  });

  test("an id of another account is not found, and the error explains which id to use", async () => {
    const { id, code } = await started(sandbox.account());
    const { status, body } = await check(sandbox.account(), id, code);
    expect(status).toBe(404);
    expect(body.error).toMatchObject({ code: "resource_not_found", param: "id" });
    expect(body.error.message).toContain("/v1/phone/verify/start");
  });

  test.each(["12345", "1234567", "12345a", " 123456"])("refuses the code %j", async (code) => {
    const { status, body } = await check(sandbox.account(), "phv_0", code);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: "validation_error", param: "code" });
    expect(body.error.message).toContain("six digits");
  });
});
