/** `standin advance`: the account's clock, moved on. */
import type { Command } from "commander";
import type { AdvanceResult } from "../library/types.js";
import { waitingFor } from "./progress.js";
import { controlApi, onSandbox, print, type SteeringFlags, taught } from "./steering.js";
import { count, table } from "./table.js";

export const advanceCommand = (): Command =>
  onSandbox(
    taught("advance", "Move the account's clock on; what falls due on the way runs at its own time.", [
      "standin advance 24h",
      "standin advance next",
      "standin advance 2031-01-31T09:00:00Z",
    ]).argument("<duration>", "such as 90s, 1h30m or 7d; next, to what is due next; or an ISO 8601 time"),
  ).action(advance);

/** A time begins with its year. */
const isTime = /^\d{4}-/;

async function advance(duration: string, flags: SteeringFlags): Promise<void> {
  const to = duration === "next" || isTime.test(duration);
  const body = to ? { to: duration } : { by: duration };
  const advancing = controlApi(flags).call<AdvanceResult>("POST", "/clock/advance", body);
  print(flags, await waitingFor("what falls due on the way", advancing), describe);
}

function describe({ now, ran }: AdvanceResult): string {
  const clock = `The account's clock is at ${now}.`;
  if (ran.length === 0) return `${clock} Nothing fell due.`;
  const rows = ran.map(({ at, kind, ...rest }) => [at, kind, about(rest)]);
  return `${clock} ${count(ran.length, "job")} fell due:\n\n${table(["at", "job", "about"], rows)}`;
}

const about = (fields: Readonly<Record<string, unknown>>): string =>
  Object.entries(fields)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
