/** The account's clock as the control API shows it. */
import * as Type from "typebox";
import { nullable, Timestamp } from "../contract/schemas.js";
import { describeTimelineJob } from "../scenarios/timeline.js";
import { toIso } from "../time/time.js";
import type { Account } from "../world/account/account.js";
import type { Job } from "../world/jobs/jobs.js";
import { delivery } from "../world/webhooks/delivery.js";

export const ClockView = Type.Object({
  now: Timestamp,
  mode: Type.Enum(["running", "frozen", "paused"], {
    description:
      "A frozen clock does not move, and jobs that are due at its instant run at once. A restored snapshot pauses the clock: nothing runs until it is resumed, frozen or advanced, or until the service gets a request",
  }),
  next_due: nullable(Timestamp, { description: "Due time of the next job" }),
  next_job: nullable(Type.String({ examples: ["payout pay"] }), { description: "What the next job does" }),
});

/** Describes what a job does: `payout pay`, `webhook payout.paid`, `timeline: pay checkout`. */
function describeJob(account: Account, job: Job): string {
  const { kind, machine, move, id } = job;
  if (machine !== undefined) return `${String(machine).replaceAll("_", " ")} ${move}`;
  const sent = account.records.get(delivery, String(id));
  return sent ? `webhook ${sent.event}` : (describeTimelineJob(account, job) ?? kind);
}

export function viewClock(account: Account): Type.Static<typeof ClockView> {
  const next = account.jobs.next();
  return {
    now: account.clock.iso(),
    mode: account.clock.mode,
    next_due: next && toIso(next.job.due),
    next_job: next && describeJob(account, next.job),
  };
}
