/** `standin advance`: advances the account's clock. */
import type { Command } from "commander";
import type { AdvanceResult } from "../../client/account/types.js";
import { toAdvance } from "../../time/time.js";
import { type ConnectionFlags, connect, printReply, withConnection } from "../connection.js";
import { topCommand } from "../documented-command.js";
import { withProgress } from "../output/progress.js";
import { formatCount, formatTable } from "../output/table.js";

export const advanceCommand = (): Command =>
  withConnection(
    topCommand("advance", [
      "standin advance 24h",
      "standin advance next",
      "standin advance 2031-01-31T09:00:00Z",
    ]).argument(
      "<duration>",
      'duration such as 90s, 1h30m or 7d; "next" for the next due job; or an ISO 8601 time',
    ),
  ).action(advance);

async function advance(duration: string, flags: ConnectionFlags): Promise<void> {
  const body = toAdvance(duration);
  const advancing = connect(flags).call("advanceClock", { body });
  printReply(flags, await withProgress("the jobs that fall due", advancing), formatAdvance);
}

function formatAdvance({ now, ran }: AdvanceResult): string {
  const clock = `The account's clock is at ${now}.`;
  if (ran.length === 0) return `${clock} No job fell due.`;
  const rows = ran.map(({ at, kind, ...details }) => [at, kind, formatDetails(details)]);
  return `${clock} ${formatCount(ran.length, "job")} ran:\n\n${formatTable(["at", "job", "details"], rows)}`;
}

const formatDetails = (details: Readonly<Record<string, unknown>>): string =>
  Object.entries(details)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
