import { describe, expect, onTestFinished, test } from "vitest";
import type { SandboxAccount } from "../../src/index.js";
import { startReceiver } from "../support/receiver.js";
import { post, useListeningSandbox } from "../support/sandbox.js";
import { forged } from "../support/snapshots.js";
import { until } from "../support/until.js";

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

/** Restores a snapshot that was taken while an endpoint was down and its delivery was pending. */
async function pausedWithDelivery(url: string): Promise<SandboxAccount> {
  const origin = await frozen();
  await post(origin, "/v1/webhooks", { url: "http://127.0.0.1:9/" });
  const { endpoints, ...state } = (await origin.snapshot()).state;
  const [id = ""] = Object.keys(endpoints ?? {});
  const delivery = {
    id: "dlv_1",
    state: "pending",
    created_at: frozenAt,
    history: [],
    event_id: "evt_1",
    event: "payout.paid",
    endpoint_id: id,
    url,
    next_attempt_at: frozenAt,
    by_hand: false,
    attempts: [],
  };
  const event = { id: "evt_1", event: "payout.paid", created_at: frozenAt, data: {}, body: "{}" };
  const job = { due: Date.parse(frozenAt), kind: "deliver", id: "dlv_1", order: 0 };
  const account = sandbox.account();
  await account.restore(
    forged(await origin.snapshot(), (document) => {
      document.state = {
        ...state,
        endpoints: { [id]: { ...endpoints?.[id], url } },
        delivery: { dlv_1: delivery },
        events: { evt_1: event },
        jobs: { "deliver:dlv_1": job },
      };
    }),
  );
  return account;
}

describe("an advance", () => {
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

  test("runs what is due at the target and nothing after it", async () => {
    const account = await frozen();
    await start(account);
    expect((await account.advance("9m59s999ms")).ran).toEqual([]);
    expect((await account.advance("1ms")).ran).toHaveLength(1);
  });

  test("to next goes to the next due time, and returns ran: [] if nothing is due", async () => {
    const account = await frozen();
    await start(account);
    expect(await account.clock.advanceTo("next")).toMatchObject({ now: "2030-06-01T12:10:00.000Z" });
    expect(await account.clock.advanceTo("next")).toEqual({ now: "2030-06-01T12:10:00.000Z", ran: [] });
  });

  test("to next waits for the attempt on its way, whose retry is the next job", async () => {
    const account = await frozen();
    let answer = () => {};
    const receiver = await startReceiver((count, response) => {
      if (count > 1) response.end();
      else answer = () => response.writeHead(500).end();
    });
    onTestFinished(() => receiver.close());
    await post(account, "/v1/webhooks", { url: receiver.url });
    await start(account);
    await account.events.trigger("payout.paid");
    await receiver.got(1);
    const advanced = account.clock.advanceTo("next");
    const isBusy = () =>
      account.clock.freeze().then(
        () => false,
        () => true,
      );
    await until("the advance has begun", isBusy);
    answer();
    expect(await advanced).toMatchObject({ now: "2030-06-01T12:00:01.000Z", ran: [{ attempt: 2 }] });
  });

  test("to a time goes there, but never back", async () => {
    const account = await frozen();
    expect((await account.clock.advanceTo("2030-06-02T00:00:00Z")).now).toBe("2030-06-02T00:00:00.000Z");
    await expect(account.clock.advanceTo(frozenAt)).rejects.toMatchObject({
      code: "validation_error",
      status: 400,
    });
  });

  test("by 0s runs what is due at this instant on a paused clock", async () => {
    const account = await pausedWithDelivery("http://127.0.0.1:9/");
    expect((await account.advance("0s")).ran).toMatchObject([{ at: frozenAt, kind: "delivery", attempt: 1 }]);
    expect((await account.clock.get()).mode).toBe("frozen");
  });

  test("keeps a running clock running, ahead of real time", async () => {
    const account = sandbox.account();
    const before = Date.now();
    await account.advance("24h");
    const { now, mode } = await account.clock.get();
    expect(mode).toBe("running");
    expect(Date.parse(now) - before).toBeGreaterThanOrEqual(24 * 3_600_000);
  });

  test("of one account does not expire the codes of another", async () => {
    const [one, other] = [sandbox.account(), sandbox.account()];
    const [ofOne, ofOther] = [await start(one), await start(other)];
    await one.advance("1h");
    expect((await one.records.get(ofOne.id)).state).toBe("expired");
    expect((await other.records.get(ofOther.id)).state).toBe("pending");
  });

  test("is refused with 409 clock_busy during another", async () => {
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
  ])("refuses %j and says what is valid", async (body) => {
    const account = sandbox.account();
    await expect(account.control("POST", "/clock/advance", body)).rejects.toMatchObject({
      status: 400,
      code: "validation_error",
    });
  });
});

