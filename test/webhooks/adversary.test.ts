/** Webhook deliveries that rules duplicate, delay or drop, as a receiver sees them. */
import { afterEach, describe, expect, test } from "vitest";
import type { Adversity, RuleInput } from "../../src/index.js";
import {
  frozenAt,
  isGenuine,
  makeAdverse,
  numbers,
  openReceiver,
  register,
  trigger,
} from "../support/adversary.js";
import type { Received } from "../support/receiver.js";
import { useListeningSandbox } from "../support/sandbox.js";
import { until } from "../support/until.js";

const sandbox = useListeningSandbox();
afterEach(() => expect(sandbox.warnings).toEqual([]));

const adversary = (webhook: Adversity, more?: Partial<RuleInput>, running?: boolean) =>
  makeAdverse(sandbox.account(), webhook, more, running);

describe("duplicate", () => {
  test("sends the same event that many more times, each as a separate delivery", async () => {
    const { account, hook, secret, rule } = await adversary({ duplicate: 2 });
    const { id } = await trigger(account, 1);
    await account.advance("1m");
    expect(hook.received).toHaveLength(3);
    expect(new Set(hook.received.map(({ body }) => String(body))).size).toBe(1);
    expect(hook.received.every((received) => isGenuine(received, secret))).toBe(true);
    const deliveries = await account.deliveries.list();
    expect(new Set(deliveries.map((delivery) => delivery.id)).size).toBe(3);
    for (const delivery of deliveries)
      expect(delivery).toMatchObject({ event_id: id, status: "succeeded", rule: rule.id });
    expect(await account.rules.list()).toMatchObject([{ used: 1 }]);
    expect(await account.events.list()).toHaveLength(1);
  });
});

describe("delay", () => {
  test("delays the first attempt on the account's clock, and retries are timed from there", async () => {
    const { account, rule } = await adversary({ delay: "30s" });
    const failing = await openReceiver((_count, response) => response.writeHead(500).end());
    await register(account, failing.url);
    await trigger(account, 1);
    const [waiting] = await account.deliveries.list();
    expect(waiting).toMatchObject({
      status: "pending",
      next_attempt_at: "2030-01-01T00:00:30.000Z",
      attempts: [],
    });
    await account.advance("29s");
    expect(failing.received).toEqual([]);
    await account.advance("7s");
    const delayed = (await account.deliveries.list()).find(({ url }) => url === failing.url);
    expect(delayed?.attempts.map(({ at }) => at.slice(17, 19))).toEqual(["30", "31", "36"]);
    expect(delayed?.rule).toBe(rule.id);
  });

  test("ends without an advance on a running clock", async () => {
    const { account, hook } = await adversary({ delay: "150ms" }, {}, true);
    const { created_at } = await trigger(account, 1);
    await hook.got(1);
    await until("it has succeeded", async () => (await account.deliveries.list())[0]?.status === "succeeded");
    const [delivery] = await account.deliveries.list();
    const at = Date.parse(delivery?.attempts[0]?.at as string);
    expect(at - Date.parse(created_at)).toBeGreaterThanOrEqual(150);
  });

  test("of a range is drawn separately for each delivery", async () => {
    const { account, hook } = await adversary({ delay: { min: "10s", max: "20s" } });
    for (let number = 0; number < 10; number++) await trigger(account, number);
    const due = (await account.deliveries.list()).map(
      ({ next_attempt_at: at }) => Date.parse(at as string) - Date.parse(frozenAt),
    );
    expect(Math.min(...due)).toBeGreaterThanOrEqual(10_000);
    expect(Math.max(...due)).toBeLessThanOrEqual(20_000);
    expect(new Set(due).size).toBeGreaterThan(5);
    await account.advance("20s");
    expect(hook.received).toHaveLength(10);
  });
});

