/** What every store promises its users: the interface in src/world/store/store.ts, for each kind of store. */
import { isDeepStrictEqual } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { createSandbox } from "../../../src/index.js";
import { afterTick } from "../../../src/time/time.js";
import { type Change, State } from "../../../src/world/store/state.js";
import { OwnedElsewhere, type Store } from "../../../src/world/store/store.js";
import { call, startPhone } from "../../support/sandbox.js";
import {
  openAccount,
  openStoreIn,
  ownRecords,
  type StoreKind,
  type StorePlace,
  storeKinds,
} from "../../support/stores.js";
import { until } from "../../support/until.js";

const id = "acct_aaaaaaaaaaaaaaaa";
const other = "acct_bbbbbbbbbbbbbbbb";
const hourMs = 3_600_000;

interface Begun {
  place: StorePlace;
  /** The store that was opened last. */
  store: Store;
  /** Closes the store, and opens the next one in the same place. */
  reopen(): Promise<Store>;
}

/** Opens a store in a place of its own. It is closed at the end of the test, and must not have warned. */
async function begin(kind: StoreKind): Promise<Begun> {
  const place = await kind.createPlace();
  const warnings: string[] = [];
  const open = () => openStoreIn(place, (message) => warnings.push(message));
  const begun: Begun = {
    place,
    store: await open(),
    async reopen() {
      await begun.store.close();
      begun.store = await open();
      return begun.store;
    },
  };
  onTestFinished(async () => {
    await begun.store.close();
    expect(warnings).toEqual([]);
  });
  return begun;
}

const put = (record: string, value: unknown = {}): Change => ["things", record, JSON.stringify(value)];
const deletion = (record: string): Change => ["things", record, null];

/** Opens an account and commits a record, together with the account's own ones. */
async function write(store: Store, account = id) {
  const opened = await openAccount(store, account);
  opened.commit(...ownRecords, put("first"));
  await opened.safe();
  return opened;
}

/** Returns everything that a state has, including the order of its records, which lists depend on. */
const bytes = (state: State): string => JSON.stringify([...state.everything()]);

/** Expects the account to be what the store keeps of this state. */
async function expectKept({ isKept }: StoreKind, store: Store, before: State, account = id): Promise<void> {
  const { known, state } = await openAccount(store, account);
  expect(known).toBe(isKept);
  expect(bytes(state)).toBe(bytes(isKept ? before : new State()));
}

const nextTick = () => new Promise<void>(afterTick);
const megabyte = "x".repeat(1024 * 1024);

const byName = storeKinds.map((kind) => [kind.name, kind] as const);

