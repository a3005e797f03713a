/** The decision on a payout or refund, which is made when the record is created and takes effect after a minute. */
import { minute } from "../../time/time.js";

/** Time until the service and the bank decide. */
export const decisionDelayMs = 1 * minute;

export interface Decided<Status extends string> {
  /** Final state. `requested` means it never leaves that state. */
  outcome: Status;
  /** Ms on the account's clock. */
  decides_at: number;
}

/** Returns the `at` of a move that leads to this outcome. */
export const decidedAs =
  (outcome: string) =>
  (record: Decided<string>): number | null =>
    record.outcome === outcome ? record.decides_at : null;
