import type { ServerResponse } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import type { SandboxAccount } from "../../src/index.js";
import type { Account } from "../../src/world/account.js";
import { diskCanBeFull, limitFiles } from "../support/disk.js";
import { freshFolder, startOn } from "../support/folder.js";
import { expectedSignature, type Receiver, startReceiver } from "../support/receiver.js";
import { post, useListeningSandbox } from "../support/sandbox.js";
import { bytesOf, startPhone } from "../support/snapshots.js";
import { until } from "../support/until.js";
import { openWorld, put, writeMuch } from "../support/world.js";
import { restoreSnapshot, takeSnapshot } from "../support/world-snapshots.js";

const sandbox = useListeningSandbox();

/** An endpoint that leaves its first delivery hanging until the test lets go of it. */
async function hangingReceiver(port = 0): Promise<Receiver & { letGo(): Promise<void> }> {
  let held: ServerResponse | undefined;
  const receiver = await startReceiver((count, response) => {
    if (count === 1) held = response;
    else response.end();
  }, port);
  onTestFinished(() => receiver.close());
  const letGo = () => new Promise<void>((resolve) => void held?.end(resolve));
  return { ...receiver, letGo };
}

/** Its only delivery is on the wire, and stays there. */
async function accountWithOneOnTheWire(
  receiver: Receiver,
): Promise<{ account: SandboxAccount; secret: string }> {
  const account = sandbox.account();
  const { secret } = (await post(account, "/v1/webhooks", { url: receiver.url })).body;
  await account.events.trigger("payout.paid");
  await receiver.got(1);
  return { account, secret };
}

/** More round trips than anything needs that is about to be sent, or to be written down. */
async function aWhile(account: SandboxAccount): Promise<void> {
  for (let i = 0; i < 20; i++) await account.clock.get();
}

const waiting = { status: "pending", attempts: [] };

describe("while an attempt is on the wire", () => {
  test("a snapshot holds the pending delivery and its job, and the copy sends it once it is resumed", async () => {
    const receiver = await hangingReceiver();
    const { account, secret } = await accountWithOneOnTheWire(receiver);
    const snapshot = await account.snapshot();
    const [id = ""] = Object.keys(snapshot.state.delivery ?? {});
    expect(snapshot.state.delivery?.[id]).toMatchObject({ state: "pending", attempts: [] });
    expect(Object.values(snapshot.state.jobs ?? {})).toMatchObject([{ kind: "deliver", id }]);

    const copy = sandbox.account();
    await copy.restore(snapshot);
    await aWhile(copy);
    expect(await copy.deliveries.list()).toMatchObject([{ id, ...waiting }]);
    expect(receiver.received).toHaveLength(1);

    await copy.clock.resume();
    const [first, again] = await receiver.got(2);
    expect(again?.body).toEqual(first?.body);
    expect(again?.headers["x-service-signature"]).toBe(expectedSignature(again?.body as Buffer, secret));
    await until("it has arrived", async () => (await copy.deliveries.list())[0]?.status === "succeeded");
    await receiver.letGo();
  });

  test("a restore forgets what becomes of it", async () => {
    const receiver = await hangingReceiver();
    const { account } = await accountWithOneOnTheWire(receiver);
    await account.restore(await account.snapshot());
    await receiver.letGo();
    await aWhile(account);
    expect(await account.deliveries.list()).toMatchObject([waiting]);
    expect((await account.advance("0s")).ran).toMatchObject([{ kind: "delivery", attempt: 1, status: 200 }]);
    expect(receiver.received).toHaveLength(2);
  });

  test("an advance of the restored clock neither waits for it nor takes its endpoint for dead", async () => {
    const receiver = await hangingReceiver();
    const { account } = await accountWithOneOnTheWire(receiver);
    await account.restore(await account.snapshot());
    expect((await account.advance("1h")).ran).toMatchObject([{ kind: "delivery", attempt: 1, status: 200 }]);
    await receiver.letGo();
  });
});

describe("on the disk", () => {
  test.each(["process", "power"])(
    "%s: what a restore has answered survives a kill, and is sent from there when it is resumed",
    async (durability) => {
      const { url, close } = await startReceiver();
      await close();
      const first = await startOn(freshFolder());
      const origin = first.account("svc_test_origin");
      const { secret } = (await post(origin, "/v1/webhooks", { url })).body;
      await startPhone(origin);
      await origin.clock.freeze();
      await origin.events.trigger("payout.paid");
      const snapshot = await origin.snapshot();

      const folder = freshFolder();
      const second = await startOn(folder, "--durability", durability);
      const copy = second.account("svc_test_copy");
      for (let i = 0; i < 3; i++) await startPhone(copy);
      await copy.restore(snapshot);
      await second.stop("SIGKILL");

      const receiver = await startReceiver(undefined, Number(new URL(url).port));
      onTestFinished(() => receiver.close());
      const third = await startOn(folder, "--durability", durability);
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

  test.runIf(diskCanBeFull)(
    "a restore that does not fit is refused, and everything is as it was",
    async () => {
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
    },
  );

  test("a restored account is folded and read again without a difference", async () => {
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
    expect(again.state.has("things", "of the copy")).toBe(false);
  });
});

const awkward = ["b", "10", "2", "01", "__proto__", "constructor", "#x", "#5", "", "-1", "a", "4294967295"];

/** As a client would: through JSON, both ways. */
async function carryOver(from: Account, to: Account): Promise<void> {
  const document = JSON.parse(JSON.stringify(takeSnapshot(from, "0.1.0")));
  await restoreSnapshot(to, document, "0.1.7");
}

test("whatever its ids are, the records come back under them and in their order", async () => {
  const { account } = openWorld(freshFolder());
  const [origin, copy] = [await account("svc_test_origin"), await account("svc_test_copy")];
  const records = JSON.parse('[{"__proto__":{"polluted":1}},{"2":1,"b":{"10":1,"a":2,"1":3}},{}]');
  for (const [i, id] of awkward.entries()) put(origin, "things", id, records[i % 3]);
  await carryOver(origin, copy);
  expect([...copy.state.ids("things")]).toEqual(awkward);
  for (const id of awkward) expect(copy.state.text("things", id)).toBe(origin.state.text("things", id));
  await carryOver(copy, origin);
  expect([...origin.state.ids("things")]).toEqual(awkward);
  expect({}).not.toHaveProperty("polluted");
});

test("tables that were emptied, and those that came later, make no difference to the bytes", async () => {
  const { account } = openWorld(freshFolder());
  const [origin, copy] = [await account("svc_test_origin"), await account("svc_test_copy")];
  put(origin, "first", "a", {});
  put(origin, "second", "a", {});
  origin.commit("api", () => origin.state.delete("first", "a"));
  await carryOver(origin, copy);
  for (const each of [origin, copy]) {
    each.commit("api", () => each.setClock({ offset: 0, frozen_at: 0 }));
    put(each, "first", "b", {});
  }
  expect(takeSnapshot(copy, "0.1.0")).toEqual(takeSnapshot(origin, "0.1.0"));
  expect(JSON.stringify(takeSnapshot(copy, "0.1.0"))).toBe(JSON.stringify(takeSnapshot(origin, "0.1.0")));
});
