/** Relays: deliveries to receivers that the sandbox cannot reach. */
import { describe, expect, onTestFinished, test } from "vitest";
import { SandboxClient } from "../../src/client/client.js";
import { type RelayedRequest, RelayListener } from "../../src/client/relay-listener.js";
import type { SandboxAccount } from "../../src/index.js";
import { eventKinds } from "../../src/service/webhooks/events.js";
import { randomHex } from "../../src/time/random.js";
import type { RelayAnswer } from "../../src/world/webhooks/relay.js";
import { expectedSignature } from "../support/receiver.js";
import { post, useListeningSandbox } from "../support/sandbox.js";
import { until } from "../support/until.js";

const sandbox = useListeningSandbox();
const accepted: RelayAnswer = { status: 204, headers: {}, body: "", error: null };

type Answering = (request: RelayedRequest) => Promise<RelayAnswer> | RelayAnswer;

/** Listens on relay:laptop and resolves once connected. */
async function listen({ baseUrl, key }: SandboxAccount, answer: Answering = () => accepted) {
  const received: RelayedRequest[] = [];
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const id = randomHex(8);
  let run: Promise<void> = Promise.resolve();
  const connected = new Promise<void>((resolve) => {
    const listener = new RelayListener(
      {
        client: new SandboxClient({ baseUrl, key }),
        name: "laptop",
        id,
        async answer(request) {
          received.push(request);
          return answer(request);
        },
        async prepare() {},
        onConnected: resolve,
      },
      stop.signal,
    );
    run = listener.run();
  });
  await Promise.race([connected, run]);
  return { id, received, disconnect: () => stop.abort() };
}

const register = (account: SandboxAccount) =>
  account.control<{ id: string; secret: string }>("POST", "/webhooks", { url: "relay:laptop" });

const settled = (account: SandboxAccount, count: number) =>
  until(`${count} deliveries have succeeded`, async () => {
    const all = await account.deliveries.list();
    return all.length === count && all.every(({ status }) => status === "succeeded") && all;
  });

test("a delivery that a rule cuts off does not arrive, and comes as a whole with the retry", async () => {
  const account = sandbox.account();
  await register(account);
  const { received } = await listen(account);
  await account.rules.add({ on: "payout.paid", webhook: { cut_off: true } });
  await account.events.trigger("payout.paid");
  const [delivery] = await settled(account, 1);
  expect(delivery?.attempts.map(({ status, error }) => [status, error])).toEqual([
    [null, "the connection was closed in the middle of the body, as a rule asks"],
    [204, null],
  ]);
  expect(received).toHaveLength(1);
});

test("a listener is told when an attempt comes again, also after one that a rule cuts off", async () => {
  const account = sandbox.account();
  await register(account);
  await account.clock.freeze("2030-03-10T12:00:00Z");
  const { received } = await listen(account, () => ({ ...accepted, status: 500 }));
  await account.rules.add({ on: "payout.paid", webhook: { cut_off: true } });
  await account.events.trigger("payout.paid");
  await account.advance("10s");
  expect(received.map(({ about }) => about)).toMatchObject([
    { at: "2030-03-10T12:00:01.000Z", retry_at: "2030-03-10T12:00:02.000Z" },
    { at: "2030-03-10T12:00:02.000Z", retry_at: "2030-03-10T12:00:07.000Z" },
    { at: "2030-03-10T12:00:07.000Z", retry_at: "2030-03-10T12:00:37.000Z" },
  ]);
});

test("all events arrive with their exact bytes and valid signatures, and the answers become the results of the attempts", async () => {
  const account = sandbox.account();
  const { secret } = await register(account);
  const answer = { status: 202, headers: { "x-shop": "one" }, body: "thanks", error: null };
  const { received } = await listen(account, () => answer);
  for (const kind of eventKinds) await account.events.trigger(kind);
  const deliveries = await settled(account, eventKinds.length);
  expect(received.map(({ body }) => JSON.parse(body).event).sort()).toEqual([...eventKinds].sort());
  for (const { headers, body } of received)
    expect(headers["X-Service-Signature"]).toBe(expectedSignature(Buffer.from(body), secret));
  const [attempt] = deliveries[0]?.attempts ?? [];
  expect(attempt).toMatchObject({
    status: 202,
    response_headers: { "x-shop": "one" },
    response_body: "thanks",
  });
  expect(received.map(({ body }) => body)).toContain(attempt?.request_body);
});