describe("freeze and resume", () => {
  test("a frozen clock does not move, and resume continues from its time", async () => {
    const account = await frozen();
    expect(await account.clock.get()).toMatchObject({ now: frozenAt, mode: "frozen" });
    const { now, mode } = await account.clock.resume();
    expect(mode).toBe("running");
    expect(Date.parse(now) - Date.parse(frozenAt)).toBeLessThan(1_000);
  });

  test("an unused account can be frozen in the past, a used one cannot go back", async () => {
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

const receiverOf = async () => {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  return receiver;
};

describe("a job due at the exact time of the clock", () => {
  test("runs at once on a frozen clock, and later ones do not", async () => {
    const account = await frozen();
    const receiver = await receiverOf();
    await post(account, "/v1/webhooks", { url: receiver.url });
    await start(account);
    await account.events.trigger("payout.paid");
    await receiver.got(1);
    await until(
      "the answer is recorded",
      async () => (await account.deliveries.list())[0]?.attempts.length === 1,
    );
    expect(await account.deliveries.list()).toMatchObject([
      { status: "succeeded", attempts: [{ at: frozenAt }] },
    ]);
    expect(await account.clock.get()).toMatchObject({ now: frozenAt, next_due: "2030-06-01T12:10:00.000Z" });
  });

  test.each<[string, (account: SandboxAccount) => Promise<unknown>, string]>([
    ["a request to the service", start, "frozen"],
    ["freezing it", (account) => account.clock.freeze(), "frozen"],
    ["resuming it", (account) => account.clock.resume(), "running"],
  ])("runs on a paused clock after %s, and not after control calls", async (_name, use, mode) => {
    const receiver = await receiverOf();
    const account = await pausedWithDelivery(receiver.url);
    for (let i = 0; i < 20; i++) await account.deliveries.list();
    expect(receiver.received).toEqual([]);
    expect((await account.clock.get()).mode).toBe("paused");
    await use(account);
    await receiver.got(1);
    expect((await account.clock.get()).mode).toBe(mode);
  });
});

test("the clock tells what the next job does", async () => {
  const account = await frozen();
  expect(await account.clock.get()).toMatchObject({ next_job: null });
  await start(account);
  expect(await account.clock.get()).toMatchObject({ next_job: "The code for +2348031234567 expires." });
  await account.reset();
  await account.scenario.load({
    name: "later",
    given: { clock: frozenAt },
    timeline: [{ after: "1m", do: "start_phone_verification" }],
  });
  expect(await account.clock.get()).toMatchObject({
    next_job: 'Send a one-time code by SMS, as "later" has it.',
  });
  const receiver = await startReceiver((_count, response) => response.writeHead(500).end());
  onTestFinished(() => receiver.close());
  await post(account, "/v1/webhooks", { url: receiver.url });
  await account.events.trigger("payout.paid");
  await account.advance("0s");
  const { host } = new URL(receiver.url);
  expect(await account.clock.get()).toMatchObject({
    next_job: `payout.paid is sent to ${host}, attempt 2.`,
  });
});

test("an account has the name that it was given, or that of its scenario", async () => {
  const account = await frozen();
  await start(account);
  const { id } = await account.control<{ id: string }>("GET", "/account");
  const nameOf = async () => {
    const { items } = await account.control<{ items: { id: string; name: string | null }[] }>(
      "GET",
      "/accounts",
    );
    return items.find((one) => one.id === id)?.name;
  };
  expect(await nameOf()).toBeNull();
  await account.scenario.load("payout-paid");
  expect(await nameOf()).toBe("Payout paid");
  await account.update({ name: "Shop" });
  expect(await nameOf()).toBe("Shop");
  const copy = sandbox.account();
  await copy.restore(await account.snapshot());
  expect(await copy.control("GET", "/account")).toMatchObject({ name: "Shop" });
  await expect(account.update({ name: "" })).rejects.toThrow(/name/);
  await expect(account.update({ name: "x".repeat(61) })).rejects.toThrow(/name/);
  await account.update({ name: null });
  expect(await nameOf()).toBe("Payout paid");
});

test("after a reset the account is like new, and the same requests get the same ids again", async () => {
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
