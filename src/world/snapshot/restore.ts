/** Reads snapshots, which may come from an untrusted source, and restores them. */
import { createHash } from "node:crypto";
import { isObject } from "../../contract/json.js";
import type { ClockSetting } from "../../time/clock.js";
import { fromIso, toIso } from "../../time/time.js";
import { inTurns } from "../../time/turns.js";
import { Account } from "../account/account.js";
import { refill } from "../account/replace-state.js";
import {
  freshSettings,
  type Identity,
  ownRecords,
  type SequencesRecord,
  upgradeRecord,
} from "../records/account-settings.js";
import { memoryStore } from "../store/open-store.js";
import { State } from "../store/state.js";
import type { OpenedAccount } from "../store/store.js";
import { format, majorOf, modeOf, NotRestorable, source, toId, toKey } from "./snapshot.js";

/** A snapshot that this account can restore. Its records are objects whose fields have not been checked yet. */
export interface ReadSnapshot {
  /** Instant of the snapshot's clock, in ms. */
  now: number;
  tables: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

/** Reads a document, or rejects with a NotRestorable. */
export async function readSnapshot(
  document: Readonly<Record<string, unknown>>,
  account: Account,
  version: string,
): Promise<ReadSnapshot> {
  const standin = document.standin;
  if (!isObject(standin) || typeof standin.version !== "string" || standin.format === undefined) {
    const message = `The body is not a snapshot: standin, with format and version, is missing. Send the reply of ${source}.`;
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
  if (document.checksum !== (await inTurns(checksumOf(document)))) {
    const message = `checksum does not match the document, which was truncated or changed. Send the unchanged reply of ${source}.`;
    throw new NotRestorable("checksum", message);
  }
  checkMode(document.mode, account);
  const now = instantOf(document.clock);
  return { now, tables: await inTurns(checkTables(document.state)) };
}

/** Depth of records in a document: each is in a table of the state. */
const recordDepth = 3;

/** Computes the SHA-256 of the document's JSON text without its checksum, a part at each step. */
function* checksumOf({ checksum: _checksum, ...document }: Readonly<Record<string, unknown>>) {
  const hash = createHash("sha256");
  for (const part of jsonParts(document, recordDepth)) yield hash.update(part);
  return hash.digest("hex");
}

/** Yields the JSON text of a value in parts. Values at this depth are formatted whole. */
function* jsonParts(value: unknown, depth: number): Generator<string> {
  if (depth === 0 || !isObject(value)) return void (yield JSON.stringify(value));
  let lead = "{";
  for (const [key, member] of Object.entries(value)) {
    yield `${lead}${JSON.stringify(key)}:`;
    yield* jsonParts(member, depth - 1);
    lead = ",";
  }
  yield lead === "{" ? "{}" : "}";
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

/** Range of instants in snapshots. Clocks can be set up to the year 9000, and may run past it. */
const earliest = "1970-01-01T00:00:00.000Z";
const latest = "9000-12-31T23:59:59.999Z";

function instantOf(clock: unknown): number {
  const now = isObject(clock) ? clock.now : undefined;
  const at = typeof now === "string" ? fromIso(now) : null;
  if (at !== null && toIso(at) === now && earliest <= now && now <= latest) return at;
  const message = `clock.now must be a time from ${earliest} to ${latest}, in this format; got ${show(now)}.`;
  throw new NotRestorable("clock.now", message);
}

/** Returns whether this is a valid table name in the store's files. */
const isTableName = (name: string): boolean => /^[a-z][a-z0-9_]*$/.test(name) && !(name in {});

function* checkTables(tables: unknown): Generator<void, ReadSnapshot["tables"]> {
  if (!isObject(tables)) throw new NotRestorable("state", `state must be an object; got ${show(tables)}.`);
  for (const [table, records] of Object.entries(tables)) {
    const param = `state.${table.slice(0, 100)}`;
    if (!isTableName(table))
      throw new NotRestorable(param, `${param} is not a valid table name; names are in snake_case.`);
    if (!isObject(records)) throw new NotRestorable(param, `${param} must be an object of records.`);
    for (const [key, value] of Object.entries(records)) {
      const at = `${param}.${key.slice(0, 100)}`;
      yield;
      if (!isObject(upgradeRecord(table, value)))
        throw new NotRestorable(at, `${at} must be an object; got ${show(value)}.`);
      if (toKey(toId(key)) !== key)
        throw new NotRestorable(at, `${at} must be written ${show(toKey(toId(key)))}, as ${source} does.`);
    }
  }
  return tables as ReadSnapshot["tables"];
}

const show = (value: unknown): string => {
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "an array" : "an object";
  return value === undefined ? "nothing" : JSON.stringify(value).slice(0, 100);
};

/** Replaces everything in the account with the state of a copy, which must not be used any more. */
export const adopt = (account: Account, copy: Account): void =>
  refill(
    account,
    () => {
      account.state.takeFrom(copy.state);
      account.resume();
    },
    copy.jobs,
  );

/** Restores a snapshot into a temporary copy of the account, so that a failure leaves the account unchanged. */
export async function rehearse(account: Account, snapshot: ReadSnapshot): Promise<Account> {
  const state = new State();
  const { log } = memoryStore.open(account.id, state, () => {}) as OpenedAccount;
  const { planDelivery: _planDelivery, ...options } = account.options;
  const copy = new Account(options, { ...account.parts, state, log, requestLog: null, onCommit() {} });
  await inTurns(fill(state, account, snapshot));
  copy.resume();
  await inTurns(copy.jobs.reload());
  return copy;
}

function* fill(target: State, account: Account, { now, tables }: ReadSnapshot): Generator<void, void> {
  const { live, registered } = account;
  const { settings, sequences, ...others } = tables[ownRecords.name] ?? {};
  const own = {
    ...others,
    identity: { live, registered } satisfies Identity,
    clock: { offset: 0, frozen_at: now, paused: true } satisfies ClockSetting,
    // Snapshots of earlier versions lack the tables that later versions added.
    settings: { ...freshSettings(account.settings.webhook_secret), ...settings },
    sequences: sequences as SequencesRecord,
  };
  for (const [key, record] of Object.entries(own))
    target.load(ownRecords.name, toId(key), JSON.stringify(record));
  for (const [table, records] of Object.entries(tables)) {
    if (table === ownRecords.name) continue;
    for (const [key, record] of Object.entries(records)) {
      target.load(table, toId(key), JSON.stringify(record));
      yield;
    }
  }
}
