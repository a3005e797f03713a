import { beforeEach, describe, expect, test } from "vitest";
import type { SandboxAccount } from "../../../src/index.js";
import { shareOf } from "../../support/repetitions.js";
import { type Reply, useSandbox } from "../../support/sandbox.js";
import { type Line, mainLine, newLine, outcome, person, refusal, somebody } from "./line.js";

const sandbox = useSandbox();

let account: SandboxAccount;
let line: Line;
beforeEach(async () => {
  account = sandbox.account();
  await account.clock.freeze();
  line = await mainLine(account);
});

async function accepted(count: number, body: object = {}): Promise<void> {
  for (let i = 0; i < count; i++) expect((await line.sendCode(body)).status).toBe(201);
}

function refused(reply: Reply, code: string): number {
  expect(refusal(reply)).toBe(`429 ${code}`);
  const seconds = reply.headers.get("Retry-After") as string;
  expect(seconds).toMatch(/^[1-9]\d*$/);
  expect(reply.body.error.message).toContain(`${seconds} s`);
  return Number(seconds);
}

/** Expects the refused code to be accepted when Retry-After has passed, and not a moment earlier. */
async function acceptedAfter(seconds: number, body: object = {}): Promise<void> {
  await account.advance(`${seconds - 1}s`);
  await account.advance("999ms");
  expect((await line.sendCode(body)).status).toBe(429);
  await account.advance("1ms");
  await accepted(1, body);
}

describe("to one person", () => {
  test("the fourth code within the hour is refused with Retry-After, and accepted again when the account's clock has passed it", async () => {
    await accepted(1);
    await account.advance("20m");
    await accepted(2);
    const seconds = refused(await line.sendCode(), "otp_hourly_limit");
    expect(seconds).toBe(40 * 60);
    await acceptedAfter(seconds);
    // The next code must wait for the two codes sent at minute 20.
    expect(refused(await line.sendCode(), "otp_hourly_limit")).toBe(20 * 60);
  });

  test("the ninth code within the day is refused with Retry-After, and accepted again when the account's clock has passed it", async () => {
    for (const count of [3, 3, 2]) {
      await accepted(count);
      await account.advance("1h");
    }
    const seconds = refused(await line.sendCode(), "otp_daily_limit");
    expect(seconds).toBe(21 * 3600);
    await acceptedAfter(seconds);
  });

  test("when both limits are reached, the longer one is named", async () => {
    for (const count of [2, 3, 3]) {
      await account.advance("1h");
      await accepted(count);
    }
    const seconds = refused(await line.sendCode(), "otp_daily_limit");
    expect(seconds).toBe(22 * 3600);
    await acceptedAfter(seconds);
  });

  test("Retry-After is rounded up to whole seconds", async () => {
    await accepted(3);
    await account.advance("59m59s");
    await account.advance("1ms");
    expect(refused(await line.sendCode(), "otp_hourly_limit")).toBe(1);
    await account.advance("999ms");
    await accepted(1);
  });

  test("the limits count across all channels of the account, and separately for each person", async () => {
    const other = await newLine(account);
    await other.connect();
    await other.move(other.id, "scan");
    await accepted(2);
    expect((await other.sendCode()).status).toBe(201);
    refused(await other.sendCode(), "otp_hourly_limit");
    refused(await line.sendCode(), "otp_hourly_limit");
    await accepted(3, { to: somebody(1) });
  });

  test("a refused code does not count, whatever refused it", async () => {
    await accepted(2);
    for (const name of ["internal_error", "rate_limited"]) await line.sendCode({}, outcome(name));
    await line.sendCode({ length: 3 });
    await account.update({ plan: "starter" });
    await line.sendCode();
    await account.update({ plan: "business" });
    await accepted(1);
    for (let i = 0; i < 5; i++) {
      await account.advance("10m");
      refused(await line.sendCode(), "otp_hourly_limit");
    }
    await account.advance("10m");
    await accepted(3);
  });

  test("a code that never arrives counts, and so does one that was used", async () => {
    expect((await line.sendCode({}, outcome("not_on_app"))).status).toBe(201);
    await line.check((await line.code()).code);
    await accepted(1);
    refused(await line.sendCode(), "otp_hourly_limit");
  });

  test("a refused code does not replace the pending one, which still verifies", async () => {
    await accepted(2);
    const { code } = await line.code();
    refused(await line.sendCode(), "otp_hourly_limit");
    expect(await line.check(code)).toMatchObject({ valid: true });
  });

  test("the channel is checked before the limits, and the limits before an error outcome", async () => {
    await accepted(3);
    refused(await line.sendCode({}, outcome("internal_error")), "otp_hourly_limit");
    await line.move(line.id, "disconnect");
    expect(refusal(await line.sendCode())).toBe("409 channel_not_connected");
  });

  test("live keys have the same limits", async () => {
    account = sandbox.account({ mode: "live" });
    line = await mainLine(account);
    await accepted(3);
    refused(await line.sendCode(), "otp_hourly_limit");
  });
});

