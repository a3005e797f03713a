/**
 * Stores as their tests see them. The tests of what stores promise (test/world/store, without the folders `inside`) know a
 * store over HTTP, by the `Store` interface, and by this file alone: it changes with a store, and they do not.
 */
import { cpSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { version } from "../../src/sandbox.js";
import { FileStore } from "../../src/world/store/file-store.js";
import { FolderGuard } from "../../src/world/store/folder-guard.js";
import { type FolderLock, tryLock } from "../../src/world/store/folder-lock.js";
import { isJustBegun } from "../../src/world/store/journal.js";
import { openStore as openStoreOf } from "../../src/world/store/open-store.js";
import { readAccount } from "../../src/world/store/read-account.js";
import { type Change, State } from "../../src/world/store/state.js";
import { checkFormat, prepareFolder } from "../../src/world/store/storage-format.js";
import type { AccountLog, Store } from "../../src/world/store/store.js";
import type { Durability } from "../../src/world/store/sync.js";
import { accountFile, freshFolder } from "./folder.js";
import { freshDatabase, type TestDatabase } from "./postgres.js";

export interface StoreOptions {
  durability?: Durability;
  warn?(message: string): void;
}

const optionsOf = (folder: string, { durability = "process", warn = () => {} }: StoreOptions) => ({
  folder,
  durability,
  version,
  warn,
});

/** Opens a store on the folder, which the caller closes. */
export const openStore = (folder: string, options: StoreOptions = {}): Promise<Store> =>
  FileStore.open(optionsOf(folder, options));

/** Opens a store on a folder that no other process uses, in this turn of the event loop. */
export function openStoreAtOnce(folder: string, options: StoreOptions = {}): Store {
  const all = optionsOf(folder, options);
  prepareFolder(folder, all.durability);
  checkFormat(folder, all.durability, version);
  return new FileStore(all, new FolderGuard(all, tryLock(folder) as FolderLock));
}

/** A place where one store after the other keeps accounts, and what a test does there without a store. */
export interface StorePlace {
  /** Options of a store or a sandbox in this place. */
  options: { data?: string; durability?: Durability; store?: string };
  /** Returns the ids of the accounts that are stored, in order. */
  accountIds(): Promise<string[]>;
  /** Makes the account's next lines fail, until the returned function is called. */
  breakWrites(id: string): Promise<() => Promise<void>>;
  /** Moves the last use of an account to `ms` ago. No store may be open. */
  age(id: string, ms: number): Promise<void>;
}

/** A kind of store, with everything in which the kinds differ for their users. */
export interface StoreKind {
  name: string;
  /** Whether a later store in the same place has the accounts, so that writing them takes time and can fail. */
  isKept: boolean;
  /** Whether an account that the store has never seen is opened in the same turn of the event loop. */
  opensNewAtOnce: boolean;
  /** Whether an account is opened with the due time that was noted for it. */
  saysDue: boolean;
  /** Whether `dueAccounts` also returns accounts that are not due soon. */
  listsLaterDue: boolean;
  /** Whether the store counts accounts. */
  countsAccounts: boolean;
  /** Whether an account has a document that a person reads. */
  hasDocuments: boolean;
  /** Whether journals of requests are stored. */
  keepsRequests: boolean;
  /** Whether several sandboxes use it at a time, and an account is owned by one of them. */
  isShared: boolean;
  /** What a second sandbox in the same place finds out about an account that the first has open. */
  whileInUse: RegExp;
  createPlace(): Promise<StorePlace>;
}

/** Opens a store in the place, which the caller closes. */
export const openStoreIn = (
  { options }: StorePlace,
  warn: (message: string) => void = () => {},
): Promise<Store> => openStoreOf(options, version, warn);

/** Resolves when all commits of the log are kept. */
export const whenSafe = (log: AccountLog): Promise<void> =>
  new Promise((resolve, reject) => log.whenSafe((error) => (error ? reject(error) : resolve())));

/** Opens an account, whose commits change the state as they are appended. */
export async function openAccount(store: Store, account = "acct_aaaaaaaaaaaaaaaa") {
  const state = new State();
  const { log, known, due } = await store.open(account, state, () => {});
  const commit = (...changes: readonly Change[]) => {
    for (const [table, record, text] of changes) {
      if (table === "*") state.clear();
      else state.load(table, record, text);
    }
    log.append(changes);
  };
  return { log, known, due, state, commit, safe: () => whenSafe(log) };
}

/** Records without which an account is not complete. */
export const ownRecords = ["identity", "settings", "wallet"].map((id): Change => ["account", id, "{}"]);

const memoryPlace = async (): Promise<StorePlace> => ({
  options: {},
  accountIds: async () => [],
  breakWrites: async () => async () => {},
  async age() {},
});

async function filePlace(durability: Durability): Promise<StorePlace> {
  const data = freshFolder();
  const aside = freshFolder();
  const folderOf = (id: string) => join(data, "accounts", id);
  return {
    options: { data, durability },
    accountIds: async () => readdirSync(join(data, "accounts")).sort(),
    async breakWrites(id) {
      // A file in the place of the folder prevents that the store writes the folder again.
      cpSync(folderOf(id), join(aside, id), { recursive: true });
      rmSync(folderOf(id), { recursive: true });
      writeFileSync(folderOf(id), "");
      return async () => {
        rmSync(folderOf(id));
        renameSync(join(aside, id), folderOf(id));
      };
    },
    async age(id, ms) {
      const then = new Date(Date.now() - ms);
      for (const name of readdirSync(folderOf(id))) utimesSync(join(folderOf(id), name), then, then);
    },
  };
}

async function postgresPlace(): Promise<StorePlace> {
  const { url, query } = await freshDatabase();
  return {
    options: { store: url },
    accountIds: async () =>
      (await query<{ id: string }>("SELECT id FROM standin_account ORDER BY id")).map(({ id }) => id),
    async breakWrites() {
      await query("ALTER TABLE standin_journal RENAME TO taken_away");
      return async () => void (await query("ALTER TABLE taken_away RENAME TO standin_journal"));
    },
    age: async (id, ms) =>
      void (await query(
        "UPDATE standin_account SET used_at = clock_timestamp() - $2 * interval '1 ms' WHERE id = $1",
        [id, ms],
      )),
  };
}

const fileKind = {
  isKept: true,
  opensNewAtOnce: true,
  saysDue: true,
  listsLaterDue: true,
  countsAccounts: true,
  hasDocuments: true,
  keepsRequests: true,
  isShared: false,
  whileInUse: new RegExp(`in use by process ${process.pid}`),
};

/** All kinds of stores. A test that opens them needs the PostgreSQL server (test/support/postgres-setup.ts). */
export const storeKinds: readonly StoreKind[] = [
  {
    name: "memory",
    isKept: false,
    opensNewAtOnce: true,
    saysDue: false,
    listsLaterDue: false,
    countsAccounts: false,
    hasDocuments: false,
    keepsRequests: false,
    isShared: false,
    whileInUse: /^unknown$/,
    createPlace: memoryPlace,
  },
  { name: "files", ...fileKind, createPlace: () => filePlace("process") },
  { name: "files that survive a power failure", ...fileKind, createPlace: () => filePlace("power") },
  {
    name: "PostgreSQL",
    isKept: true,
    opensNewAtOnce: false,
    saysDue: false,
    listsLaterDue: false,
    countsAccounts: false,
    hasDocuments: false,
    keepsRequests: false,
    isShared: true,
    whileInUse: /^acct_a{16} is owned by the replica [0-9a-f]{16}$/,
    createPlace: postgresPlace,
  },
];

/** Reads the account of a folder whose store is closed. Rejects if its files are damaged. */
export async function readStored(folder: string, key: string): Promise<State> {
  const state = new State();
  const account = accountFile(folder, key);
  await readAccount({ folder: dirname(join(account, "any")), reader: state, warn() {}, check() {} });
  return state;
}

/** Copies a folder that is in use to `copy`, as it would be if the process were killed now. The copy is not locked. */
export function copyAsKilled(folder: string, copy = freshFolder()): string {
  cpSync(folder, copy, { recursive: true });
  rmSync(join(copy, "lock"), { recursive: true, force: true });
  return copy;
}

/** Format of the data folders that this version writes. */
export const folderFormat = 3;

/** Returns the path of the account's journal. */
export const journalOf = (folder: string, key: string): string => accountFile(folder, key, "journal.ndjson");

/** Returns the path of the account's document. */
export const documentOf = (folder: string, key: string): string => accountFile(folder, key, "state.json");

/** Returns whether commits are left in the account's journal, which its document does not contain. */
export const hasCommits = (folder: string, key: string): boolean => !isJustBegun(journalOf(folder, key));

/** Returns the numbers of the lines of a journal that end a commit: others are continued in the next line. */
export const commitLinesOf = (lines: readonly string[]): number[] =>
  lines.flatMap((line, number) => (JSON.parse(line)[2][0] === "+" ? [] : [number]));

/** Returns a document of which the checksum was removed, so that a person may edit it. */
export const withoutChecksum = (document: string): string => document.replace(/\n {2}"checksum": .*/, "");

/** Returns a line of a journal without its checksum, and without its line feed. */
export const withoutLineChecksum = (line: string): string => line.replace(/,"[0-9a-f]{8}"\]$/, "]");

