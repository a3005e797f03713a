/** Formats activities as text, for terminals and error messages. */
import type { ActivityEntry, ActivityExplanation } from "./types.js";

/** Formats an activity and its result, such as `POST /v1/verify/bvn 200, match by default, NGN 50.00, 3 ms`. */
export function formatActivity({ kind, title, call, move, refs }: ActivityEntry): string {
  if (move) return `${title} (${refs.record}, ${move.from} → ${move.to})`;
  if (!call) return `${kind} ${title}`;
  const name = call.method === null ? `${kind} ${title}` : title;
  const ending = call.status ?? (call.duration_ms === null ? null : "no reply");
  return [
    [name, ending, call.error_code].filter((part) => part !== null).join(" "),
    call.outcome === null ? null : formatDecision(call),
    call.fault === null ? null : `fault ${call.fault}`,
    call.cost === 0 ? null : `NGN ${(call.cost / 100).toFixed(2)}`,
    call.duration_ms === null ? null : `${Math.round(call.duration_ms)} ms`,
  ]
    .filter((part) => part !== null)
    .join(", ");
}

function formatDecision({ outcome, decided_by, rule }: NonNullable<ActivityEntry["call"]>): string {
  return `${outcome} by ${decided_by === "rule" && rule !== null ? rule : decided_by}`;
}

/** Formats the last activities, the oldest first, for the end of an error message. */
export const formatTail = (newestFirst: readonly ActivityEntry[]): string =>
  newestFirst.length === 0
    ? "Nothing has happened on the account yet."
    : `What happened last:\n${newestFirst
        .toReversed()
        .map((entry) => `  ${entry.at}  ${formatActivity(entry)}`)
        .join("\n")}`;

/** Formats the tree around an activity: its causes above it, its effects below. */
export function formatExplanation({ activity, causes, effects }: ActivityExplanation): string {
  const line = (entry: ActivityEntry, depth: number, mark = " ") =>
    `${mark} ${"  ".repeat(depth)}${entry.at}  ${formatActivity(entry)}  (${entry.id})`;
  const root = causes[0] ?? activity;
  return [
    ...(root.cause === null ? [] : [`  ${root.cause} led to this and is no longer kept.`]),
    ...causes.map((cause, depth) => line(cause, depth)),
    line(activity, causes.length, ">"),
    ...effects.map((effect) => line(effect, causes.length + effect.depth)),
  ].join("\n");
}