describe("drop", () => {
  test("sends nothing: the log shows a failed delivery with the rule, and a retry by hand sends it", async () => {
    const { account, hook, secret, rule } = await adversary({ drop: true });
    await trigger(account, 1);
    await account.advance("2h");
    expect(hook.received).toEqual([]);
    const [dropped] = await account.deliveries.list({ status: "failed" });
    expect(dropped).toMatchObject({ rule: rule.id, next_attempt_at: null });
    expect(dropped?.attempts).toMatchObject([
      { status: null, error: "dropped by a rule: nothing was sent", duration_ms: 0 },
    ]);
    await account.deliveries.retry(dropped?.id as string);
    await account.advance("0s");
    const [received] = await hook.got(1);
    expect(isGenuine(received as Received, secret)).toBe(true);
    expect((await account.deliveries.list())[0]).toMatchObject({ id: dropped?.id, status: "succeeded" });
  });
});

describe("a rule on deliveries", () => {
  test.each<[string, Partial<RuleInput>]>([
    ["an event's kind", { on: "payout.paid" }],
    ["an event, in a rule for all webhooks", { on: "webhooks", when: { event: "/payout\\..*/" } }],
    ["the event's data", { on: "webhooks", when: { data: { number: 1 } } }],
    ["a pattern in the data", { on: "payout.paid", when: { data: { number: "/[1]/" } } }],
  ])("matches by %s", async (_what, rule) => {
    const { account, hook } = await adversary({ drop: true }, rule);
    await trigger(account, 1);
    await trigger(account, 2, "refund.failed");
    await account.advance("1s");
    expect(numbers(hook)).toEqual([2]);
  });

  test("matches by the endpoint's URL: other endpoints get their deliveries", async () => {
    const { account, hook, rule } = await adversary({ drop: true }, { when: { url: "/.*\\/webhooks/" } });
    const other = await openReceiver();
    const url = `${other.url}/others`;
    await register(account, url);
    await trigger(account, 1);
    await account.advance("1s");
    expect([numbers(hook), numbers(other)]).toEqual([[], [1]]);
    const rules = (await account.deliveries.list()).map((delivery) => [delivery.url, delivery.rule]);
    expect(rules).toContainEqual([url, null]);
    expect(rules).toContainEqual([hook.url, rule.id]);
  });

  test("counts one use per endpoint, up to its times", async () => {
    const { account, hook } = await adversary({ duplicate: 1 }, { times: 3 });
    const other = await openReceiver();
    await register(account, other.url);
    await trigger(account, 1);
    await trigger(account, 2);
    await account.advance("1s");
    expect(hook.received.length + other.received.length).toBe(4 + 3);
    expect(await account.rules.list()).toMatchObject([{ times: 0, used: 3 }]);
  });

  test("advances to its next stage", async () => {
    const { account, hook } = await adversary(
      { drop: true },
      { times: 1, next: [{ webhook: { duplicate: 1 }, times: 1 }] },
    );
    for (const number of [1, 2, 3]) await trigger(account, number);
    await account.advance("1s");
    expect(numbers(hook).sort()).toEqual([2, 2, 3]);
  });

  test("with a probability affects the same deliveries again after a reset of the account", async () => {
    const account = sandbox.account({ key: "svc_test_adversary_seed" });
    const trouble = async () => {
      await account.reset();
      await account.clock.freeze(frozenAt);
      const hook = await openReceiver();
      await register(account, hook.url);
      await account.rules.add({ on: "webhooks", webhook: { drop: true }, probability: 0.5 });
      await account.rules.add({ on: "refund.failed", webhook: { delay: { min: "0s", max: "1h" } } });
      for (let number = 0; number < 20; number++)
        await trigger(account, number, number % 2 ? "payout.paid" : "refund.failed");
      await account.advance("1h");
      return (await account.deliveries.list()).map(({ status, attempts }) => [status, attempts[0]?.at]);
    };
    const first = await trouble();
    expect(new Set(first.map(([status]) => status))).toEqual(new Set(["succeeded", "failed"]));
    expect(await trouble()).toEqual(first);
  });

  test("does not apply to requests, nor a rule for requests to deliveries", async () => {
    const { account, hook } = await adversary({ drop: true }, { on: "payout.failed" });
    await account.rules.add({ on: "*", fault: { reply: "truncated" } });
    await trigger(account, 1);
    await account.advance("1s");
    expect(numbers(hook)).toEqual([1]);
    expect((await account.rules.list()).map(({ used }) => used)).toEqual([0, 0]);
  });
});
