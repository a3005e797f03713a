import { beforeEach, describe, expect, test } from "vitest";
import type { SandboxAccount } from "../../../src/index.js";
import { useSandbox } from "../../support/sandbox.js";
import { forged } from "../../support/snapshots.js";
import { type Line, mainLine, newLine, outcome, person, refusal, somebody } from "./line.js";

const sandbox = useSandbox();

let account: SandboxAccount;
let line: Line;
beforeEach(async () => {
  account = sandbox.account();
  await account.clock.freeze();
  line = await mainLine(account);
});

const stateOf = async (id: string): Promise<string> => (await account.records.get(id)).state;
const right = { valid: true, reason: null, reference: null };
const wrong = (reason: string) => ({ valid: false, reason, reference: null });

describe("sending a code", () => {
  test("returns the documented fields and reaches a person who never wrote", async () => {
    const { now } = await account.clock.get();
    const { status, body } = await line.sendCode({ brand: "Ada Stores", reference: "login-7" });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^otp_[a-z0-9]{20}$/),
      kind: "otp",
      to: person,
      status: "pending",
      expires_at: new Date(Date.parse(now) + 10 * 60_000).toISOString(),
    });
    const { channel, from, text, codes } = await line.last();
    expect([channel, from]).toEqual(["chat", line.id]);
    expect(codes).toEqual([expect.stringMatching(/^\d{6}$/)]);
    expect(text).toBe(`${codes[0]} is your Ada Stores code. It expires in 10 minutes.`);
  });

  test("omits the brand if none is given, and uses the singular for one minute", async () => {
    const { code } = await line.code({ ttl_minutes: 1 });
    expect((await line.last()).text).toBe(`${code} is your code. It expires in 1 minute.`);
  });

  test.each([4, 5, 6, 7, 8])("of length %i has that many digits", async (length) => {
    expect((await line.code({ length })).code).toMatch(new RegExp(`^\\d{${length}}$`));
  });

  test.each<[object, string]>([
    [{ length: 3 }, "length"],
    [{ length: 9 }, "length"],
    [{ length: 4.5 }, "length"],
    [{ length: "6" }, "length"],
    [{ ttl_minutes: 0 }, "ttl_minutes"],
    [{ ttl_minutes: 31 }, "ttl_minutes"],
    [{ ttl_minutes: 1.5 }, "ttl_minutes"],
    [{ brand: "" }, "brand"],
    [{ brand: "x".repeat(101) }, "brand"],
    [{ reference: 7 }, "reference"],
    [{ to: "08031234567" }, "to"],
    [{ to: "2348" }, "to"],
  ])("with %j is refused", async (body, param) => {
    const reply = await line.sendCode(body);
    expect(reply.status).toBe(400);
    expect(reply.body.error.param).toBe(param);
    expect(await account.inbox.list()).toEqual([]);
  });

  test("needs the Growth plan or above, and checking one needs no plan", async () => {
    const { code } = await line.code();
    await account.update({ plan: "starter" });
    const reply = await line.sendCode();
    expect(refusal(reply)).toBe("403 plan_required");
    expect(reply.body.error.required_plan).toBe("growth");
    expect(await line.check(code)).toEqual(right);
    for (const plan of ["growth", "business"] as const) {
      await account.update({ plan });
      expect((await line.sendCode()).status).toBe(201);
    }
  });

  test("to a number that is not on the app is accepted, and the code never arrives", async () => {
    const to = "2348000000008";
    const reply = await line.sendCode({ to });
    expect(reply.status).toBe(201);
    expect(reply.headers.get("X-Sandbox-Outcome")).toBe("not_on_app; by=test-value");
    expect((await line.sendCode({}, outcome("not_on_app"))).status).toBe(201);
    expect(await account.inbox.list()).toEqual([]);
    expect(await line.check("123456", to)).toEqual(wrong("wrong_code"));
  });

  test("the codes of one account are not those of another", async () => {
    const other = await mainLine(sandbox.account());
    expect((await line.code()).code).not.toBe((await other.code()).code);
  });
});

