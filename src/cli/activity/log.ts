/** Prints the activities of a sandbox as they happen, as one line of text or JSON each. */
import { formatActivity } from "../../client/account/format.js";
import type { ActivityEntry } from "../../client/account/types.js";
import type { ControlledSandbox } from "../../control/operation.js";
import { type ViewedActivity, viewActivity } from "../../control/view-activity.js";
import type { Replies } from "../../server/replies.js";
import { realNow } from "../../time/time.js";
import { Activity, StartedCall } from "../../world/activity/activity.js";
import { colors, print, toOneLine } from "../output/print.js";

/** Returns a function that prints an activity and, as JSON, its account. */
export const logActivity =
  (form: "pretty" | "json") =>
  (entry: ActivityEntry, account: string | null): void => {
    const entryWithoutText = withoutText(entry);
    print(
      `${form === "json" ? JSON.stringify({ account, ...entryWithoutText }) : formatLine(entryWithoutText)}\n`,
    );
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

export type FeedListener = (entry: ViewedActivity, accountId: string | null) => void;

const shownKinds: ReadonlySet<string> = new Set(["request", "control", "page", "message", "attempt"]);

/** Calls `listener` with what happens from now on. */
export function followActivity(sandbox: ControlledSandbox, replies: Replies, listener: FeedListener): void {
  const show = (activity: Activity, accountId: string | null) =>
    listener(viewActivity(activity, sandbox), accountId);
  sandbox.world.observers.push(({ id }, activity) => {
    const { kind, call } = activity;
    // A request is published when it first changes something, and again when it has been answered.
    if (shownKinds.has(kind) && (call === null || call.duration_ms !== null || call.method === null))
      show(activity, id);
  });
  replies.onStray = ({ requestId, method, shownTarget, elapsed }, status, errorCode) => {
    const call = {
      ...new StartedCall(method, shownTarget),
      status,
      error_code: errorCode,
      duration_ms: elapsed(),
    };
    show(new Activity("request", realNow(), null, {}, call, requestId, 0, 0, 0), null);
  };
}