test("without a listener an attempt fails with the reason and is retried when due", async () => {
  const account = sandbox.account();
  await register(account);
  await account.clock.freeze();
  await account.events.trigger("payout.paid");
  await account.advance("0s");
  const [failed] = await account.deliveries.list();
  expect(failed).toMatchObject({
    status: "pending",
    attempts: [{ status: null, error: expect.stringContaining('"standin listen URL --relay laptop"') }],
  });
  await listen(account);
  await account.advance("1s");
  expect((await account.deliveries.list())[0]).toMatchObject({
    status: "succeeded",
    attempts: [{ status: null }, { status: 204 }],
  });
});

test("an answer other than 2xx and an unreachable receiver both lead to a retry", async () => {
  const account = sandbox.account();
  await register(account);
  await account.clock.freeze();
  const answers = [
    { ...accepted, status: 500 },
    { ...accepted, status: null, error: "ECONNREFUSED" },
    accepted,
  ];
  await listen(account, () => answers.shift() as RelayAnswer);
  await account.events.trigger("payout.paid");
  await account.advance("1m");
  const [delivery] = await account.deliveries.list();
  expect(delivery?.attempts.map(({ status, error }) => status ?? error)).toEqual([500, "ECONNREFUSED", 204]);
});

test("the listeners of a relay take turns", async () => {
  const account = sandbox.account();
  await register(account);
  const [one, other] = [await listen(account), await listen(account)];
  for (let i = 0; i < 6; i++) await account.events.trigger("payout.paid");
  await settled(account, 6);
  expect([one.received.length, other.received.length]).toEqual([3, 3]);
});

test("a reconnecting listener gets each delivery that it missed once, and no delivery twice", async () => {
  const account = sandbox.account();
  await register(account);
  const open: (() => void)[] = [];
  const listener = await listen(account, () => new Promise((resolve) => open.push(() => resolve(accepted))));
  await account.events.trigger("payout.paid");
  await until("it was sent", () => listener.received.length === 1);
  // A second connection of the same listener ends the first, which then reconnects by itself.
  const path = `/_sandbox/relays/laptop/stream?listener=${listener.id}`;
  const taken = await account.fetch(path);
  await account.events.trigger("payout.failed");
  await until("it is connected again", async () => (await taken.text()).includes("request"));
  await until("the second one was sent", () => listener.received.length === 2);
  for (const resolve of open) resolve();
  const deliveries = await settled(account, 2);
  expect(listener.received).toHaveLength(2);
  expect(deliveries.map(({ attempts }) => attempts.length)).toEqual([1, 1]);
});

test("attempts that a listener has not answered fail when it disconnects, and are retried", async () => {
  const account = sandbox.account();
  await register(account);
  const { id, received, disconnect } = await listen(account, () => new Promise(() => {}));
  await account.events.trigger("payout.paid");
  await until("it was sent", () => received.length === 1);
  disconnect();
  const left = account.control("POST", "/relays/laptop/answers", { listener: id, answers: [], leave: true });
  expect(await left).toEqual({ answered: 0, listeners: 0 });
  const failed = await until("the attempt has failed", async () => {
    const [delivery] = await account.deliveries.list();
    return delivery?.attempts[0];
  });
  expect(failed.error).toBe("the listener of relay:laptop disconnected before it answered");
  await listen(account);
  await account.advance("1s");
  await settled(account, 1);
});

describe("a relay", () => {
  test("cannot be registered through the service", async () => {
    const { status, body } = await post(sandbox.account(), "/v1/webhooks", { url: "relay:laptop" });
    expect([status, body.error.code]).toEqual([400, "validation_error"]);
  });

  test.each(["relay:", "relay:a/b", "relay://laptop", `relay:${"a".repeat(65)}`, "ftp://shop.example/"])(
    "cannot have the URL %s",
    async (url) => {
      await expect(sandbox.account().control("POST", "/webhooks", { url })).rejects.toMatchObject({
        code: "validation_error",
        message: expect.stringContaining("such as relay:laptop"),
      });
    },
  );

  test("belongs to its account", async () => {
    const [account, other] = [sandbox.account(), sandbox.account()];
    await register(account);
    const stranger = await listen(other);
    await account.clock.freeze();
    await account.events.trigger("payout.paid");
    await account.advance("0s");
    expect(stranger.received).toEqual([]);
  });

  test("is kept in a snapshot", async () => {
    const account = sandbox.account();
    await register(account);
    const copy = sandbox.account();
    await copy.restore(await account.snapshot());
    expect(await copy.webhooks.list()).toMatchObject([{ url: "relay:laptop" }]);
  });
});
