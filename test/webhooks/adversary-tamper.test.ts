/** Forgeries that a rule sends before the genuine delivery, as seen by a receiver that checks signatures. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import type { Adversity } from "../../src/index.js";
import { tamperings } from "../../src/world/webhooks/delivery.js";
import { frozenAt, isGenuine, openReceiver, register, trigger } from "../support/adversary.js";
import type { Received } from "../support/receiver.js";
import { useListeningSandbox } from "../support/sandbox.js";
import { until } from "../support/until.js";

const sandbox = useListeningSandbox();
afterEach(() => expect(sandbox.warnings).toEqual([]));

describe("tamper", () => {
  /** Starts a receiver that checks signatures. */
  async function checking(tamper: NonNullable<Adversity["tamper"]>, extra: Adversity = {}) {
    const account = sandbox.account();
    await account.clock.freeze(frozenAt);
    let secret = "";
    const hook = await openReceiver((_count, response, received) =>
      response.writeHead(isGenuine(received, secret) ? 200 : 401).end(),
    );
    ({ secret } = await register(account, hook.url));
    await account.rules.add({ on: "payout.paid", webhook: { tamper, ...extra } });
    await trigger(account, 1);
    await account.advance("1h");
    return { account, hook, secret };
  }

  test.each(tamperings)(
    "%s: the receiver gets a forged delivery first and the genuine one with the first retry",
    async (how) => {
      const { account, hook, secret } = await checking(how);
      expect(hook.received).toHaveLength(2);
      const [forged, genuine] = hook.received as [Received, Received];
      expect([isGenuine(forged, secret), isGenuine(genuine, secret)]).toEqual([false, true]);
      const [delivery] = await account.deliveries.list();
      expect(delivery?.attempts.map(({ status }) => status)).toEqual([401, 200]);
    },
  );

  test.each([{ tamper: "body" }, { cut_off: true }] satisfies Adversity[])(
    "the delays of the service begin after an attempt that is spoilt: %j",
    async (adversity) => {
      const account = sandbox.account();
      await account.clock.freeze(frozenAt);
      const hook = await openReceiver((_count, response) => response.writeHead(500).end());
      await register(account, hook.url);
      await account.rules.add({ on: "payout.paid", webhook: adversity });
      await trigger(account, 1);
      await account.advance("2m");
      const [delivery] = await account.deliveries.list();
      const times = delivery?.attempts.map(({ at }) => Date.parse(at)) ?? [];
      const delays = times.slice(1).map((time, index) => time - (times[index] ?? 0));
      expect(delays).toEqual([1_000, 1_000, 5_000, 30_000]);
    },
  );

  test("values of a payload are replaced and added before it is signed, in every attempt", async () => {
    const account = sandbox.account();
    let secret = "";
    const hook = await openReceiver((count, response, received) =>
      response.writeHead(count > 1 && isGenuine(received, secret) ? 200 : 500).end(),
    );
    ({ secret } = await register(account, hook.url));
    await account.rules.add({
      on: "payout.paid",
      webhook: { set: { "data.status": "odd", "data.later": { version: 2 } } },
    });
    await trigger(account, 1);
    await account.advance("1h");
    expect(hook.received).toHaveLength(2);
    for (const received of hook.received) {
      expect(isGenuine(received, secret)).toBe(true);
      expect(JSON.parse(String(received.body)).data).toMatchObject({ status: "odd", later: { version: 2 } });
      // Written as every payload is (assumption webhooks.bytes), so that a receiver that serialises it again is found.
      expect(String(received.body)).toContain('"later": { "version": 2 }');
    }
  });

  test("changes one thing only: a signature stays hex, and a body stays JSON", async () => {
    const { hook, secret } = await checking("signature");
    const [forged, genuine] = hook.received as [Received, Received];
    expect(forged.headers["x-service-signature"]).toMatch(/^[0-9a-f]{64}$/);
    expect(forged.body).toEqual(genuine.body);

    const body = (await checking("body")).hook.received as [Received, Received];
    expect(JSON.parse(String(body[0].body))).not.toEqual(JSON.parse(String(body[1].body)));
    expect(body[0].body.length).toBe(body[1].body.length);
    expect(body[0].headers["x-service-signature"]).toBe(body[1].headers["x-service-signature"]);

    const unsigned = (await checking("unsigned")).hook.received as [Received, Received];
    expect(unsigned[0].headers).not.toHaveProperty("x-service-signature");
    expect(unsigned[0].body).toEqual(unsigned[1].body);
    expect(secret).toMatch(/^whsec_/);
  });

  test.each(["signature", "body", "unsigned"] as const)(
    "%s: the delivery log shows what was actually sent",
    async (how) => {
      const { account, hook } = await checking(how);
      const [delivery] = await account.deliveries.list();
      const logged = delivery?.attempts.map(({ request_body, request_headers }) => [
        request_body,
        request_headers["X-Service-Signature"],
      ]);
      expect(logged).toEqual(
        hook.received.map(({ body, headers }) => [String(body), headers["x-service-signature"]]),
      );
    },
  );

  test("can be combined with delays and duplicates", async () => {
    const { account, hook, secret } = await checking("signature", { duplicate: 1, delay: "10s" });
    expect(hook.received.map((received) => isGenuine(received, secret))).toEqual([false, false, true, true]);
    const [delivery] = await account.deliveries.list();
    expect(delivery?.attempts.map(({ at }) => at.slice(17, 19))).toEqual(["10", "11"]);
  });
});

