/**
 * An account's whole state as one document, and back. The same state at the same instant gives the same bytes, on any
 * account of any sandbox of the same major version: what tells the account (mode, registration) or this process alone
 * (how the clock runs, the exact version) is not in it. Neither is any API key. The seed is: people
 * that nobody registered are drawn from it, and a copy must meet the same.
 */
import { createHash } from "node:crypto";
import { Account } from "./account.js";
import { freshSettings, type Identity } from "./account-settings.js";
import { isObject } from "./json.js";
import type { SequencesRecord } from "./sequences.js";
import { memoryStore } from "./store/memory-store.js";
import { State } from "./store/state.js";
import type { OpenedAccount } from "./store/store.js";
import type { ClockSetting } from "./time/clock.js";
import { fromIso, toIso } from "./time/time.js";
import { inTurns } from "./time/turns.js";
import { upgradeRecord } from "./upgrade.js";

export interface Snapshot {
  /** `version` is that of whoever wrote it without what keeps snapshots readable, such as `0.x`. */
  standin: { format: 1; version: string };
  mode: "test" | "live";
  /** A restored clock is paused here. */
  clock: { now: string };
  /** Tables by name, their records in the order in which they were made. */
  state: Record<string, Record<string, object>>;
  /** SHA-256, in lowercase hex, of the JSON text of everything above. */
  checksum: string;
}

/** What makes a document no snapshot that this account can take: where, what, and what would be right. */
export class NotRestorable extends Error {
  constructor(
    readonly param: string,
    message: string,
  ) {
    super(message);
  }
}

const format = 1;
const source = "GET /_sandbox/snapshot";

const majorOf = (version: string): string | undefined => /^(\d+)\./.exec(version)?.[1];

