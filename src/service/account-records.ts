/** Finds an account's records for operations: by id, the newest of a kind, and records that may be due to expire. */
import { refuse } from "../contract/errors.js";
import type { Account } from "../world/account/account.js";
import type { AnyMachine, AnyTransition, IndexOf, RecordOf } from "../world/records/machine.js";
import type { Where } from "../world/store/table.js";

export interface WantedRecord {
  id: string;
  /** Request field that holds the id. */
  param: string;
  /** Human-readable name of the kind of record, such as "audit" or "virtual account". */
  noun: string;
  /** Where valid ids come from, as the end of a sentence. */
  hint: string;
}

/** Returns the account's record with this id. Refuses with 404 resource_not_found if there is none. */
export function requireRecord<M extends AnyMachine>(
  { records }: Account,
  machine: M,
  { id, param, noun, hint }: WantedRecord,
): RecordOf<M> {
  const record = records.get(machine, id);
  if (record) return record;
  const message = `There is no ${noun} ${JSON.stringify(id.slice(0, 60))} on this account; ${hint}.`;
  return refuse("resource_not_found", { param, message });
}

/** Length of the lists of audits, sessions and scans; assumption lists. */
const maxListed = 100;

/** Returns up to 100 records with these values of indexed fields, newest first. */
export function newestRecords<M extends AnyMachine>(
  { records }: Account,
  machine: M,
  where?: Where<RecordOf<M>, IndexOf<M>>,
): RecordOf<M>[] {
  const listed: RecordOf<M>[] = [];
  for (const record of records.newest(machine, where)) {
    listed.push(record);
    if (listed.length === maxListed) break;
  }
  return listed;
}

/**
 * Expires the record if it is due, and returns it. While the clock is being advanced, the jobs due at its instant may
 * not have run yet. Call inside a commit.
 */
export function expireIfDue<M extends AnyMachine & { moves: { expire: AnyTransition } }>(
  account: Account,
  machine: M,
  record: RecordOf<M>,
): RecordOf<M> {
  const { from, at } = machine.moves.expire;
  const due = at?.(record) ?? null;
  if (record.state === from && due !== null && account.clock.now() >= due)
    account.records.moveByClock(machine, record, "expire");
  return record;
}