/** How a document begins that the store has written. */
export const sealedDocument = /^\{\n {2}"checksum": "[0-9a-f]{8}",\n {2}"incarnation": "[0-9a-f]{16}",\n/;

/** How the damage is described of a journal that belongs to a later document than the one beside it. */
export const laterJournal = (journal: string): string => `${journal}, line 1, continues the document at 3`;

/** Makes a folder without a store look as one whose accounts have nothing to do: their journals say so themselves. */
export const noteNothingDue = (_folder: string): void => {};

/** Removes what says when accounts are due, where that is a file of its own. */
export const removeDueTimes = (_folder: string): void => {};

/** Returns whether it is stored when accounts are due: with each line, as long as there are lines. */
export const areDueTimesStored = (_folder: string): boolean => true;

/** Whether a warning says that due times could not be written into a removed folder, which is restored a moment later. */
export const isAboutDueTimes = (_warning: string): boolean => false;

/** Expects the due times of the accounts to be sound. A sandbox only reads them, and reports damage, some time after its start. */
export async function expectSoundDueTimes(folder: string): Promise<void> {
  const warnings: string[] = [];
  const store = await openStore(copyAsKilled(folder), { warn: (message) => warnings.push(message) });
  onTestFinished(() => store.close());
  await store.dueAccounts();
  expect(warnings).toEqual([]);
}

/** Stored lines of an account in PostgreSQL, in order. `owner` differs each time a replica takes the account over. */
export const linesIn = (
  database: TestDatabase,
  accountId: string,
): Promise<{ sequence: string; owner: string; line: string }[]> =>
  database.query(
    "SELECT sequence, epoch AS owner, line FROM standin_journal WHERE account = $1 ORDER BY sequence",
    [accountId],
  );

/** Returns how many owners the stored lines have had, in all accounts or in one. */
export async function ownersIn({ query }: TestDatabase, accountId?: string): Promise<number> {
  const [row] = await query<{ count: number }>(
    "SELECT count(DISTINCT epoch)::integer AS count FROM standin_journal WHERE account = coalesce($1, account)",
    [accountId],
  );
  return row?.count ?? 0;
}

/** Adds a replica that holds its accounts for an hour, whether it is alive or not. */
export const addReplica = ({ query }: TestDatabase, id: string, url: string): Promise<unknown> =>
  query(
    "INSERT INTO standin_replica (id, url, lease_until) VALUES ($1, $2, clock_timestamp() + interval '1 hour')",
    [id, url],
  );

/** Ends a replica's hold of its accounts, as if it had been killed. */
export const endReplica = (
  { query }: TestDatabase,
  which: { id: string } | { url: string },
): Promise<unknown> =>
  query(`DELETE FROM standin_replica WHERE ${"id" in which ? "id" : "url"} = $1`, Object.values(which));

/** Makes a replica the owner of an account. */
export const giveAccount = ({ query }: TestDatabase, accountId: string, replica: string): Promise<unknown> =>
  query("UPDATE standin_account SET owner = $1, epoch = nextval('standin_epoch') WHERE id = $2", [
    replica,
    accountId,
  ]);

/** Makes all replicas known at one URL. */
export const pointReplicasTo = ({ query }: TestDatabase, url: string): Promise<unknown> =>
  query("UPDATE standin_replica SET url = $1", [url]);

/** Lets time pass on the database's clock, for what the replicas hold. */
export const passTime = ({ query }: TestDatabase, ms: number): Promise<unknown> =>
  query("UPDATE standin_replica SET lease_until = lease_until - $1 * interval '1 ms'", [ms]);