describe("lose_answer", () => {
  test("the receiver gets the delivery again with the retry, and the log has no answer to the first attempt", async () => {
    const account = sandbox.account();
    await account.clock.freeze(frozenAt);
    const hook = await openReceiver();
    const { secret } = await register(account, hook.url);
    await account.rules.add({ on: "payout.paid", webhook: { lose_answer: true }, times: 1 });
    await trigger(account, 1);
    await account.advance("1h");
    expect(hook.received.map((received) => isGenuine(received, secret))).toEqual([true, true]);
    expect(hook.received[1]?.body).toEqual(hook.received[0]?.body);
    const [delivery] = await account.deliveries.list();
    expect(delivery?.attempts.map(({ status, error }) => [status, error])).toEqual([
      [null, "the answer with status 200 was lost, as a rule asks"],
      [200, null],
    ]);
  });

  test("an attempt that failed by itself keeps its reason, and a copy loses its answer too", async () => {
    const account = sandbox.account();
    await account.clock.freeze(frozenAt);
    const hook = await openReceiver((_count, response) => response.destroy());
    await register(account, hook.url);
    await account.rules.add({ on: "payout.paid", webhook: { lose_answer: true, duplicate: 1 }, times: 1 });
    await trigger(account, 1);
    await account.advance("0s");
    const deliveries = await account.deliveries.list();
    expect(deliveries.map(({ attempts }) => attempts[0]?.error)).toEqual([
      expect.stringMatching(/hang up|reset|closed/i),
      expect.stringMatching(/hang up|reset|closed/i),
    ]);
  });
});

test("cut_off: the first attempt breaks off in the middle of its body, and the whole delivery comes with the retry", async () => {
  const account = sandbox.account();
  await account.clock.freeze(frozenAt);
  const requests: { announced: number; bytes: number; isComplete: boolean | null }[] = [];
  const server = createServer((request, response) => {
    const seen = {
      announced: Number(request.headers["content-length"]),
      bytes: 0,
      isComplete: null as boolean | null,
    };
    requests.push(seen);
    request.on("data", (chunk: Buffer) => {
      seen.bytes += chunk.length;
    });
    request.on("error", () => {});
    request.once("close", () => {
      seen.isComplete = request.complete;
    });
    request.once("end", () => response.end());
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  await register(account, `http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  // The second delivery of the endpoint uses the connection of the first one.
  await trigger(account, 1);
  await account.advance("0s");
  await account.rules.add({ on: "payout.paid", webhook: { cut_off: true }, times: 1 });
  await trigger(account, 2);
  await account.advance("1h");
  const [delivery] = await account.deliveries.list();
  expect(delivery?.attempts.map(({ status, error }) => [status, error])).toEqual([
    [null, "the connection was closed in the middle of the body, as a rule asks"],
    [200, null],
  ]);
  await until("every request has ended", () => requests.every(({ isComplete }) => isComplete !== null));
  const size = requests[0]?.announced ?? 0;
  expect(requests).toEqual([
    { announced: size, bytes: size, isComplete: true },
    { announced: size, bytes: Math.floor(size / 2), isComplete: false },
    { announced: size, bytes: size, isComplete: true },
  ]);
});

test("an older event with other values arrives after the one of the rule, and both are genuine", async () => {
  const account = sandbox.account();
  await account.clock.freeze(frozenAt);
  const hook = await openReceiver((_count, response) => response.writeHead(200).end());
  const { secret } = await register(account, hook.url);
  await account.rules.add({ on: "payout.paid", webhook: { earlier: { "data.status": "requested" } } });
  await trigger(account, 1);
  await account.advance("0s");
  expect(hook.received).toHaveLength(2);
  const [newer, older] = hook.received.map((received) => {
    expect(isGenuine(received, secret)).toBe(true);
    return JSON.parse(String(received.body));
  });
  expect([older.data.status, older.event]).toEqual(["requested", newer.event]);
  expect(newer.data.status).not.toBe("requested");
  expect(Date.parse(newer.created_at) - Date.parse(older.created_at)).toBe(60_000);
});
