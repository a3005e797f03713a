import { expect, onTestFinished, test, vi } from "vitest";
import { PostgresStore } from "../../../../../src/world/store/postgres/postgres-store.js";
import { OwnedElsewhere } from "../../../../../src/world/store/store.js";
import { proxyTo } from "../../../../support/cut-connections.js";
import { freshDatabase, type TestDatabase } from "../../../../support/postgres.js";
import { openAccount, whenSafe } from "../../../../support/stores.js";
import { until } from "../../../../support/until.js";

/** Longer than a lease. */
const suspendedMs = 20_000;

/** What the wall clock shows, in ms since the epoch. */
let wallClock = 0;

/** Opens a store, and stops the wall clock of the process. */
async function openOn({ url }: TestDatabase): Promise<PostgresStore> {
  const store = await PostgresStore.open({ address: url, warn: () => {} });
  wallClock = Date.now();
  // The store reads the clock of the process even where a test replaces the global Date.
  const clock = vi.spyOn(Date, "now").mockImplementation(() => wallClock);
  onTestFinished(() => {
    clock.mockRestore();
    return store.close();
  });
  return store;
}

/** Lets time pass as if the machine had been suspended. */
const suspend = (): void => {
  wallClock += suspendedMs;
};

test("a reply waits for another renewal if the machine was suspended before the answer to the first one was read", async () => {
  const store = await openOn(await freshDatabase());
  const { log } = await openAccount(store);
  suspend();
  expect(log.safe).toBe(false);
  const whenSafe = new Promise((resolve) => log.whenSafe((error) => resolve([error, store.isLive])));
  // The renewal has been sent.
  suspend();
  expect(await whenSafe).toEqual([null, true]);
});

test("a replica whose row was deleted refuses what it has read, and registers under an id that was never used", async () => {
  const database = await freshDatabase();
  const store = await openOn(database);
  const { log } = await openAccount(store);
  const first = store.replicaId;
  await database.query("DELETE FROM standin_replica");
  suspend();
  await expect(whenSafe(log)).rejects.toThrow("the lease of this replica has expired");
  const second = store.replicaId;
  expect(second).not.toBe(first);
  // The row of the next attempt is inserted after the replica has stopped to wait for it.
  const lock = await database.connect();
  onTestFinished(() => lock.release(true));
  await lock.query("BEGIN; LOCK TABLE standin_replica IN SHARE MODE");
  store.whenLive(() => {});
  await until("the replica gives up the id", () => store.replicaId !== second);
  await lock.query("COMMIT");
  await until("the lease is live", () => store.isLive);
  const rows = await database.query<{ id: string }>("SELECT id FROM standin_replica");
  expect(rows.map(({ id }) => id)).toContain(store.replicaId);
  expect(store.replicaId).not.toBe(second);
});

test("a replica that goes on under a new id acquires no account before the others can see that id", async () => {
  const database = await freshDatabase();
  const [store, other] = [await openOn(database), await openOn(database)];
  const { log } = await openAccount(store);
  await database.query("DELETE FROM standin_replica WHERE id = $1", [store.replicaId]);
  suspend();
  await expect(whenSafe(log)).rejects.toThrow();
  await new Promise((resolve) => other.whenLive(resolve));
  // The row of the new id waits for the lock.
  const lock = await database.connect();
  onTestFinished(() => lock.release(true));
  await lock.query("BEGIN; LOCK TABLE standin_replica IN SHARE MODE");
  const opening = openAccount(store).catch((error: unknown) => error);
  const takenOver = await openAccount(other);
  await lock.query("COMMIT");
  const opened = await opening;
  await takenOver.safe();
  // A replica that had acquired the account before would take it to be its own without end.
  expect(opened).toBeInstanceOf(OwnedElsewhere);
});

/** Ends the session in which a replica renews its lease, as an administrator or a restart of the database would. */
const endSession = ({ query }: TestDatabase, replica: string) =>
  query(
    `SELECT pg_terminate_backend(pid) FROM pg_locks JOIN standin_replica ON session_lock = (classid::bigint << 32) + objid::bigint
     WHERE locktype = 'advisory' AND id = $1`,
    [replica],
  );

const idsIn = async ({ query }: TestDatabase): Promise<string[]> =>
  (await query<{ id: string }>("SELECT id FROM standin_replica ORDER BY started_at")).map(({ id }) => id);

test("a replica that seems to have died keeps its accounts while its session lasts, and if a new one replaces it", async () => {
  const database = await freshDatabase();
  const [store, other] = [await openOn(database), await openOn(database)];
  const { log } = await openAccount(store);
  const ids = [store.replicaId, other.replicaId];
  await other.suspect(store.replicaId);
  expect(await idsIn(database)).toEqual(ids);
  const [before] = await database.query("SELECT session_lock FROM standin_replica WHERE id = $1", [
    store.replicaId,
  ]);
  await endSession(database, store.replicaId);
  await other.suspect(store.replicaId);
  expect(await idsIn(database)).toEqual(ids);
  const [after] = await database.query("SELECT session_lock FROM standin_replica WHERE id = $1", [
    store.replicaId,
  ]);
  expect(after).not.toEqual(before);
  await whenSafe(log);
  await expect(openAccount(other)).rejects.toBeInstanceOf(OwnedElsewhere);
});

test("a replica that has lost its session answers nothing from before another one has taken its account over", async () => {
  const database = await freshDatabase();
  const proxy = await proxyTo(database.url);
  const [store, other] = [await openOn({ ...database, url: proxy.url }), await openOn(database)];
  const { log } = await openAccount(store);
  const gone = new Promise<void>((resolve) => other.watch(store.replicaId, resolve));
  proxy.cut();
  await until("the session has ended", async () => {
    await other.suspect(store.replicaId);
    return (await idsIn(database)).length === 1;
  });
  await gone;
  await (await openAccount(other)).safe();
  expect(log.safe).toBe(false);
  await expect(whenSafe(log)).rejects.toThrow("could not be renewed");
  proxy.restore();
  await expect(whenSafe(log)).rejects.toThrow();
  await until("the replica goes on under a new id", async () => (await idsIn(database)).length === 2);
});

test("a replica whose renewals change their session without a new connection takes no further locks", async () => {
  const database = await freshDatabase();
  const store = await openOn(database);
  const { leases } = store.database;
  const renew = async () => {
    suspend();
    await new Promise<void>((resolve, reject) =>
      store.whenLive((error) => (error ? reject(error) : resolve())),
    );
    const [row] = await database.query<{ session_lock: string | null }>(
      "SELECT session_lock FROM standin_replica",
    );
    return row?.session_lock;
  };
  const first = await renew();
  // A pool of two connections hands renewals to one or the other, as a pooler does.
  leases.options.max = 2;
  const busy = await leases.connect();
  const second = await renew();
  expect(second).not.toBe(first);
  const other = await leases.connect();
  busy.release();
  // This lock is the last one, since the session has changed without a connection.
  const third = await renew();
  expect(third).not.toBe(second);
  const taken = await leases.connect();
  other.release();
  expect(await renew()).toBe(null);
  taken.release();
  expect(await renew()).toBe(null);
});
