/** Interface: a code and a question end "when expires_at is reached", whether or not their job has run yet. */
import type { Account } from "../../../world/account.js";
import type { Machine, Stored } from "../../../world/machine.js";

/** Inside a commit: while the clock is being advanced, it may show an instant whose jobs are still to come. */
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