describe("the states of a code", () => {
  test("starts pending, and can be used once", async () => {
    const { id, code } = await line.code({ reference: "login-7" });
    expect(await stateOf(id)).toBe("pending");
    expect(await line.check(code)).toEqual({ ...right, reference: "login-7" });
    expect(await stateOf(id)).toBe("verified");
    expect(await line.check(code)).toEqual(wrong("no_pending_code"));
  });

  test("a wrong code is not valid and returns the reference, and the right code still works", async () => {
    const { code, wrong: other } = await line.code({ reference: "login-7" });
    expect(await line.check(other)).toEqual({ ...wrong("wrong_code"), reference: "login-7" });
    expect(await line.check(code)).toEqual({ ...right, reference: "login-7" });
  });

  test("the fifth try may still be the right one", async () => {
    const { code, wrong: other } = await line.code();
    for (let tries = 1; tries <= 4; tries++) expect(await line.check(other)).toEqual(wrong("wrong_code"));
    expect(await line.check(code)).toEqual(right);
  });

  test("locks after 5 wrong tries, for the right code too", async () => {
    const { id, code, wrong: other } = await line.code();
    for (let tries = 1; tries <= 5; tries++) {
      expect(await stateOf(id)).toBe("pending");
      expect(await line.check(other)).toEqual(wrong("wrong_code"));
    }
    expect(await stateOf(id)).toBe("locked");
    expect(await line.check(other)).toEqual(wrong("too_many_attempts"));
    expect(await line.check(code)).toEqual(wrong("too_many_attempts"));
    await account.advance("1h");
    expect(await line.check(code)).toEqual(wrong("too_many_attempts"));
  });

  test.each([
    [1, { ttl_minutes: 1 }],
    [10, {}],
    [30, { ttl_minutes: 30 }],
  ])("expires after ttl_minutes: %i", async (minutes, body) => {
    const early = await line.code(body);
    await account.advance(`${minutes - 1}m59s`);
    await account.advance("999ms");
    expect(await line.check(early.code)).toEqual(right);
    const late = await line.code(body);
    await account.advance(`${minutes}m`);
    expect(await stateOf(late.id)).toBe("expired");
    expect(await line.check(late.code)).toEqual(wrong("expired"));
    expect(await line.check(late.wrong)).toEqual(wrong("expired"));
  });

  test("expires once the clock is past the end, before any job has run", async () => {
    const { id, code } = await line.code();
    const later = forged(await account.snapshot(), (document) => {
      document.clock.now = new Date(Date.parse(document.clock.now) + 10 * 60_000).toISOString();
    });
    await account.restore(later);
    expect(await stateOf(id)).toBe("pending");
    expect(await line.check(code)).toEqual(wrong("expired"));
    expect(await stateOf(id)).toBe("expired");
  });

  test("a new code replaces the pending one, which no longer exists and does not count as a try", async () => {
    const first = await line.code();
    const second = await line.code();
    const third = await line.code();
    expect(await stateOf(first.id)).toBe("replaced");
    for (let i = 0; i < 5; i++) {
      expect(await line.check(first.code)).toEqual(wrong("no_pending_code"));
      expect(await line.check(second.code)).toEqual(wrong("no_pending_code"));
    }
    expect(await line.check(third.code)).toEqual(right);
  });

  test("a new code after a locked one can be used", async () => {
    const { wrong: other } = await line.code();
    for (let tries = 1; tries <= 5; tries++) await line.check(other);
    const { code } = await line.code();
    expect(await line.check(code)).toEqual(right);
  });

  test("a code that was never sent, or to another number, or on another channel, is not pending", async () => {
    expect(await line.check("123456")).toEqual(wrong("no_pending_code"));
    const { code } = await line.code();
    expect(await line.check(code, somebody(1))).toEqual(wrong("no_pending_code"));
    const other = await newLine(account);
    expect(await other.check(code)).toEqual(wrong("no_pending_code"));
    expect(await line.check(code)).toEqual(right);
  });

  test("codes of two people are independent", async () => {
    const [one, other] = [await line.code(), await line.code({ to: somebody(1) })];
    expect(await line.check(other.code, somebody(1))).toEqual(right);
    expect(await line.check(one.code)).toEqual(right);
  });

  test("moves by hand: expire and lock end a code, which then has no moves", async () => {
    const expired = await line.code();
    await line.move(expired.id, "expire");
    expect(await line.check(expired.code)).toEqual(wrong("expired"));
    const locked = await line.code({ to: somebody(1) });
    await line.move(locked.id, "lock");
    expect(await line.check(locked.code, somebody(1))).toEqual(wrong("too_many_attempts"));
    await expect(line.move(locked.id, "verify")).rejects.toMatchObject({ code: "invalid_state" });
  });

  test("a code may still be checked when the channel is disconnected", async () => {
    const { code } = await line.code();
    await line.move(line.id, "disconnect");
    expect(await line.check(code)).toEqual(right);
  });

  test.each(["000000", "0", " ", "12345678901234567890", "ǃ"])(
    "%j is a wrong code like any other",
    async (typed) => {
      const { code } = await line.code();
      expect(await line.check(typed)).toEqual(wrong("wrong_code"));
      expect(await line.check(` ${code}`)).toEqual(wrong("wrong_code"));
      expect(await line.check(code)).toEqual(right);
    },
  );
});
