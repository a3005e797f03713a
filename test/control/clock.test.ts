import { describe, expect, test } from "vitest";
import type { SandboxAccount } from "../../src/index.js";
import { post, useListeningSandbox } from "../support/sandbox.js";

const sandbox = useListeningSandbox();
const phone = "+2348031234567";
const start = async (account: SandboxAccount) =>
  (await post(account, "/v1/phone/verify/start", { phone })).body;
const frozenAt = "2030-06-01T12:00:00.000Z";

async function frozen(): Promise<SandboxAccount> {
  const account = sandbox.account();
  await account.clock.freeze(frozenAt);
  return account;
}

describe("advance", () => {
  test("runs each job at its own due time, in order", async () => {
    const account = await frozen();
    const first = await start(account);
    await account.advance("4m");
    const second = await start(account);
    const { now, ran } = await account.advance("1h");
    expect(now).toBe("2030-06-01T13:04:00.000Z");
    expect(ran.map(({ at, id, move }) => [at, id, move])).toEqual([
      ["2030-06-01T12:10:00.000Z", first.id, "expire"],
      ["2030-06-01T12:14:00.000Z", second.id, "expire"],
    ]);
    expect((await account.records.get(first.id)).history.at(-1)).toMatchObject({
      at: "2030-06-01T12:10:00.000Z",
      move: "expire",
      by: "clock",
    });
  });

  test("runs what is due at the very target and nothing after it", async () => {
    const account = await frozen();
    await start(account);
    expect((await account.advance("9m59s999ms")).ran).toEqual([]);
    expect((await account.advance("1ms")).ran).toHaveLength(1);
  });

  test("to next goes to the next due time, and answers ran: [] when nothing is due", async () => {
    const account = await frozen();
    await start(account);
    expect(await account.clock.advanceTo("next")).toMatchObject({ now: "2030-06-01T12:10:00.000Z" });
    expect(await account.clock.advanceTo("next")).toEqual({ now: "2030-06-01T12:10:00.000Z", ran: [] });
  });

  test("to a time goes there, and never back", async () => {
    const account = await frozen();
    expect((await account.clock.advanceTo("2030-06-02T00:00:00Z")).now).toBe("2030-06-02T00:00:00.000Z");
    await expect(account.clock.advanceTo(frozenAt)).rejects.toMatchObject({
      code: "validation_error",
      status: 400,
    });
  });

  test("by 0s runs what is due at this instant on a frozen clock", async () => {
    const account = await frozen();
    await post(account, "/v1/webhooks", { url: "http://127.0.0.1:9/" });
    await account.events.trigger("payout.paid");
    expect((await account.deliveries.list())[0]?.attempts).toEqual([]);
    expect((await account.advance("0s")).ran).toMatchObject([{ at: frozenAt, kind: "delivery", attempt: 1 }]);
  });

  test("keeps the mode: a running clock goes on running, ahead of real time", async () => {
    const account = sandbox.account();
    const before = Date.now();
    await account.advance("24h");
    const { now, mode } = await account.clock.get();
    expect(mode).toBe("running");
    expect(Date.parse(now) - before).toBeGreaterThanOrEqual(24 * 3_600_000);
  });

  test("of one account leaves another's codes alive", async () => {
    const [one, other] = [sandbox.account(), sandbox.account()];
    const [ofOne, ofOther] = [await start(one), await start(other)];
    await one.advance("1h");
    expect((await one.records.get(ofOne.id)).state).toBe("expired");
    expect((await other.records.get(ofOther.id)).state).toBe("pending");
  });

  test("a second advance during one is 409 clock_busy", async () => {
    const account = sandbox.account();
    const { createServer } = await import("node:http");
    let answer = () => {};
    const arrived = new Promise<void>((resolve) => {
      const server = createServer((_request, response) => {
        answer = () => {
          response.end();
          server.close();
        };
        resolve();
      }).listen(0, "127.0.0.1", async () => {
        const { port } = server.address() as { port: number };
        await account.clock.freeze();
        await post(account, "/v1/webhooks", { url: `http://127.0.0.1:${port}/` });
        await account.events.trigger("payout.paid");
        first = account.advance("1m");
      });
    });
    let first: Promise<unknown> = Promise.resolve();
    await arrived;
    await expect(account.advance("1m")).rejects.toMatchObject({ status: 409, code: "clock_busy" });
    await expect(account.reset()).rejects.toMatchObject({ code: "clock_busy" });
    answer();
    await first;
    expect((await account.advance("1m")).ran).toEqual([]);
  });

  test.each([
    [{}],
    [{ by: "1h", to: "next" }],
    [{ by: "soon" }],
    [{ by: "-1h" }],
    [{ by: "999999999d" }],
    [{ to: "tomorrow" }],
  ])("refuses %j and says what would be right", async (body) => {
    const account = sandbox.account();
    await expect(account.control("POST", "/clock/advance", body)).rejects.toMatchObject({
      status: 400,
      code: "validation_error",
    });
  });
});

describe("freeze and resume", () => {
  test("a frozen clock stands; resume goes on from that instant", async () => {
    const account = await frozen();
    expect(await account.clock.get()).toMatchObject({ now: frozenAt, mode: "frozen" });
    const { now, mode } = await account.clock.resume();
    expect(mode).toBe("running");
    expect(Date.parse(now) - Date.parse(frozenAt)).toBeLessThan(1_000);
  });

  test("an untouched account may be frozen in the past, a used one may not go back", async () => {
    const account = sandbox.account();
    await account.clock.freeze("2001-01-01T00:00:00Z");
    expect((await start(account)).expires_at).toBe("2001-01-01T00:10:00.000Z");
    await expect(account.clock.freeze("2000-01-01T00:00:00Z")).rejects.toMatchObject({
      code: "validation_error",
    });
  });

  test("freezing in the future runs what falls due until then", async () => {
    const account = await frozen();
    const { id } = await start(account);
    await account.clock.freeze("2030-06-01T12:30:00Z");
    expect((await account.records.get(id)).state).toBe("expired");
  });
});

test("reset gives back a world that was never used, and the same requests get the same ids again", async () => {
  const account = await frozen();
  const first = await start(account);
  await account.rules.add({ on: "startPhoneVerification", outcome: "internal_error" });
  await account.reset();
  expect(await account.clock.get()).toMatchObject({ mode: "running", next_due: null });
  expect(await account.rules.list()).toEqual([]);
  expect(await account.inbox.list()).toEqual([]);
  await account.clock.freeze(frozenAt);
  expect(await start(account)).toEqual(first);
});
