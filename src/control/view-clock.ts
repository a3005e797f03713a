/** The account's clock as the control API shows it. */
import * as Type from "typebox";
import { Timestamp } from "../contract/schemas.js";
import { toIso } from "../time/time.js";
import type { Account } from "../world/account/account.js";

export const ClockView = Type.Object({
  now: Timestamp,
  mode: Type.Enum(["running", "frozen", "paused"], {
    description:
      "A frozen clock does not move, and jobs that are due at its instant run at once. A restored snapshot pauses the clock: nothing runs until it is resumed, frozen or advanced, or until the service gets a request",
  }),
  next_due: Type.Union([Timestamp, Type.Null()], { description: "Due time of the next job" }),
});

export function viewClock(account: Account): Type.Static<typeof ClockView> {
  const due = account.jobs.nextDue();
  return {
    now: account.clock.iso(),
    mode: account.clock.mode,
    next_due: due === null ? null : toIso(due),
  };
}
