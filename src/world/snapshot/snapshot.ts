/**
 * An account's whole state as one document, and back. The same state at the same instant gives the same bytes, on any
 * account of any sandbox of the same major version. It leaves out properties of the account (mode, registration), of
 * this process (clock mode, exact version), and API keys. It contains the seed: people
 * that are not registered are generated from it, and must be the same on a copy.
 */
import { createHash } from "node:crypto";
import { controlRoutes } from "../../contract/control-routes.js";
import type { Account } from "../account/account.js";
import { storedJobs } from "../jobs/jobs.js";
import { freshSettings, ownRecords } from "../records/account-settings.js";
import type { NamedTable } from "../store/table.js";
import { formatMember } from "../store/text-pieces.js";

export interface StoredSnapshot {
  /** Format, and major version of the writer, such as `0.x`: minor versions keep snapshots readable. */
  standin: { format: 1; version: string };
  mode: "test" | "live";
  /** A restored clock is paused here. */
  clock: { now: string };
  /** Tables by name, their records in the order in which they were made. */
  state: Record<string, Record<string, object>>;
  /** SHA-256, in lowercase hex, of the JSON text of everything above. */
  checksum: string;
}

/**
 * Thrown when a document cannot be restored on this account. The message names the place, the problem and what is
 * expected.
 */
export class NotRestorable extends Error {
  constructor(
    readonly param: string,
    message: string,
  ) {
    super(message);
  }
}

export const format = 1;
export const source = controlRoutes.getSnapshot;

export const majorOf = (version: string): string | undefined => /^(\d+)\./.exec(version)?.[1];

/** JavaScript objects list integer keys first, which would lose the order of the records. */
const marked = /^(?:#|(?:0|[1-9]\d*)$)/;
export const toKey = (id: string): string => (marked.test(id) ? `#${id}` : id);
export const toId = (key: string): string => (key.startsWith("#") ? key.slice(1) : key);

export const modeOf = ({ live }: Account): StoredSnapshot["mode"] => (live ? "live" : "test");

/** Yields the JSON text of the account's snapshot in parts: the state at the time when the first part is taken. */
export function* snapshotText(account: Account, version: string): Generator<string> {
  yield* formatSnapshot(headOf(account, version), tablesOf(account));
}

/** Returns the first members of a snapshot. */
export const headOf = (account: Account, version: string): SnapshotHead => ({
  standin: { format, version: `${majorOf(version)}.x` },
  mode: modeOf(account),
  clock: { now: account.clock.iso() },
});

/** Returns the tables of the account's snapshot, with the records as of now, each of which can be read once. */
export function tablesOf(account: Account): TextTable[] {
  const filled = [...account.state.tables()].filter((table) => account.state.size(table) > 0);
  // A table that was emptied and filled again would otherwise have another position than in a copy of the account.
  const names = filled.map(({ name }) => name).sort();
  return names.map((name) => [
    name,
    name === ownRecords.name ? ownTexts(account) : textsOf(account, { name }),
  ]);
}

/** Yields the JSON text of a snapshot with these tables in parts. */
export function* formatSnapshot(head: SnapshotHead, tables: Iterable<TextTable>): Generator<string> {
  const hash = createHash("sha256");
  for (const part of textWithoutChecksum(head, tables)) {
    hash.update(part);
    yield part;
  }
  hash.update("}");
  yield `,"checksum":"${hash.digest("hex")}"}`;
}

type SnapshotHead = Pick<StoredSnapshot, "standin" | "mode" | "clock">;

/** Records of a table, each as its key and its JSON text. */
export type TextTable = readonly [name: string, records: Iterable<readonly [key: string, text: string]>];

/** Yields the JSON text of a snapshot without its checksum and its last bracket. */
function* textWithoutChecksum(head: SnapshotHead, tables: Iterable<TextTable>): Generator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"state":{`;
  let lead = "";
  for (const [name, records] of tables) {
    yield `${lead}${JSON.stringify(name)}:{`;
    lead = "";
    for (const [key, text] of records) {
      yield lead + formatMember(key, text);
      lead = ",";
    }
    yield "}";
    lead = ",";
  }
  yield "}";
}

/** Removes the activity that scheduled a job, which a copy of the account does not know. */
function withoutCause(text: string): string {
  const { cause: _cause, ...job } = JSON.parse(text);
  return JSON.stringify(job);
}

/** Returns the table's current records, which are serialized one at a time. */
function textsOf({ state }: Account, table: NamedTable): Iterable<readonly [key: string, text: string]> {
  const entries = state.entries(table);
  return (function* () {
    for (const [id, text] of entries)
      yield [toKey(id), table.name === storedJobs.name ? withoutCause(text) : text] as const;
  })();
}

/**
 * Returns the texts of the account's own table. An account that has not drawn a random number yet has no stored
 * generator, so its initial generator is written.
 */
function ownTexts(account: Account): (readonly [key: string, text: string])[] {
  const isOthers = ([key]: readonly [string, string]) => !ownKeys.has(key);
  const own = {
    origin: account.origin,
    settings: { ...freshSettings(account.settings.webhook_secret), ...account.settings },
    sequences: { random: account.random.state, jobs: account.jobs.nextOrder },
  };
  return [
    ...Object.entries(own).map(([key, record]): [string, string] => [key, JSON.stringify(record)]),
    ...[...textsOf(account, ownRecords)].filter(isOthers),
  ];
}

const ownKeys: ReadonlySet<string> = new Set(["identity", "clock", "origin", "settings", "sequences"]);
