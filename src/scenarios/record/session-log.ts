/** The activities that a recording is made of: calls from outside, and what the sandbox did on its own afterwards. */

import { controlPrefix } from "../../contract/control-routes.js";
import { parseJson, parseObject } from "../../contract/json.js";
import { type AnyOperation, methodOf, pathOf } from "../../contract/operation.js";
import { matchPath } from "../../contract/route.js";
import { type Activity, type CallResult, causesOf } from "../../world/activity/activity.js";
import type { ActivityLog } from "../../world/activity/activity-log.js";
import type { JournalEntry } from "../../world/activity/request-journal.js";

/** The parts of an activity that say what was called, and when. */
type CalledActivity = Pick<Activity, "at" | "kind" | "refs" | "call">;

/** A call of a client, a tester or a person. */
export interface RecordedCall {
  activity: CalledActivity;
  call: CallResult;
  operation: AnyOperation;
  /** Decoded path parameters. */
  params: Readonly<Record<string, string>>;
  /** Query as in a URL, without the question mark. */
  search: string;
  /** The JSON body. Null if there was none, if it was not a JSON object, or if it was too long to keep. */
  body: Readonly<Record<string, unknown>> | null;
  /** The JSON reply; undefined if it was a file or too long to keep. */
  reply: unknown;
}

/**
 * Returns the activities in the order in which they began. An advance is published after the jobs that it ran, but began
 * before them. A call that sets the clock back, by loading a scenario, is as old as the first of its effects.
 */
export function inOrder(log: ActivityLog): Activity[] {
  const activities = [...log.oldest()];
  const began = new Map(activities.map((activity) => [activity, activity.at]));
  for (const activity of activities) {
    const root = rootOf(activity);
    began.set(root, Math.min(began.get(root) ?? root.at, activity.at));
  }
  const at = (activity: Activity) => began.get(activity) as number;
  return activities.sort((a, b) => at(a) - at(b));
}

/** Returns whether an activity is a call from outside. */
export const isCall = ({ kind, cause, call }: Activity): boolean =>
  call !== null && cause === null && ["request", "control", "page"].includes(kind);

/** Returns the call that led to an activity, or the activity itself. */
export const rootOf = (activity: Activity): Activity => causesOf(activity)[0] ?? activity;

/** Reads a call, or returns null if no operation was reached. */
export function readCall(activity: CalledActivity, operations: readonly AnyOperation[]): RecordedCall | null {
  const call = activity.call as CallResult;
  const operation = operations.find(({ id }) => id === activity.refs.operation);
  if (!operation) return null;
  const body = parseObject(call.body);
  const [path = "", ...search] = (call.path ?? "").split("?");
  const params =
    call.path === null
      ? ((body ?? {}) as Record<string, string>)
      : Object.fromEntries(
          Object.entries(matchPath(pathOf(operation), path) ?? {}).map(([name, text]) => [
            name,
            decodeBody(text),
          ]),
        );
  return { activity, call, operation, params, search: search.join("?"), body, reply: parseJson(call.reply) };
}

/** Reads a request of a journal or of an HTTP archive, or returns null if no operation was reached. */
export const readJournalEntry = (
  entry: JournalEntry,
  operations: readonly AnyOperation[],
): RecordedCall | null =>
  readCall(
    {
      kind: "request",
      at: entry.at,
      refs: entry.operation === null ? {} : { operation: entry.operation },
      call: entry,
    },
    operations,
  );

/** Decodes a part of a URL, or returns it as it is if it is malformed. */
export const decodeBody = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

export const hasSucceeded = ({ call, activity }: RecordedCall): boolean =>
  activity.kind === "page" ? call.error_code === null : call.status !== null && call.status < 300;

/** Returns the route of an operation of the control API as steps write it, such as `POST /rules`. */
export const stepRouteOf = (operation: AnyOperation, path: string): string =>
  `${methodOf(operation)} ${path.replace(controlPrefix, "")}`;
