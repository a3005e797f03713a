/** The decision on a payout or refund. It is made when the record is created and takes effect after a minute. */
import type { TSchema } from "typebox";
import { minute } from "../../time/time.js";
import { Ms } from "../machine.js";

/** Time until the service and the bank decide. */
export const decisionDelayMs = 1 * minute;

/** Returns the hidden fields of a record that will be decided. */
export const decisionOf = <Status extends TSchema>(status: Status) => ({
  /** Final state. `requested` means it never leaves that state. */
  outcome: status,
  decides_at: Ms,
});

/** Returns the `at` of a move that leads to this outcome. */
export const decidedAs =
  (outcome: string) =>
  (record: { outcome: string; decides_at: number }): number | null =>
    record.outcome === outcome ? record.decides_at : null;
