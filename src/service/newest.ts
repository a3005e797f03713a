import type { Account } from "../world/account.js";
import type { Machine, Stored } from "../world/machine.js";

/** Assumption lists: audits, sessions and scans. */
const mostListed = 100;

/** The newest records that are to be listed, newest first. */
export function newestOf<F, M extends string>(
  { records }: Account,
  machine: Machine<F, M>,
  isListed: (record: Stored<F>) => boolean = () => true,
): Stored<F>[] {
  const listed: Stored<F>[] = [];
  for (const record of records.newest(machine)) {
    if (isListed(record)) listed.push(record);
    if (listed.length === mostListed) break;
  }
  return listed;
}
