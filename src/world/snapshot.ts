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

const checksumOf = (document: object): string =>
  createHash("sha256").update(JSON.stringify(document)).digest("hex");

export function takeSnapshot(account: Account, version: string): Snapshot {
  const filled = [...account.state.tables()].filter((table) => account.state.size(table) > 0);
  const document = {
    standin: { format, version: `${majorOf(version)}.x` },
    mode: modeOf(account),
    clock: { now: account.clock.iso() },
    // A table that was emptied and filled again would stand elsewhere than in the copy of the account.
    state: Object.fromEntries(
      filled
        .sort()
        .map((table) => [table, table === "account" ? ownRecords(account) : recordsOf(account, table)]),
    ),
  } as const;
  return { ...document, checksum: checksumOf(document) };
}

const modeOf = ({ live }: Account): Snapshot["mode"] => (live ? "live" : "test");

const recordsOf = ({ state }: Account, table: string): Record<string, object> =>
  Object.fromEntries([...state.ids(table)].map((id) => [toKey(id), state.get(table, id) as object]));

/** An account that has drawn no random number yet has no record of it, and its copy must go on as it would have. */
function ownRecords(account: Account): Record<string, object> {
  const { identity, clock, origin, settings, sequences, ...others } = recordsOf(account, "account");
  return {
    origin: account.origin,
    settings: { ...freshSettings(account.settings.webhook_secret), ...account.settings },
    sequences: { random: account.random.state, jobs: account.jobs.nextOrder },
    ...others,
  };
}

/** The document as a snapshot for this account, its records not looked into yet; throws NotRestorable. */
export function readSnapshot(document: object, account: Account, version: string): Snapshot {
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
  if (checksum !== checksumOf(rest)) {
    const message = `checksum does not fit the document: it was cut off or changed since it was taken. Send what ${source} answered with, unchanged.`;
    throw new NotRestorable("checksum", message);
  }
  checkMode(rest.mode, account);
  checkInstant(rest.clock);
  checkTables(rest.state);
  return document as Snapshot;
}

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

function checkTables(state: unknown): void {
  if (!isObject(state)) throw new NotRestorable("state", `state must be an object; got ${show(state)}.`);
  for (const [table, records] of Object.entries(state)) {
    const param = `state.${table.slice(0, 100)}`;
    if (!isTableName(table)) throw new NotRestorable(param, `${param} is no table; a name is in snake_case.`);
    if (!isObject(records)) throw new NotRestorable(param, `${param} must be an object of records.`);
    for (const [key, record] of Object.entries(records)) {
      const at = `${param}.${key.slice(0, 100)}`;
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
export function restoreSnapshot(account: Account, { clock, state }: Snapshot): void {
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
  account.refill(() => {
    for (const [table, records] of Object.entries({ ...state, account: own }))
      for (const [key, record] of Object.entries(records))
        account.state.load(table, toId(key), JSON.stringify(record));
    account.resume();
  });
}

/** The snapshot in a world that nobody keeps: what breaks there has broken nothing. */
export function rehearse(account: Account, snapshot: Snapshot): Account {
  const state = new State();
  const { log } = memoryStore.open(account.id, state, () => {}) as OpenedAccount;
  const copy = new Account({ ...account.options, state, log, planDelivery: () => null, onCommit() {} });
  copy.initialise(account.live);
  restoreSnapshot(copy, snapshot);
  return copy;
}
