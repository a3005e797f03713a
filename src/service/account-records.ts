/** Finds an account's records for operations: one by id, the newest of a kind, one that may be due to expire. */
import { refuse } from "../contract/errors.js";
import type { Account } from "../world/account/account.js";
import type { Machine, Stored } from "../world/records/machine.js";

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
export function requireRecord<F, M extends string>(
  { records }: Account,
  machine: Machine<F, M, Account>,
  { id, param, noun, hint }: WantedRecord,
): Stored<F> {
  const record = records.get(machine, id);
  if (record) return record;
  const message = `There is no ${noun} ${JSON.stringify(id.slice(0, 60))} on this account; ${hint}.`;
  return refuse("resource_not_found", { param, message });
}

/** Length of the lists of audits, sessions and scans; assumption lists. */
const maxListed = 100;

/**
 * Returns up to 100 records that pass the filter, newest first. `containing` is a cheap test of a record's JSON text.
 */
export function newestRecords<F, M extends string>(
  { records }: Account,
  machine: Machine<F, M, Account>,
  filter: (record: Stored<F>) => boolean = () => true,
  containing = "",
): Stored<F>[] {
  const listed: Stored<F>[] = [];
  for (const record of records.newest(machine, containing)) {
    if (filter(record)) listed.push(record);
    if (listed.length === maxListed) break;
  }
  return listed;
}

/**
 * Expires the record if it is due, and returns it. While the clock is being advanced, it may show an instant whose
 * jobs have yet to run. Call inside a commit.
 */
export function expireIfDue<F, M extends string>(
  account: Account,
  machine: Machine<F, M | "expire", Account>,
  record: Stored<F>,
): Stored<F> {
  const { from, at } = machine.moves.expire;
  const due = at?.(record) ?? null;
  if (record.state === from && due !== null && account.clock.now() >= due)
    account.records.move(machine, record, "expire");
  return record;
}