describe.each(byName)("%s:", (_name, kind) => {
  const { isKept } = kind;

  /** Opens a sandbox in the place. */
  async function openSandbox({ options }: StorePlace) {
    const sandbox = await createSandbox({ ...options, validateReplies: true });
    onTestFinished(() => sandbox.close());
    return sandbox;
  }

  test("what a sandbox has acknowledged is there in the next one in the same place", async () => {
    const place = await kind.createPlace();
    const first = await openSandbox(place);
    const account = first.account();
    const { body } = await startPhone(account);
    const before = await call(account, "GET", "/_sandbox/snapshot");
    await first.close();
    const again = (await openSandbox(place)).account({ key: account.key });
    const record = await call(again, "GET", `/_sandbox/records/${body.id}`);
    expect(record.body.id).toBe(isKept ? body.id : undefined);
    const after = await call(again, "GET", "/_sandbox/snapshot");
    expect(isDeepStrictEqual(after.body.state, before.body.state)).toBe(isKept);
  });

  test("looking up an account that does not exist does not create it", async () => {
    const place = await kind.createPlace();
    const sandbox = await openSandbox(place);
    const reply = await call(sandbox.account(), "GET", "/_sandbox/account", undefined, {
      "X-Sandbox-Account": id,
    });
    expect([reply.status, reply.body.error.code]).toEqual([404, "resource_not_found"]);
    expect(await place.accountIds()).not.toContain(id);
  });

  test("an account that was never seen is unknown and empty, and is not stored until it is written", async () => {
    const { store, place } = await begin(kind);
    const state = new State();
    const opening = store.open(id, state, () => {});
    expect(opening instanceof Promise).toBe(!kind.opensNewAtOnce);
    const { known, log } = await opening;
    expect([known, state.recordCount, log.safe]).toEqual([false, 0, true]);
    log.close();
    await store.close();
    expect(await place.accountIds()).toEqual([]);
  });

  test("what was committed is there in the next sandbox to the byte, in its order, and accounts are apart", async () => {
    const begun = await begin(kind);
    const { commit, safe, state } = await write(begun.store);
    commit(...["10", "9", "b", "1"].map((record) => put(record)), put("__proto__", { constructor: null }));
    commit(put("9", { text: "ünïcode \n 'quotes\" \u0000 \ud800 \u2028" }), deletion("b"));
    commit(put("b", [1.5e300, null, { "": "" }]), ["others", "", "0"], deletion("never there"));
    commit();
    await safe();
    expect([...state.ids({ name: "things" })]).toEqual(["first", "10", "9", "1", "__proto__", "b"]);
    const second = await write(begun.store, other);
    await begun.reopen();
    await expectKept(kind, begun.store, state);
    await expectKept(kind, begun.store, second.state, other);
    await begun.store.close();
    expect(await begun.place.accountIds()).toEqual(isKept ? [id, other] : []);
  });

  test("a commit can replace everything before it", async () => {
    const begun = await begin(kind);
    const { commit, safe, state } = await write(begun.store);
    commit(["*", "*", null], put("only"), ...ownRecords);
    await safe();
    expect([...state.ids({ name: "things" })]).toEqual(["only"]);
    await expectKept(kind, await begun.reopen(), state);
  });

  test("a commit of a megabyte is kept as a whole, with those before and after it", async () => {
    const begun = await begin(kind);
    const { commit, safe, state } = await write(begun.store);
    commit(...Array.from({ length: 1_000 }, (_, i) => put(`r${i}`, { i, text: "ü".repeat(1_000) })));
    commit(put("last"), deletion("r5"));
    await safe();
    await expectKept(kind, await begun.reopen(), state);
  });

  test("an account that has left memory is read again by the same sandbox, if accounts can leave it", async () => {
    const { store } = await begin(kind);
    expect(store.evicts).toBe(isKept);
    const { log, state } = await write(store);
    log.close();
    await expectKept(kind, store, state);
  });

  test("commits become safe in order, whatever turn of the event loop they are made in", async () => {
    const { store } = await begin(kind);
    const { log, commit } = await write(store);
    const safe: number[] = [];
    for (let i = 0; i < 50; i++) {
      commit(put(String(i)));
      log.whenSafe((error) => {
        expect(error).toBeNull();
        safe.push(i);
      });
      if (i % 7 === 0) await nextTick();
    }
    await until("all are safe", () => safe.length === 50);
    expect(safe).toEqual(Array.from({ length: 50 }, (_, i) => i));
  });

  test("a log is safe once its commits are", async () => {
    const { store } = await begin(kind);
    const { log, commit, safe } = await write(store);
    expect(log.safe).toBe(true);
    commit(put("second"));
    expect(log.safe).toBe(!isKept);
    await safe();
    expect(log.safe).toBe(true);
  });

  test("commits that cannot be kept are refused, then the account is lost, and none of them is there when it is opened again", async () => {
    const begun = await begin(kind);
    const before = await write(begun.store);
    before.log.close();
    const state = new State();
    const calls: string[] = [];
    const { log } = await begun.store.open(id, state, () => calls.push("lost"));
    const note = (name: string) =>
      log.whenSafe((error) => calls.push(`${name} ${error ? "refused" : "kept"}`));
    const repair = await begun.place.breakWrites(id);
    for (const name of ["second", "third"]) {
      state.load(...put(name));
      log.append([put(name)]);
      note(name);
    }
    const isLost = () => calls.includes("lost") || !isKept;
    await until("the commits have ended", () => calls.length >= 2 && isLost());
    log.append([put("fourth")]);
    note("fourth");
    await until("the last commit has ended", () => calls.some((call) => call.startsWith("fourth")));
    expect(calls).toEqual(
      isKept
        ? ["second refused", "third refused", "lost", "fourth refused"]
        : ["second kept", "third kept", "fourth kept"],
    );
    expect(log.safe).toBe(!isKept);
    log.close();
    await repair();
    await expectKept(kind, begun.store, before.state);
    const { commit, safe, state: after } = await openAccount(begun.store);
    commit(...ownRecords, put("later"));
    await safe();
    await expectKept(kind, await begun.reopen(), after);
  });

  test("a log brings its document up to date, if there is one, in the order of the records, and goes on", async () => {
    const begun = await begin(kind);
    const { log, commit, safe, state } = await write(begun.store);
    expect(log.fold !== undefined).toBe(kind.hasDocuments);
    const numbers = ["10", "9", "b", "1"];
    commit(...numbers.map((record) => put(record)), deletion("first"));
    await log.fold?.();
    commit(put("last"));
    await safe();
    expect([...state.ids({ name: "things" })]).toEqual([...numbers, "last"]);
    log.close();
    await expectKept(kind, begun.store, state);
    await expectKept(kind, await begun.reopen(), state);
  });

  test.each([
    ["at its beginning", 20],
    ["until after its end", Number.POSITIVE_INFINITY],
  ])("commits are kept that are made while the store is compacted, %s", async (_when, maxCommits) => {
    const begun = await begin(kind);
    const { commit, safe, state } = await write(begun.store);
    for (let i = 0; i < 6; i++) commit(put(`large${i % 4}`, { text: `${i}${megabyte}` }));
    await safe();
    let isCompacting = true;
    const compacting = begun.store.compact().finally(() => {
      isCompacting = false;
    });
    for (let i = 0; isCompacting && i < maxCommits; i++) {
      commit(put(`small${i % 100}`, i), deletion(`small${(i + 50) % 100}`));
      await nextTick();
    }
    await compacting;
    await safe();
    await expectKept(kind, await begun.reopen(), state);
  });

  test("a store closes when everything is kept that was committed until then, and has called back", async () => {
    const begun = await begin(kind);
    const { log, commit, state } = await openAccount(begun.store);
    commit(...ownRecords, put("last"));
    const safe: unknown[] = [];
    log.whenSafe((error) => safe.push(error));
    await begun.store.close();
    expect(safe).toEqual([null]);
    await expectKept(kind, await begun.reopen(), state);
  });

  test("the next sandbox is told when accounts are due, as was noted last", async () => {
    const begun = await begin(kind);
    const { store } = begun;
    const later = Date.now() + hourMs;
    const due = { with: "acct_with", leaving: "acct_leaving", idle: "acct_idle", later: "acct_later" };
    const open = async (account: string) => (await write(store, account)).log;
    const withCommit = await openAccount(store, due.with);
    store.noteDue(due.with, 7);
    store.noteDue(due.with, 5);
    withCommit.commit(...ownRecords);
    await withCommit.safe();
    withCommit.log.close();
    const leaving = await open(due.leaving);
    store.noteDue(due.leaving, 6);
    leaving.close();
    const idle = await openAccount(store, due.idle);
    store.noteDue(due.idle, 5);
    idle.commit(...ownRecords);
    await idle.safe();
    store.noteDue(due.idle, null);
    idle.log.close();
    const notYet = await open(due.later);
    store.noteDue(due.later, later);
    notYet.close();
    (await open("acct_never")).close();

    const next = await begun.reopen();
    const [early, late] = [{ [due.with]: 5, [due.leaving]: 6 }, { [due.later]: later }];
    expect(Object.fromEntries(await next.dueAccounts())).toEqual({
      ...(isKept ? early : {}),
      ...(kind.listsLaterDue ? late : {}),
    });
    const dueAtOpening = async (account: string) => (await openAccount(next, account)).due;
    expect(await dueAtOpening(due.with)).toBe(kind.saysDue ? 5 : undefined);
    expect(await dueAtOpening(due.idle)).toBe(kind.saysDue ? null : undefined);
  });

  test("accounts are found that were not written since a time", async () => {
    const begun = await begin(kind);
    await write(begun.store);
    await write(begun.store, other);
    await begun.store.close();
    if (isKept) await begun.place.age(id, 2 * hourMs);
    await begun.reopen();
    const unusedFor = (ms: number) => begun.store.unusedSince?.(Date.now() - ms);
    expect(await unusedFor(hourMs)).toEqual(isKept ? [id] : undefined);
    expect(await unusedFor(3 * hourMs)).toEqual(isKept ? [] : undefined);
    const { commit, safe } = await openAccount(begun.store);
    commit(put("second"));
    await safe();
    await begun.reopen();
    expect(await unusedFor(hourMs)).toEqual(isKept ? [] : undefined);
  });

  test("an account that is not open is removed with all that is stored, unless a sandbox that shares it has used it since", async () => {
    const begun = await begin(kind);
    const { place } = begun;
    const remove = async () => {
      const { log } = await openAccount(await begun.reopen());
      log.close();
      begun.store.remove?.(id, Date.now() - hourMs);
      await begun.store.close();
      return place.accountIds();
    };
    await write(begun.store);
    await write(begun.store, other);
    expect(begun.store.remove !== undefined).toBe(isKept);
    expect(await remove()).toEqual([...(kind.isShared ? [id] : []), ...(isKept ? [other] : [])]);
    await write(await begun.reopen());
    await begun.store.close();
    await place.age(id, 2 * hourMs);
    expect(await remove()).toEqual(isKept ? [other] : []);
    await expectKept({ ...kind, isKept: false }, await begun.reopen(), new State());
  });

  test("stored accounts are counted, unless the store keeps none or admits accounts itself", async () => {
    const { store } = await begin(kind);
    const count = async () => store.countAccounts?.();
    expect(await count()).toBe(kind.countsAccounts ? 0 : undefined);
    await write(store);
    await openAccount(store, other);
    expect(await count()).toBe(kind.countsAccounts ? 1 : undefined);
    await write(store, "acct_third").then(({ log }) => log.close());
    expect(await count()).toBe(kind.countsAccounts ? 2 : undefined);
  });

  test("the journal of an account's requests is read by the next sandbox, if it is stored", async () => {
    const begun = await begin(kind);
    await write(begun.store);
    const read = async () => (await begun.reopen()).requestLog(id)?.read();
    const expected = (...lines: string[]) => (kind.keepsRequests ? lines : undefined);
    expect(await read()).toEqual(expected());
    await begun.store.requestLog(id)?.append(["1", "2"]);
    await begun.store.requestLog(id)?.append(["3"]);
    expect(await read()).toEqual(expected("1", "2", "3"));
    expect(await begun.store.requestLog(other)?.read()).toEqual(expected());
    await begun.store.requestLog(id)?.replace(["3"]);
    expect(await read()).toEqual(expected("3"));
    begun.store.requestLog(id)?.clear();
    expect(await read()).toEqual(expected());
  });

  test("each later run has an id of its own, and the seed stays, which no other place has", async () => {
    const begun = await begin(kind);
    const first = begun.store;
    const seed = first.seed?.();
    expect(first.runId).toBe("");
    await write(first);
    const second = await begun.reopen();
    expect(second.runId !== "").toBe(isKept);
    // Run ids of one millisecond may be equal.
    const opened = Date.now();
    await until("the clock has gone on", () => Date.now() > opened);
    const third = await begun.reopen();
    expect(third.runId !== second.runId).toBe(isKept);
    expect(third.seed?.()).toBe(seed);
    expect(seed !== undefined && seed.length >= 32).toBe(isKept);
    const elsewhere = await begin(kind);
    expect(elsewhere.store.seed?.() !== seed).toBe(isKept);
  });

  test("a second sandbox does not write to an account that the first one has open, and has it after that", async () => {
    const begun = await begin(kind);
    const { state } = await write(begun.store);
    const tryAccount = async () => {
      const second = await openStoreIn(begun.place);
      onTestFinished(() => second.close());
      return (await openAccount(second)).known ? "known" : "unknown";
    };
    const outcome = await tryAccount().catch((error: Error) => error.message);
    expect(outcome).toMatch(kind.whileInUse);
    await expectKept(kind, await begun.reopen(), state);
  });

  test("a store that sandboxes share has a cluster", async () => {
    const { store } = await begin(kind);
    expect(store.cluster !== undefined).toBe(kind.isShared);
  });
});

