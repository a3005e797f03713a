import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Account } from "../../src/world/account/account.js";
import type { Activity } from "../../src/world/activity/activity.js";
import { delivery } from "../../src/world/webhooks/delivery.js";
import { accountFile, freshFolder } from "../support/folder.js";
import { expectedSignature, type Receiver, startReceiver } from "../support/receiver.js";
import { documentOf } from "../support/state.js";
import { until } from "../support/until.js";
import { openWorld, things } from "../support/world.js";

const key = "svc_test_idle";

async function receiverOf(account: Account, ...args: Parameters<typeof startReceiver>): Promise<Receiver> {
  const receiver = await startReceiver(...args);
  onTestFinished(() => receiver.close());
  const endpoint = { id: "whe_1", url: receiver.url, events: ["*"], description: null, created_at: "" };
  account.commit("api", () => account.outbox.save(endpoint));
  return receiver;
}

const deliveryOf = (account: Account) => [...account.records.newest(delivery)][0];

describe("an evicted account", () => {
  test("is loaded again unchanged", async () => {
    const { world, account } = openWorld(freshFolder());
    const before = await account(key);
    before.commit("api", () => {
      before.wallet.charge("phone_code", 600);
      before.inbox.send({ channel: "sms", to: "+234", from: "Standin", text: "hello", codes: [] });
      before.setClock({ offset: 0, frozen_at: 1_000 });
      before.random.id("");
    });
    await before.safe();
    expect(world.evict(0)).toBe(1);
    expect([...world.accounts()]).toEqual([]);

    const after = await account(key);
    expect(after).not.toBe(before);
    expect(documentOf(after.state)).toEqual(documentOf(before.state));
    expect([after.clock.now(), after.wallet.balance]).toEqual([1_000, before.wallet.balance]);
    expect(after.random.state).toEqual(before.random.state);
    expect(() => before.commit("api", () => {})).toThrow();
  });

  test("leaves memory, although its activities are kept", async () => {
    const { world, account } = openWorld(freshFolder());
    const evicted = await (async () => {
      const opened = await account(key);
      opened.commit("api", () =>
        opened.inbox.send({ channel: "sms", to: "+234", from: "Standin", text: "hello", codes: [] }),
      );
      await opened.safe();
      return new WeakRef(opened);
    })();
    expect(world.evict(-1)).toBe(1);
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    await until("the account is collected", () => {
      collect();
      return evicted.deref() === undefined;
    });
    expect((await account(key)).activities.log.size).toBeGreaterThan(0);
  });

  test("keeps its activities, but can be rewound only to moments since it was loaded again", async () => {
    const { world, account } = openWorld(freshFolder());
    const greet = (to: Account) =>
      to.commit("api", () =>
        to.inbox.send({ channel: "sms", to: "+234", from: "Standin", text: "hello", codes: [] }),
      );
    const newestOf = ({ activities: { log } }: Account) => [...log.newest()][0] as Activity;
    const before = await account(key);
    greet(before);
    const earlier = newestOf(before);
    expect(before.history.reaches(earlier.number)).toBe(true);
    await before.safe();
    expect(world.evict(0)).toBe(1);

    const after = await account(key);
    expect(newestOf(after)).toBe(earlier);
    expect(after.history.reaches(earlier.number)).toBe(false);
    greet(after);
    expect(after.history.reaches(newestOf(after).number)).toBe(true);
  });

  test("is loaded again by a due job: a webhook retry is sent on time with the same bytes", async () => {
    const { world, account } = openWorld(freshFolder());
    const before = await account(key);
    const receiver = await receiverOf(before, (count, response) => {
      response.writeHead(count === 1 ? 500 : 200).end();
    });
    before.commit("api", () => before.outbox.emit("payout.paid", { amount: 1 }));
    await until("the first attempt has failed and the account has left", () => world.evict(0) === 1);
    expect(receiver.received).toHaveLength(1);

    const [first, second] = await receiver.got(2);
    expect(second?.body).toEqual(first?.body);
    const secret = (await account(key)).settings.webhook_secret;
    expect(second?.headers["x-service-signature"]).toBe(expectedSignature(second?.body as Buffer, secret));
    await until(
      "the success is on record",
      async () => deliveryOf(await account(key))?.state === "succeeded",
    );
    expect(await account(key)).not.toBe(before);
  });

  test("is not loaded while its clock is frozen, and continues where it was when requested", async () => {
    const rung: string[] = [];
    const { world, account } = openWorld(freshFolder(), {
      bell: (_account, { kind }) => {
        rung.push(kind);
        return null;
      },
    });
    const frozen = await account(key);
    frozen.commit("api", () => {
      frozen.setClock({ offset: 0, frozen_at: 1_000 });
      frozen.jobs.schedule("bell", { due: 2_000, kind: "bell" });
    });
    await frozen.safe();
    expect(world.evict(0)).toBe(1);
    const reopened = await account(key);
    expect([rung, reopened.jobs.nextDue()]).toEqual([[], 2_000]);
    await world.scheduler.advance(reopened, 3_000);
    expect(rung).toEqual(["bell"]);
  });
});

describe("an account stays in memory", () => {
  test("while it was used recently", async () => {
    const { world, account } = openWorld(freshFolder());
    await account(key);
    expect(world.evict(60_000)).toBe(0);
  });

  test("while a client waits for its next message", async () => {
    const { world, account } = openWorld(freshFolder());
    const stop = (await account(key)).inbox.waiters.onNext(() => {});
    expect(world.evict(0)).toBe(0);
    stop();
    expect(world.evict(0)).toBe(1);
  });

  test("while a delivery attempt is in flight, and while its clock is being advanced", async () => {
    const { world, account } = openWorld(freshFolder());
    const opened = await account(key);
    let answer = () => {};
    const receiver = await receiverOf(opened, (_count, response) => {
      answer = () => response.end();
    });
    opened.commit("api", () => opened.outbox.emit("payout.paid", {}));
    const advance = world.scheduler.advance(opened, opened.clock.now());
    await receiver.got(1);
    expect(world.evict(0)).toBe(0);
    answer();
    await advance;
    expect(world.evict(0)).toBe(1);
  });

  test("while a change is not yet durable", async () => {
    const { world, account } = openWorld(freshFolder());
    const opened = await account(key);
    opened.commit("api", () => opened.state.put(things, "a", 1));
    expect(world.evict(0)).toBe(0);
    await opened.safe();
    expect(world.evict(0)).toBe(1);
  });
});

test("many accounts are evicted and loaded again, and each keeps its own data", async () => {
  const folder = freshFolder();
  const { world, account } = openWorld(folder);
  // More than the files that the store keeps open.
  const keys = Array.from({ length: 300 }, (_, i) => `svc_test_${i}`);
  for (let round = 1; round <= 2; round++) {
    for (const key of keys) {
      const opened = await account(key);
      opened.commit("api", () => opened.state.put(things, `r${round}`, accountFile("", key)));
    }
    await until("all are safe and leave", () => world.evict(0) >= 0 && [...world.accounts()].length === 0);
  }
  for (const key of keys) {
    const kept = [...(await account(key)).state.newest(things)];
    expect(kept).toEqual(Array(2).fill(accountFile("", key)));
  }
});
