/** Prints activities as they happen, as one line of text or JSON each. */
import { formatActivity } from "../../client/account/format-activity.js";
import type { ActivityEntry } from "../../client/account/types.js";
import { colors, print } from "../output/print.js";
import { toOneLine } from "../output/table.js";

/** Returns a function that prints an activity and, as JSON, its account. */
export const logActivity =
  (form: "pretty" | "json") =>
  (entry: ActivityEntry, account: string | null): void => {
    const shown = withoutText(entry);
    print(`${form === "json" ? JSON.stringify({ account, ...shown }) : formatLine(shown)}\n`);
  };

/** Returns the activity without a message's text, which may hold a code: logs are kept where others read them. */
const withoutText = (entry: ActivityEntry): ActivityEntry =>
  entry.kind === "message" ? { ...entry, title: entry.title.split(": ", 1).join() } : entry;

/** Formats the time of day, the activity and its id, coloured by how it went. */
export function formatLine(entry: ActivityEntry): string {
  const time = colors.dim(entry.at.slice("2026-01-31T".length, -1));
  return `${time} ${colorOf(entry)(toOneLine(formatActivity(entry)))} ${colors.dim(entry.id)}`;
}

function colorOf({ kind, attempt, call }: ActivityEntry): (text: string) => string {
  if (kind === "attempt") return attempt?.state === "succeeded" ? colors.green : colors.yellow;
  if (kind === "message") return colors.cyan;
  if (!call || call.status === null) return String;
  if (call.status >= 500) return colors.red;
  return call.status >= 400 ? colors.yellow : colors.green;
}