describe.each(byName.filter(([, { isShared }]) => isShared))("%s, shared:", (_name, kind) => {
  /** Opens the stores of two sandboxes in one place. */
  async function beginTwo() {
    const { place, store } = await begin(kind);
    const second = await openStoreIn(place);
    onTestFinished(() => second.close());
    return { first: store, second, clusters: [clusterOf(store), clusterOf(second)] as const };
  }

  const clusterOf = ({ cluster }: Store) => cluster as NonNullable<Store["cluster"]>;

  test("sandboxes know each other and one secret, and which of them has an account", async () => {
    const { first, second, clusters } = await beginTwo();
    const [one, two] = clusters;
    expect([one.hasLease, two.hasLease]).toEqual([true, true]);
    expect([two.secret, second.seed?.()]).toEqual([one.secret, first.seed?.()]);
    await one.announce("http://one.example");
    await write(first);
    const replicas = await two.replicas();
    expect(replicas.map(({ id, url, accounts }) => [id, url, accounts])).toEqual([
      [one.replicaId, "http://one.example", 1],
      [two.replicaId, null, 0],
    ]);
    for (const { lease_ms } of replicas) expect(lease_ms).toBeGreaterThan(0);
    await expect(openAccount(second)).rejects.toEqual(
      new OwnedElsewhere(id, one.replicaId, "http://one.example"),
    );
  });

  test("looking for an account does not create it", async () => {
    const { first, clusters } = await beginTwo();
    expect(await clusters[1].has(id)).toBe(false);
    expect(await clusters[1].has(id)).toBe(false);
    await write(first);
    expect(await clusters[1].has(id)).toBe(true);
  });

  test("who watches a sandbox is called when it is gone, and then has its accounts", async () => {
    const { first, second, clusters } = await beginTwo();
    const [one, two] = clusters;
    const { state } = await write(first);
    let isGone = false;
    two.watch(one.replicaId, () => {
      isGone = true;
    });
    const ending = two.watch(one.replicaId, () => expect.unreachable());
    ending();
    await two.announce("http://two.example");
    expect(isGone).toBe(false);
    await first.close();
    await two.announce("http://two.example");
    expect(isGone).toBe(true);
    await expectKept(kind, second, state);
  });

  test("accounts have places up to a maximum, which those that were written keep", async () => {
    const { first, second, clusters } = await beginTwo();
    const [one, two] = clusters;
    await write(first);
    await openAccount(first, other);
    await openAccount(second, "acct_third");
    expect(await one.admit(id, 0)).toBe(true);
    expect(await one.admit(other, 1)).toBe(false);
    expect(await one.admit(other, 2)).toBe(true);
    expect(await two.admit("acct_third", 2)).toBe(false);
    expect(await two.admit("acct_third", 3)).toBe(true);
    await first.close();
    expect(await two.admit("acct_third", 0)).toBe(true);
    await openAccount(second, "acct_fourth");
    expect(await two.admit("acct_fourth", 2)).toBe(false);
    expect(await two.admit("acct_fourth", 3)).toBe(true);
  });
});
