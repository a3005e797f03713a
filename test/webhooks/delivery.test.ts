import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import type { SandboxAccount } from "../../src/index.js";
import { expectedSignature, type Receiver, startReceiver } from "../support/receiver.js";
import { post, useListeningSandbox } from "../support/sandbox.js";
import { until } from "../support/until.js";

const sandbox = useListeningSandbox();
const closing: Receiver[] = [];

async function receiver(...args: Parameters<typeof startReceiver>): Promise<Receiver> {
  const started = await startReceiver(...args);
  closing.push(started);
  return started;
}
afterEach(async () => {
  for (const open of closing.splice(0)) await open.close();
});

const register = async (account: SandboxAccount, url: string, more: object = {}) =>
  (await post(account, "/v1/webhooks", { url, ...more })).body;

/** Returns a URL where nothing listens: the port was just released. */
async function deadUrl(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}/hooks`;
}

/** Returns the seconds from the first attempt to each attempt, on the account's clock. */
const secondsOf = (attempts: { at: string }[]) =>
  attempts.map(({ at }) => (Date.parse(at) - Date.parse(attempts[0]?.at as string)) / 1000);

const ladder = [0, 1, 6, 36, 336, 2136];

describe("a delivery", () => {
  test("is a JSON POST signed with HMAC-SHA256 of the raw body, without further headers of the service", async () => {
    const account = sandbox.account();
    const hook = await receiver();
    const { secret } = await register(account, hook.url);
    const event = await account.events.trigger("payout.paid");
    const [delivery] = await hook.got(1);
    expect(secret).toMatch(/^whsec_/);
    expect(delivery?.headers["x-service-signature"]).toBe(
      expectedSignature(delivery?.body as Buffer, secret),
    );
    expect(delivery?.headers["content-type"]).toBe("application/json");
    expect(Object.keys(delivery?.headers ?? {}).filter((name) => name.startsWith("x-"))).toEqual([
      "x-service-signature",
    ]);
    const { id, created_at, data } = event;
    expect(JSON.parse(String(delivery?.body))).toEqual({
      id,
      event: "payout.paid",
      created_at,
      is_test: true,
      data,
    });
  });

  test("of verification.completed has exactly the documented payload", async () => {
    const account = sandbox.account();
    const hook = await receiver();
    await register(account, hook.url);
    await account.events.trigger("verification.completed");
    const [delivery] = await hook.got(1);
    const payload = JSON.parse(String(delivery?.body));
    expect(Object.keys(payload).sort()).toEqual(["created_at", "data", "event", "job_id"]);
    expect(payload.job_id).toMatch(/^ver_/);
  });

  test("goes to every endpoint registered for its kind and to no other", async () => {
    const account = sandbox.account();
    const [all, payouts, refunds] = [await receiver(), await receiver(), await receiver()];
    await register(account, all.url);
    await register(account, payouts.url, { events: ["payout.paid", "payout.failed"] });
    await register(account, refunds.url, { events: ["refund.processed"] });
    await account.events.trigger("payout.paid");
    await Promise.all([all.got(1), payouts.got(1)]);
    await account.advance("1h");
    expect([all, payouts, refunds].map(({ received }) => received.length)).toEqual([1, 1, 0]);
  });

  test("goes to the endpoints of its own account only", async () => {
    const [one, other] = [sandbox.account(), sandbox.account()];
    const [hookOfOne, hookOfOther] = [await receiver(), await receiver()];
    await register(one, hookOfOne.url);
    await register(other, hookOfOther.url);
    await one.events.trigger("payout.paid");
    await hookOfOne.got(1);
    await other.advance("1h");
    expect(hookOfOther.received).toEqual([]);
  });
});

describe("retries", () => {
  test("a dead URL gets six attempts at 0, 1 s, 6 s, 36 s, 5 min 36 s and 35 min 36 s, and then the delivery has failed", async () => {
    const account = sandbox.account();
    await register(account, await deadUrl());
    await account.events.trigger("payout.paid");
    await account.advance("1h");
    const [delivery] = await account.deliveries.list();
    expect(delivery).toMatchObject({ status: "failed", next_attempt_at: null });
    expect(secondsOf(delivery?.attempts ?? []).map(Math.round)).toEqual(ladder);
    for (const { status, error } of delivery?.attempts ?? []) {
      expect(status).toBeNull();
      expect(error).toContain("ECONNREFUSED");
    }
  });

  test("every attempt sends the same bytes", async () => {
    const account = sandbox.account();
    const hook = await receiver((_count, response) => response.writeHead(500).end("no"));
    await register(account, hook.url);
    await account.events.trigger("refund.failed");
    await account.advance("1h");
    expect(hook.received).toHaveLength(6);
    const seen = new Set(
      hook.received.map(({ body, headers }) => `${headers["x-service-signature"]} ${body}`),
    );
    expect(seen.size).toBe(1);
  });

  test("an endpoint that accepts the third attempt gets no fourth", async () => {
    const account = sandbox.account();
    const hook = await receiver((count, response) => response.writeHead(count < 3 ? 503 : 204).end());
    await register(account, hook.url);
    await account.events.trigger("payout.paid");
    await account.advance("1h");
    expect(hook.received).toHaveLength(3);
    const [delivery] = await account.deliveries.list();
    expect(delivery?.status).toBe("succeeded");
    expect(delivery?.attempts.map(({ status }) => status)).toEqual([503, 503, 204]);
  });

  test.each([301, 302, 404, 199 + 200])(
    "status %i is not a success, and redirects are not followed",
    async (status) => {
      const account = sandbox.account();
      const target = await receiver();
      const hook = await receiver((_count, response) =>
        response.writeHead(status, { Location: target.url }).end(),
      );
      await register(account, hook.url);
      await account.events.trigger("payout.paid");
      await account.advance("2s");
      expect(hook.received).toHaveLength(2);
      expect(target.received).toEqual([]);
    },
  );

  test("that are due at the same instant run in the order of the first attempts, whichever is answered first", async () => {
    const account = sandbox.account();
    await account.clock.freeze();
    let answerSlow = (): void => {};
    const slow = await receiver((count, response) => {
      response.statusCode = 500;
      answerSlow = () => response.end();
      if (count > 1) response.end();
    });
    const fast = await receiver((_, response) => response.writeHead(500).end());
    for (const { url } of [slow, fast]) await register(account, url);
    await account.events.trigger("payout.paid");
    await slow.got(1);
    const isFast = ({ url }: { url: string }) => url === fast.url;
    await until(
      "the fast endpoint has answered",
      async () => (await account.deliveries.list()).find(isFast)?.attempts.length,
    );
    answerSlow();
    const { ran } = await account.advance("1s");
    const [newest, oldest] = await account.deliveries.list();
    expect(newest && isFast(newest)).toBe(true);
    expect(ran.map(({ id }) => id)).toEqual([oldest?.id, newest?.id]);
  });

  test("retries also happen in real time, without an advance", async () => {
    const account = sandbox.account();
    const hook = await receiver((count, response) => response.writeHead(count === 1 ? 500 : 200).end());
    await register(account, hook.url);
    await account.events.trigger("payout.paid");
    const [first, second] = await hook.got(2);
    expect(second?.body).toEqual(first?.body);
  });

  test("an attempt that waits for its turn begins when it is sent", async () => {
    const account = sandbox.account();
    const answers: (() => void)[] = [];
    const hook = await receiver((_count, response) => answers.push(() => response.end()));
    await register(account, hook.url);
    for (let event = 1; event <= 5; event++) await account.events.trigger("payout.paid");
    // An endpoint that has not answered yet gets four attempts at a time.
    await hook.got(4);
    const before = Date.now();
    await until("the next millisecond", () => Date.now() > before);
    for (const answer of answers.splice(0)) answer();
    await hook.got(5);
    for (const answer of answers) answer();
    const delivered = await until("all are delivered", async () => {
      const succeeded = await account.deliveries.list({ status: "succeeded" });
      return succeeded.length === 5 && succeeded;
    });
    const starts = delivered.map(({ attempts }) => Date.parse(attempts[0]?.at ?? ""));
    expect(starts.filter((at) => at > before)).toHaveLength(1);
  });

  test("an endpoint that hangs delays no other, and an advance waits for one timeout, not for six", async () => {
    const account = sandbox.account();
    const hanging = await receiver(() => {});
    const quick = await receiver();
    await register(account, hanging.url);
    await register(account, quick.url);
    await account.events.trigger("payout.paid");
    const succeeded = await until("a delivery has succeeded", async () => {
      const deliveries = await account.deliveries.list({ status: "succeeded" });
      return deliveries.length > 0 && deliveries;
    });
    expect(succeeded.map(({ url }) => url)).toEqual([quick.url]);
    await account.advance("1h");
    expect(hanging.received.length).toBeLessThan(3);
    const [failed] = await account.deliveries.list({ status: "failed" });
    expect(failed?.attempts).toHaveLength(6);
    expect(failed?.attempts.at(-1)?.error).toContain("10 s");
  }, 60_000);

  test("a receiver that calls the API during an advance sees the time of the delivery", async () => {
    const account = sandbox.account();
    const seen: string[] = [];
    const hook = await receiver(async (count, response) => {
      seen.push((await account.clock.get()).now);
      response.writeHead(count < 4 ? 500 : 200).end();
    });
    await account.clock.freeze("2020-01-01T00:00:00Z");
    await register(account, hook.url);
    await account.events.trigger("payout.paid");
    await account.advance("1h");
    expect(seen).toEqual(
      [0, 1, 6, 36].map((second) => new Date(Date.UTC(2020, 0, 1, 0, 0, second)).toISOString()),
    );
  });
});

describe("by hand", () => {
  test("a failed delivery can be retried with a single attempt", async () => {
    const account = sandbox.account();
    let healthy = false;
    const hook = await receiver((_count, response) => response.writeHead(healthy ? 200 : 500).end());
    await register(account, hook.url);
    await account.events.trigger("payout.paid");
    await account.advance("1h");
    const [failed] = await account.deliveries.list({ status: "failed" });
    await account.deliveries.retry(failed?.id as string);
    await account.advance("1h");
    expect(hook.received).toHaveLength(7);
    healthy = true;
    await account.deliveries.retry(failed?.id as string);
    await hook.got(8);
    await account.advance("0s");
    expect((await account.deliveries.list())[0]).toMatchObject({ id: failed?.id, status: "succeeded" });
  });

  test("a pending delivery can be attempted at once, and its result cannot be set by hand", async () => {
    const account = sandbox.account();
    let healthy = false;
    const hook = await receiver((_count, response) => response.writeHead(healthy ? 200 : 500).end());
    await register(account, hook.url);
    await account.clock.freeze();
    await account.events.trigger("payout.paid");
    await account.advance("0s");
    const [pending] = await account.deliveries.list({ status: "pending" });
    const id = pending?.id as string;
    expect((await account.records.get(id)).moves.map(({ move }) => move)).toEqual(["attempt", "retry"]);
    const madeUp = { attempt: { ...pending?.attempts[0], status: 200 }, due: 0 };
    await expect(account.records.move(id, "record_attempt", madeUp)).rejects.toMatchObject({ status: 409 });
    healthy = true;
    expect(await account.moves.delivery(id, "attempt", madeUp)).toMatchObject({ state: "pending" });
    await account.advance("0s");
    expect((await account.deliveries.list())[0]).toMatchObject({ id, status: "succeeded" });
    expect(hook.received).toHaveLength(2);
  });

  test("the log shows the request and the answer, with up to 4 KB of the answer's body", async () => {
    const account = sandbox.account();
    const hook = await receiver((_count, response) =>
      response.writeHead(200, { "X-Mine": "yes" }).end("é".repeat(5000)),
    );
    const { secret } = await register(account, hook.url);
    await account.events.trigger("payout.paid");
    const [received] = await hook.got(1);
    await account.advance("0s");
    const [delivery] = await account.deliveries.list();
    const [attempt] = delivery?.attempts ?? [];
    expect(attempt?.request_body).toBe(String(received?.body));
    expect(attempt?.request_headers["X-Service-Signature"]).toBe(
      expectedSignature(received?.body as Buffer, secret),
    );
    expect(attempt).toMatchObject({ status: 200, error: null, response_headers: { "x-mine": "yes" } });
    expect(Buffer.byteLength(attempt?.response_body as string)).toBe(4096);
  });

  test("a removed endpoint gets no further deliveries", async () => {
    const account = sandbox.account();
    const hook = await receiver((_count, response) => response.writeHead(500).end());
    const { id } = await register(account, hook.url);
    await account.events.trigger("payout.paid");
    await hook.got(1);
    await account.control("DELETE", `/webhooks/${id}`);
    await account.advance("1h");
    expect(hook.received).toHaveLength(1);
    expect((await account.deliveries.list())[0]).toMatchObject({ status: "failed" });
  });
});
