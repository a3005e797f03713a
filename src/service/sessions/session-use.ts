/** How long a session was used and by how many: the input of its move `end`; assumption sessions.billing. */
import { refuse } from "../../contract/errors.js";
import { fromIso, second } from "../../world/time/time.js";

/** A week, and more people than any room holds: what is beyond is a slip of the finger. */
const mostMinutes = 10_080;
const mostParticipants = 100_000;

export interface Use {
  seconds: number;
  /** Each begun minute counts whole, for each participant. */
  participantMinutes: number;
}

interface UsedSession {
  created_at: string;
  participants: number;
}

interface EndInput {
  minutes?: unknown;
  participants?: unknown;
}

/** What the input leaves out: the time since the session opened, and everybody who was given a token. */
export function readUse(record: UsedSession, input: unknown, now: number): Use {
  const { minutes, participants } = (input ?? {}) as EndInput;
  const seconds =
    minutes === undefined
      ? Math.round((now - (fromIso(record.created_at) as number)) / second)
      : Math.round(numberIn("minutes", minutes, mostMinutes) * 60);
  const people =
    participants === undefined
      ? record.participants
      : wholeIn("participants", participants, mostParticipants);
  return { seconds, participantMinutes: Math.ceil(seconds / 60) * people };
}

function numberIn(param: string, value: unknown, most: number): number {
  if (typeof value === "number" && value >= 0 && value <= most) return value;
  return wrong(param, `a number from 0 to ${most}`, value);
}

function wholeIn(param: string, value: unknown, most: number): number {
  const number = numberIn(param, value, most);
  return Number.isInteger(number) ? number : wrong(param, `a whole number from 0 to ${most}`, value);
}

function wrong(param: string, rule: string, value: unknown): never {
  const shown = (JSON.stringify(value) ?? "nothing").slice(0, 60);
  return refuse("validation_error", { param, message: `${param} must be ${rule}; got ${shown}.` });
}