/** Keys that are whole numbers come first in every JavaScript object, and the order tells which record is newer. */
const marked = /^(?:#|(?:0|[1-9]\d*)$)/;
const toKey = (id: string): string => (marked.test(id) ? `#${id}` : id);
const toId = (key: string): string => (key.startsWith("#") ? key.slice(1) : key);

/** Returns the account's snapshot as an object; `snapshotText` gives the same as text. */
export const takeSnapshot = (account: Account, version: string): Snapshot =>
  JSON.parse([...snapshotText(account, version)].join(""));

/** Yields the JSON text of the account's snapshot in parts: the state as it is when the first is taken. */
export function* snapshotText(account: Account, version: string): Generator<string> {
  const head = {
    standin: { format, version: `${majorOf(version)}.x` },
    mode: modeOf(account),
    clock: { now: account.clock.iso() },
  };
  const filled = [...account.state.tables()].filter((table) => account.state.size(table) > 0);
  // A table that was emptied and filled again would stand elsewhere than in the copy of the account.
  const tables = filled
    .sort()
    .map((table): TextTable => [table, table === "account" ? ownRecords(account) : textsOf(account, table)]);
  const hash = createHash("sha256");
  for (const part of documentText(head, tables)) {
    hash.update(part);
    yield part;
  }
  hash.update("}");
  yield `,"checksum":"${hash.digest("hex")}"}`;
}

/** Records of a table, each as its key and its JSON text. */
type TextTable = readonly [name: string, records: Iterable<readonly [key: string, text: string]>];

/** Yields the JSON text of a snapshot without its checksum and its last bracket. */
function* documentText(head: object, tables: Iterable<TextTable>): Generator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"state":{`;
  let lead = "";
  for (const [name, records] of tables) {
    yield `${lead}${JSON.stringify(name)}:{`;
    lead = "";
    for (const [key, text] of records) {
      yield `${lead}${JSON.stringify(key)}:${text}`;
      lead = ",";
    }
    yield "}";
    lead = ",";
  }
  yield "}";
}

const modeOf = ({ live }: Account): Snapshot["mode"] => (live ? "live" : "test");

/** The activity that scheduled a job is unknown to a copy of the account. */
const jobCause = /,"cause":"[^"]*"(?=,"order":\d+\}$)/;

const textsOf = ({ state }: Account, table: string): [key: string, text: string][] =>
  [...state.ids(table)].map((id) => {
    const text = state.text(table, id) as string;
    return [toKey(id), table === "jobs" ? text.replace(jobCause, "") : text];
  });

/** An account that has drawn no random number yet has no record of it, and its copy must go on as it would have. */
function ownRecords(account: Account): [key: string, text: string][] {
  const isOthers = ([key]: [string, string]) => !ownKeys.has(key);
  const own = {
    origin: account.origin,
    settings: { ...freshSettings(account.settings.webhook_secret), ...account.settings },
    sequences: { random: account.random.state, jobs: account.jobs.nextOrder },
  };
  return [
    ...Object.entries(own).map(([key, record]): [string, string] => [key, JSON.stringify(record)]),
    ...textsOf(account, "account").filter(isOthers),
  ];
}

const ownKeys: ReadonlySet<string> = new Set(["identity", "clock", "origin", "settings", "sequences"]);

/**
 * Returns the document as a snapshot for this account, whose records are not looked into yet, or rejects with a
 * NotRestorable.
 */
export async function readSnapshot(document: object, account: Account, version: string): Promise<Snapshot> {
  const { standin } = document as { standin?: unknown };
  if (!isObject(standin) || typeof standin.version !== "string" || standin.format === undefined) {
    const message = `The body is not a snapshot: standin, with format and version, is missing. Send what ${source} answered with.`;
    throw new NotRestorable("standin", message);
  }
  if (standin.format !== format) {
    const message = `standin.format is ${show(standin.format)}; this is standin ${version}, which reads format ${format}. Take the snapshot again with this version: ${source}.`;
    throw new NotRestorable("standin.format", message);
  }
  const [written, here] = [majorOf(standin.version), majorOf(version)];
  if (written !== here) {
    const by = written === undefined ? show(standin.version) : `${written}.x`;
    const message = `This snapshot was written by standin ${by}; this is ${version}. Take it again with ${here}.x: ${source}.`;
    throw new NotRestorable("standin.version", message);
  }
  const { checksum, ...rest } = document as Partial<Snapshot>;
  if (checksum !== (await checksumOf(rest))) {
    const message = `checksum does not fit the document: it was cut off or changed since it was taken. Send what ${source} answered with, unchanged.`;
    throw new NotRestorable("checksum", message);
  }
  checkMode(rest.mode, account);
  checkInstant(rest.clock);
  await inTurns(checkTables(rest.state));
  return document as Snapshot;
}

/** Returns the SHA-256 of the document's JSON text. */
const checksumOf = (document: Partial<Snapshot>): string | Promise<string> =>
  inTurns(
    (function* () {
      const hash = createHash("sha256");
      for (const part of textOf(document)) yield hash.update(part);
      return hash.digest("hex");
    })(),
  );

/** Yields the JSON text of an object in parts, whose state is taken apart by record. */
function* textOf(object: object, depth = 0): Generator<string> {
  let lead = "{";
  for (const [key, value] of Object.entries(object)) {
    yield `${lead}${JSON.stringify(key)}:`;
    if (isObject(value) && (key === "state" || depth > 0) && depth < recordDepth)
      yield* textOf(value, depth + 1);
    else yield JSON.stringify(value);
    lead = ",";
  }
  yield lead === "{" ? "{}" : "}";
}

/** Depth of the tables' records in a snapshot. */
const recordDepth = 2;

function checkMode(mode: unknown, account: Account): void {
  const own = modeOf(account);
  if (mode === own) return;
  const known = mode === "test" || mode === "live";
  const message = known
    ? `A snapshot of a ${mode} account cannot be restored with a ${own} key; use a ${mode} key.`
    : `mode must be test or live; got ${show(mode)}.`;
  throw new NotRestorable("mode", message);
}

/** Clocks can be set up to the year 9000, and run on from there. */
const earliest = "1970-01-01T00:00:00.000Z";
const latest = "9000-12-31T23:59:59.999Z";

function checkInstant(clock: unknown): void {
  const now = isObject(clock) ? clock.now : undefined;
  const at = typeof now === "string" ? fromIso(now) : null;
  if (at !== null && toIso(at) === now && earliest <= now && now <= latest) return;
  const message = `clock.now must be a time from ${earliest} to ${latest}, written like these; got ${show(now)}.`;
  throw new NotRestorable("clock.now", message);
}

/** Names that the store's files can carry: theirs are plain objects. */
const isTableName = (name: string): boolean => /^[a-z][a-z0-9_]*$/.test(name) && !(name in {});

function* checkTables(state: unknown): Generator<void, void> {
  if (!isObject(state)) throw new NotRestorable("state", `state must be an object; got ${show(state)}.`);
  for (const [table, records] of Object.entries(state)) {
    const param = `state.${table.slice(0, 100)}`;
    if (!isTableName(table)) throw new NotRestorable(param, `${param} is no table; a name is in snake_case.`);
    if (!isObject(records)) throw new NotRestorable(param, `${param} must be an object of records.`);
    for (const [key, record] of Object.entries(records)) {
      const at = `${param}.${key.slice(0, 100)}`;
      yield;
      if (!isObject(upgradeRecord(table, record)))
        throw new NotRestorable(at, `${at} must be an object; got ${show(record)}.`);
      if (toKey(toId(key)) !== key)
        throw new NotRestorable(at, `${at} must be written ${show(toKey(toId(key)))}, as ${source} does.`);
    }
  }
}

const show = (value: unknown): string => {
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "an array" : "an object";
  return value === undefined ? "nothing" : JSON.stringify(value).slice(0, 100);
};

/** Replaces everything but the account's own mode and registration. The snapshot's records have been checked. */
export const restoreSnapshot = async (account: Account, snapshot: Snapshot): Promise<void> =>
  adopt(account, await rehearse(account, snapshot));

/** Replaces everything in the account with the state of a copy. */
export const adopt = (account: Account, copy: Account): void =>
  account.refill(() => {
    for (const change of copy.state.everything()) account.state.load(...change);
    account.resume();
  });

/** Restores the snapshot in an account that nobody uses, where nothing breaks if it cannot be. */
export async function rehearse(account: Account, snapshot: Snapshot): Promise<Account> {
  const state = new State();
  const { log } = memoryStore.open(account.id, state, () => {}) as OpenedAccount;
  const copy = new Account({
    ...account.options,
    state,
    log,
    requestLog: null,
    planDelivery: () => null,
    onCommit() {},
  });
  await inTurns(fill(state, account, snapshot));
  copy.resume();
  copy.jobs.reload();
  return copy;
}

function* fill(target: State, account: Account, { clock, state }: Snapshot): Generator<void, void> {
  const { live, registered } = account;
  const { settings, sequences, ...others } = state.account as Record<string, object>;
  const own = {
    ...others,
    identity: { live, registered } satisfies Identity,
    clock: { offset: 0, frozen_at: fromIso(clock.now), paused: true } satisfies ClockSetting,
    // One that a later version has added is missing in what an earlier one wrote.
    settings: { ...freshSettings(account.settings.webhook_secret), ...settings },
    sequences: sequences as SequencesRecord,
  };
  for (const [table, records] of Object.entries({ ...state, account: own })) {
    for (const [key, record] of Object.entries(records)) {
      target.load(table, toId(key), JSON.stringify(record));
      yield;
    }
  }
}
