import type { ServerResponse } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import type { SandboxAccount } from "../../src/index.js";
import type { Account } from "../../src/world/account/account.js";
import { diskCanBeFull, limitFiles } from "../support/disk.js";
import { freshFolder, startOn } from "../support/folder.js";
import { openOn } from "../support/folder-sandbox.js";
import { expectedSignature, type Receiver, startReceiver } from "../support/receiver.js";
import { post, startPhone, useListeningSandbox } from "../support/sandbox.js";
import { bytesOf } from "../support/snapshots.js";
import { copyAsKilled } from "../support/stores.js";
import { until } from "../support/until.js";
import { openWorld, put, things, writeMuch } from "../support/world.js";
import { restoreSnapshot, takeSnapshot } from "../support/world-snapshots.js";

const sandbox = useListeningSandbox();

/** An endpoint that leaves its first delivery unanswered until the test releases it. */
async function hangingReceiver(port = 0): Promise<Receiver & { release(): Promise<void> }> {
  let held: ServerResponse | undefined;
  const receiver = await startReceiver((count, response) => {
    if (count === 1) held = response;
    else response.end();
  }, port);
  onTestFinished(() => receiver.close());
  const release = () => new Promise<void>((resolve) => void held?.end(resolve));
  return { ...receiver, release };
}

/** Creates an account whose only delivery stays in flight. */
async function accountWithAttemptInFlight(
  receiver: Receiver,
): Promise<{ account: SandboxAccount; secret: string }> {
  const account = sandbox.account();
  const { secret } = (await post(account, "/v1/webhooks", { url: receiver.url })).body;
  await account.events.trigger("payout.paid");
  await receiver.got(1);
  return { account, secret };
}

/** Makes more round trips than any pending send or write needs to complete. */
async function makeRoundTrips(account: SandboxAccount): Promise<void> {
  for (let i = 0; i < 20; i++) await account.clock.get();
}

const waiting = { status: "pending", attempts: [] };

describe("while a delivery attempt is in flight", () => {
  test("a snapshot contains the pending delivery and its job, and the copy sends it once resumed", async () => {
    const receiver = await hangingReceiver();
    const { account, secret } = await accountWithAttemptInFlight(receiver);
    const snapshot = await account.snapshot();
    const [id = ""] = Object.keys(snapshot.state.delivery ?? {});
    expect(snapshot.state.delivery?.[id]).toMatchObject({ state: "pending", attempts: [] });
    expect(Object.values(snapshot.state.jobs ?? {})).toMatchObject([{ kind: "deliver", id }]);

    const copy = sandbox.account();
    await copy.restore(snapshot);
    await makeRoundTrips(copy);
    expect(await copy.deliveries.list()).toMatchObject([{ id, ...waiting }]);
    expect(receiver.received).toHaveLength(1);

    await copy.clock.resume();
    const [first, again] = await receiver.got(2);
    expect(again?.body).toEqual(first?.body);
    expect(again?.headers["x-service-signature"]).toBe(expectedSignature(again?.body as Buffer, secret));
    await until("it has arrived", async () => (await copy.deliveries.list())[0]?.status === "succeeded");
    await receiver.release();
  });

  test("a restore discards its result", async () => {
    const receiver = await hangingReceiver();
    const { account } = await accountWithAttemptInFlight(receiver);
    await account.restore(await account.snapshot());
    await receiver.release();
    await makeRoundTrips(account);
    expect(await account.deliveries.list()).toMatchObject([waiting]);
    expect((await account.advance("0s")).ran).toMatchObject([{ kind: "delivery", attempt: 1, status: 200 }]);
    expect(receiver.received).toHaveLength(2);
  });

  test("an advance of the restored clock neither waits for it nor treats its endpoint as dead", async () => {
    const receiver = await hangingReceiver();
    const { account } = await accountWithAttemptInFlight(receiver);
    await account.restore(await account.snapshot());
    expect((await account.advance("1h")).ran).toMatchObject([{ kind: "delivery", attempt: 1, status: 200 }]);
    await receiver.release();
  });
});

