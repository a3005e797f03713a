/** The activities of a whole sandbox, as the terminal shows them: finished requests, webhook attempts and messages. */
import type { ControlledSandbox } from "../control/operation.js";
import { type ViewedActivity, viewActivity } from "../control/view-activity.js";
import type { Replies } from "../server/replies.js";
import { realNow } from "../time/time.js";
import { Activity, newCall } from "../world/activity/activity.js";

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
    const call = { ...newCall(method, shownTarget), status, error_code: errorCode, duration_ms: elapsed() };
    show(new Activity("request", realNow(), null, {}, call, requestId, 0, 0, 0), null);
  };
}