/** Sends `count` codes, each to a different person. */
async function sendToMany(count: number, from = 0): Promise<void> {
  for (let i = from; i < from + count; i += 25) {
    const batch = Array.from({ length: Math.min(25, from + count - i) }, (_, j) => somebody(i + j));
    for (const { status } of await Promise.all(batch.map((to) => line.sendCode({ to }))))
      expect(status).toBe(201);
  }
}

describe("the plan's daily cap", () => {
  const caps = [
    ["growth", 250],
    ["business", 1_000],
  ] as const;

  test.each(caps)("on the plan %s is %i codes", async (plan, cap) => {
    await account.update({ plan });
    await sendToMany(cap);
    const reply = await line.sendCode();
    expect(refused(reply, "plan_daily_cap")).toBe(24 * 3600);
    expect(reply.body.error.message).toContain(plan);
  });

  test.each(shareOf(caps, 2, 0))(
    "on the plan %s counts the codes of the last 24 hours",
    async (plan, cap) => {
      await account.update({ plan });
      await sendToMany(1);
      await account.advance("2h");
      await sendToMany(cap - 1, 1);
      const seconds = refused(await line.sendCode(), "plan_daily_cap");
      expect(seconds).toBe(22 * 3600);
      await acceptedAfter(seconds);
      expect(refused(await line.sendCode({ to: somebody(5) }), "plan_daily_cap")).toBe(2 * 3600);
      await account.advance("2h");
      await sendToMany(cap - 1, 1);
      refused(await line.sendCode({ to: somebody(0) }), "plan_daily_cap");
    },
  );

  test("counts what was sent on another plan", async () => {
    await sendToMany(250);
    await account.update({ plan: "growth" });
    refused(await line.sendCode(), "plan_daily_cap");
    await account.update({ plan: "business" });
    await accepted(1);
    await account.update({ plan: "growth" });
    refused(await line.sendCode(), "plan_daily_cap");
    await account.advance("24h");
    await accepted(3);
  });
});

test("the stored counters do not grow over time", async () => {
  for (let days = 0; days < 12; days++) {
    for (let hours = 0; hours < 3; hours++) {
      await accepted(hours === 0 ? 2 : 3);
      await account.advance("1h");
    }
    await account.advance("21h");
  }
  const { state } = await account.snapshot();
  const { at } = Object.values(state.code_sends ?? {})[0] as { at: number[] };
  expect(at).toHaveLength(8);
  expect(Object.keys(state.code_sends ?? {})).toEqual([`to_${person}`]);
});

test("limits are kept by a snapshot and cleared by a reset", async () => {
  await accepted(3);
  const copy = sandbox.account();
  await copy.restore(await account.snapshot());
  const there = await mainLine(copy);
  expect(refusal(await there.sendCode())).toBe("429 otp_hourly_limit");
  await account.reset();
  await accepted(3);
});