describe("on disk", () => {
  test.each(["process", "power"] as const)(
    "%s: a restore that was acknowledged survives a kill, and its delivery is sent once resumed",
    async (durability) => {
      const { url, close } = await startReceiver();
      await close();
      const first = await openOn(freshFolder());
      const origin = first.account("svc_test_origin");
      const { secret } = (await post(origin, "/v1/webhooks", { url })).body;
      await startPhone(origin);
      await origin.clock.freeze();
      await origin.events.trigger("payout.paid");
      const snapshot = await origin.snapshot();

      const folder = freshFolder();
      const second = await openOn(folder, { durability });
      const copy = second.account("svc_test_copy");
      for (let i = 0; i < 3; i++) await startPhone(copy);
      await copy.restore(snapshot);
      const killed = copyAsKilled(folder);

      const receiver = await startReceiver(undefined, Number(new URL(url).port));
      onTestFinished(() => receiver.close());
      const third = await openOn(killed, { durability });
      const restored = third.account("svc_test_copy");
      expect(await restored.snapshot()).toEqual(snapshot);
      expect(await restored.clock.get()).toMatchObject({ now: snapshot.clock.now, mode: "paused" });
      expect(receiver.received).toEqual([]);
      expect((await startPhone(restored)).body).toEqual((await startPhone(origin)).body);
      await restored.clock.resume();
      const [received] = await receiver.got(1);
      expect(received?.headers["x-service-signature"]).toBe(
        expectedSignature(received?.body as Buffer, secret),
      );
      expect(third.stderr()).toBe("");
    },
  );

  test.runIf(diskCanBeFull)("a restore that does not fit is refused and changes nothing", async () => {
    const program = await startOn(freshFolder());
    const [account, other] = [program.account("svc_test_small"), program.account("svc_test_other")];
    for (const each of [account, other]) await each.clock.freeze();
    await startPhone(account);
    for (let i = 0; i < 5; i++) await startPhone(other);
    const [before, snapshot] = [await bytesOf(account), await other.snapshot()];
    limitFiles(program, 5_000);
    await expect(account.restore(snapshot)).rejects.toMatchObject({
      status: 503,
      code: "storage_unavailable",
    });
    expect(await bytesOf(account)).toBe(before);
    limitFiles(program, "unlimited");
    await account.restore(snapshot);
    expect(await account.snapshot()).toEqual(snapshot);
  });

  test("a restored account is unchanged after compaction and reloading", async () => {
    const [folder, version] = [freshFolder(), "0.1.0"];
    const first = openWorld(folder);
    const [origin, copy] = [await first.account("svc_test_origin"), await first.account("svc_test_copy")];
    writeMuch(origin);
    put(copy, "things", "of the copy", {});
    await restoreSnapshot(copy, takeSnapshot(origin, version), version);
    writeMuch(copy);
    await copy.safe();
    await first.store.compact();
    const bytes = JSON.stringify(takeSnapshot(copy, version));
    await first.close();
    const again = await openWorld(folder).account("svc_test_copy");
    expect(JSON.stringify(takeSnapshot(again, version))).toBe(bytes);
    expect(again.state.has(things, "of the copy")).toBe(false);
  });
});

const awkward = ["b", "10", "2", "01", "__proto__", "constructor", "#x", "#5", "", "-1", "a", "4294967295"];

/** Restores through JSON, as a client would. */
async function carryOver(from: Account, to: Account): Promise<void> {
  const document = JSON.parse(JSON.stringify(takeSnapshot(from, "0.1.0")));
  await restoreSnapshot(to, document, "0.1.7");
}

test("records keep their ids and order, whatever the ids are", async () => {
  const { account } = openWorld(freshFolder());
  const [origin, copy] = [await account("svc_test_origin"), await account("svc_test_copy")];
  const records = JSON.parse('[{"__proto__":{"polluted":1}},{"2":1,"b":{"10":1,"a":2,"1":3}},{}]');
  for (const [i, id] of awkward.entries()) put(origin, "things", id, records[i % 3]);
  await carryOver(origin, copy);
  expect([...copy.state.ids(things)]).toEqual(awkward);
  for (const id of awkward) expect(copy.state.text(things, id)).toBe(origin.state.text(things, id));
  await carryOver(copy, origin);
  expect([...origin.state.ids(things)]).toEqual(awkward);
  expect({}).not.toHaveProperty("polluted");
});

test("emptied tables and tables added later do not affect the bytes", async () => {
  const { account } = openWorld(freshFolder());
  const [origin, copy] = [await account("svc_test_origin"), await account("svc_test_copy")];
  put(origin, "first", "a", {});
  put(origin, "second", "a", {});
  origin.commit("api", () => origin.state.delete({ name: "first" }, "a"));
  await carryOver(origin, copy);
  for (const each of [origin, copy]) {
    each.commit("api", () => each.setClock({ offset: 0, frozen_at: 0 }));
    put(each, "first", "b", {});
  }
  expect(takeSnapshot(copy, "0.1.0")).toEqual(takeSnapshot(origin, "0.1.0"));
  expect(JSON.stringify(takeSnapshot(copy, "0.1.0"))).toBe(JSON.stringify(takeSnapshot(origin, "0.1.0")));
});
