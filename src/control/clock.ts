/** The account's clock. */
import * as Type from "typebox";
import type { RefusalOptions } from "../contract/errors.js";
import { nullable, Timestamp } from "../contract/schemas.js";
import { earliestInstant, isOnClock, latestInstant } from "../time/clock.js";
import { fromIso, parseDuration, toIso } from "../time/time.js";
import type { Account } from "../world/account/account.js";
import { maxJobsPerAdvance, TooMuchDue } from "../world/account/advance.js";
import type { Ran } from "../world/account/run-job.js";
import type { World } from "../world/world.js";
import { type ControlledSandbox, operation } from "./operation.js";
import { openObject } from "./schemas.js";

const ClockView = Type.Object({
  now: Timestamp,
  mode: Type.Enum(["running", "frozen", "paused"], {
    description:
      "A frozen clock does not move, and jobs that are due at its instant run at once. A restored snapshot pauses the clock: nothing runs until it is resumed, frozen or advanced, or until the service gets a request",
  }),
  next_due: nullable(Timestamp, { description: "Due time of the next job" }),
  next_job: nullable(Type.String({ examples: ["The code for +2348031234567 expires."] }), {
    description: "What the next job does, as a sentence",
  }),
});

export function viewClock(account: Account, { scheduler }: World): Type.Static<typeof ClockView> {
  const next = scheduler.next(account);
  return {
    now: account.clock.iso(),
    mode: account.clock.mode,
    next_due: next && toIso(next.due),
    next_job: next?.says ?? null,
  };
}

type Refuse = (code: "validation_error" | "clock_busy", options?: RefusalOptions) => never;

function parseInstant(text: string, param: string, refuse: Refuse): number {
  const at = fromIso(text);
  if (at !== null) return checkRange(at, param, refuse);
  const message = `${param} must be an ISO 8601 time such as 2026-01-31T09:00:00Z; got ${JSON.stringify(text.slice(0, 40))}.`;
  return refuse("validation_error", { param, message });
}

function checkRange(at: number, param: string, refuse: Refuse): number {
  if (isOnClock(at)) return at;
  const message = `The clock ranges from ${earliestInstant} to ${latestInstant}; ${param} is outside that range.`;
  return refuse("validation_error", { param, message });
}

const refuseGoingBack = (param: string, now: string, refuse: Refuse): never =>
  refuse("validation_error", {
    param,
    message: `A clock cannot go back: ${param} must be ${now} or later.`,
  });

export const getClock = operation({
  id: "getClock",
  summary: "Get the account's time",
  reply: { 200: ClockView },
  handle: ({ account, sandbox }) => viewClock(account, sandbox.world),
});

/** Returns the instant to advance to, or `next` for the due time of the next job. */
function targetOf(account: Account, body: { by?: string; to?: string }, refuse: Refuse): number | "next" {
  const now = account.clock.now();
  if ((body.by === undefined) === (body.to === undefined)) {
    refuse("validation_error", {
      param: "by",
      message: 'Give exactly one of by ("24h") and to (an ISO 8601 time, or "next").',
    });
  }
  if (body.by !== undefined) {
    const by = parseDuration(body.by);
    if (by !== null) return checkRange(now + by, "by", refuse);
    const message = `by must be a duration such as 90s, 1h30m or 7d, at most a hundred years; got ${JSON.stringify(body.by.slice(0, 40))}.`;
    return refuse("validation_error", { param: "by", message });
  }
  if (body.to === "next") return "next";
  const at = parseInstant(body.to as string, "to", refuse);
  return at < now ? refuseGoingBack("to", account.clock.iso(), refuse) : at;
}

async function advanceTo(
  at: number | "next",
  account: Account,
  { world }: ControlledSandbox,
  refuse: Refuse,
): Promise<Ran[]> {
  try {
    return await world.scheduler.advance(account, at);
  } catch (error) {
    if (!(error instanceof TooMuchDue)) throw error;
    const message = `More than ${maxJobsPerAdvance} jobs fall due on the way; the clock stopped at ${account.clock.iso()}. Advance in smaller steps.`;
    return refuse("validation_error", { message });
  }
}

export const advanceClock = operation({
  id: "advanceClock",
  summary: "Advance the clock; every job that falls due on the way runs at its own time",
  body: Type.Object({
    by: Type.Optional(Type.String({ examples: ["24h"], description: "Duration: ms, s, m, h, d" })),
    to: Type.Optional(Type.String({ examples: ["next"], description: "ISO 8601 time, or next" })),
  }),
  reply: {
    200: Type.Object({
      now: Timestamp,
      ran: Type.Array(
        openObject({
          at: Timestamp,
          kind: Type.String(),
          says: Type.Optional(Type.String({ description: "What it did, as a sentence" })),
        }),
        { description: "Jobs that fell due on the way, in order" },
      ),
    }),
  },
  refuses: ["validation_error", "clock_busy", "storage_unavailable"],

  async handle({ account, body, sandbox, refuse }) {
    if (account.advancing) refuse("clock_busy");
    const ran = await advanceTo(targetOf(account, body, refuse), account, sandbox, refuse);
    return { now: account.clock.iso(), ran };
  },
});

export const freezeClock = operation({
  id: "freezeClock",
  summary: "Freeze the clock; from then on, jobs run only when the clock is advanced",
  body: Type.Object({ at: Type.Optional(Type.String({ description: "ISO 8601 time. Default: now" })) }),
  bodyOptional: true,
  reply: { 200: ClockView },
  refuses: ["validation_error", "clock_busy", "storage_unavailable"],

  async handle({ account, body, sandbox, refuse }) {
    if (account.advancing) refuse("clock_busy");
    const now = account.clock.now();
    const at = body.at === undefined ? now : parseInstant(body.at, "at", refuse);
    if (at < now && !account.untouched) refuseGoingBack("at", account.clock.iso(), refuse);
    if (at > now) await advanceTo(at, account, sandbox, refuse);
    account.commit("control", () => account.setClock({ offset: 0, frozen_at: at }));
    return viewClock(account, sandbox.world);
  },
});

export const resumeClock = operation({
  id: "resumeClock",
  summary: "Resume the clock from the frozen instant",
  reply: { 200: ClockView },
  refuses: ["clock_busy"],

  handle({ account, sandbox, refuse }) {
    if (account.advancing) refuse("clock_busy");
    account.commit("control", () => account.setClock(account.clock.runningFromHere()));
    return viewClock(account, sandbox.world);
  },
});
