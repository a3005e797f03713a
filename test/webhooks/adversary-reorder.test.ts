/** Events that a rule holds back until the next one has overtaken them. */
import { afterEach, describe, expect, test } from "vitest";
import type { Adversity, RuleInput } from "../../src/index.js";
import { makeAdverse, numbers, openReceiver, register, trigger } from "../support/adversary.js";
import { useListeningSandbox } from "../support/sandbox.js";

const sandbox = useListeningSandbox();
afterEach(() => expect(sandbox.warnings).toEqual([]));

const adversary = (webhook: Adversity, more?: Partial<RuleInput>, running?: boolean) =>
  makeAdverse(sandbox.account(), webhook, more, running);

describe("reorder", () => {
  test("lets the next event overtake while the clock is advanced", async () => {
    const { account, hook } = await adversary({ reorder: true }, { times: 1 });
    await trigger(account, 1);
    await account.advance("5s");
    expect(hook.received).toEqual([]);
    await trigger(account, 2);
    await account.advance("1s");
    expect(numbers(hook)).toEqual([2, 1]);
  });

  test("always lets the next event overtake on a running clock", async () => {
    const { account, hook } = await adversary({ reorder: true }, {}, true);
    for (const number of [1, 2, 3, 4]) {
      await trigger(account, number);
      if (number % 2 === 0) await hook.got(number);
    }
    expect(numbers(hook)).toEqual([2, 1, 4, 3]);
  });

  test("delivers a single event after two minutes", async () => {
    const { account, hook } = await adversary({ reorder: true });
    await trigger(account, 1);
    await account.advance("119s");
    expect(hook.received).toEqual([]);
    await account.advance("1s");
    expect(numbers(hook)).toEqual([1]);
    await trigger(account, 2);
    await account.advance("2m");
    expect(numbers(hook)).toEqual([1, 2]);
  });

  test("delays no event by more than two minutes, however late the next event is sent", async () => {
    const { account, hook } = await adversary({ reorder: true }, { times: 1 });
    await account.rules.add({ on: "refund.failed", webhook: { delay: "1h" } });
    await trigger(account, 1);
    await trigger(account, 2, "refund.failed");
    await account.advance("2m");
    expect(numbers(hook)).toEqual([1]);
    await account.advance("1h");
    expect(numbers(hook)).toEqual([1, 2]);
  });

  test("does not wait for an event that is never sent", async () => {
    const { account, hook } = await adversary({ reorder: true }, { times: 1 });
    await account.rules.add({ on: "refund.failed", webhook: { drop: true } });
    await trigger(account, 1);
    await trigger(account, 2, "refund.failed");
    await account.advance("30s");
    expect(hook.received).toEqual([]);
    await trigger(account, 3);
    await account.advance("1s");
    expect(numbers(hook)).toEqual([3, 1]);
  });

  test("delays all copies of the event, separately for each endpoint", async () => {
    const { account, hook } = await adversary({ reorder: true, duplicate: 1 }, { times: 2 });
    const other = await openReceiver();
    await register(account, other.url);
    await trigger(account, 1);
    await trigger(account, 2);
    await account.advance("1s");
    expect([numbers(hook), numbers(other)]).toEqual([
      [2, 1, 1],
      [2, 1, 1],
    ]);
  });

  test("sends a delayed event at once if it is retried by hand", async () => {
    const { account, hook } = await adversary({ reorder: true }, { times: 1 });
    await trigger(account, 1);
    const [held] = await account.deliveries.list();
    await account.deliveries.retry(held?.id as string);
    await trigger(account, 2);
    await account.advance("2m");
    expect(numbers(hook)).toEqual([1, 2]);
  });
});

test("a removed endpoint leaves no delayed deliveries behind", async () => {
  const { account, hook } = await adversary({ reorder: true }, { times: 1 });
  await trigger(account, 1);
  const [held] = await account.deliveries.list();
  await account.control("DELETE", `/webhooks/${held?.endpoint_id}`);
  await register(account, hook.url);
  await trigger(account, 2);
  await account.advance("2h");
  expect(numbers(hook)).toEqual([2]);
  expect((await account.deliveries.list({ status: "failed" })).map(({ id }) => id)).toEqual([held?.id]);
});
