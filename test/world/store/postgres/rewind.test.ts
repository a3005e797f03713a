/** What replaces a whole account at once is kept when another replica takes the account over. */
import { expect, test } from "vitest";
import type { SandboxAccount } from "../../../../src/index.js";
import { freshDatabase, startReplicasHere } from "../../../support/postgres.js";
import { call, post, startPhone } from "../../../support/sandbox.js";
import { bytesOf, frozenAt } from "../../../support/snapshots.js";
import { endReplica } from "../../../support/stores.js";

/** Returns an account as its owner and as another replica see it. `fence` ends the owner's lease, as if it had been killed. */
async function ownedAndSeen() {
  const database = await freshDatabase();
  const [first, second] = await startReplicasHere(database, 2);
  const owner = first.account();
  await owner.clock.freeze(frozenAt);
  const fence = () => endReplica(database, { url: first.url });
  return { owner, other: second.account({ key: owner.key }), fence };
}

const start = async (account: SandboxAccount): Promise<string> => (await startPhone(account)).body.id;

const takenOver = async (account: SandboxAccount): Promise<boolean> =>
  (await call(account, "GET", "/_sandbox/requests")).headers.has("x-sandbox-log-since");

test("a rewind through another replica is kept when the owner is lost, and what followed comes again", async () => {
  const { owner, other, fence } = await ownedAndSeen();
  await start(owner);
  const before = await bytesOf(owner);
  const [second, third] = [await start(owner), await start(other)];
  const after = await bytesOf(owner);
  const rewound = await post(other, "/_sandbox/rewind", { to: second });
  expect([rewound.status, rewound.body.commits]).toEqual([200, 2]);
  expect(await bytesOf(owner)).toBe(before);
  await fence();
  expect(await bytesOf(other)).toBe(before);
  expect(await takenOver(other)).toBe(true);
  expect([await start(other), await start(other)]).toEqual([second, third]);
  expect(await bytesOf(other)).toBe(after);
});

test("after a take-over, a rewind reaches back to it and no further", async () => {
  const { owner, other, fence } = await ownedAndSeen();
  const first = await start(owner);
  await fence();
  const before = await bytesOf(other);
  const second = await start(other);
  expect((await post(other, "/_sandbox/rewind", { to: first })).status).toBe(404);
  expect((await post(other, "/_sandbox/rewind", { to: second })).status).toBe(200);
  expect(await bytesOf(other)).toBe(before);
});

test("a restored snapshot is kept when the owner is lost", async () => {
  const { owner, other, fence } = await ownedAndSeen();
  await start(owner);
  const snapshot = await owner.snapshot();
  const before = await bytesOf(owner);
  await start(owner);
  await other.restore(snapshot);
  expect(await bytesOf(owner)).toBe(before);
  await fence();
  expect(await bytesOf(other)).toBe(before);
  expect(await takenOver(other)).toBe(true);
});

test("recording and bundle are the owner's, whichever replica is asked", async () => {
  const { owner, other } = await ownedAndSeen();
  const id = await start(owner);
  const stepsAt = async (account: SandboxAccount) =>
    (await call(account, "GET", "/_sandbox/export/scenario")).body.scenario.steps;
  const steps = await stepsAt(other);
  expect(steps).toEqual(await stepsAt(owner));
  expect(JSON.stringify(steps)).toContain("POST /v1/phone/verify/start");
  const bundle = await call(other, "GET", "/_sandbox/export/bundle");
  expect([bundle.status, JSON.stringify(bundle.body).includes(id)]).toEqual([200, true]);
});
