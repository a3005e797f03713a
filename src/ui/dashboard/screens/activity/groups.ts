/** Activities with what they caused below them. */
import type { ActivityEntry } from "../../../../client/account/types.js";

export interface Groups {
  /** The newest group first; within a group, each activity before its effects. */
  rows: readonly ActivityEntry[];
  /** How far below its cause each activity is shown, by id. */
  depths: ReadonlyMap<string, number>;
}

/** Returns whether an activity stands by itself, since it happened later than its cause: a job, or a retry. */
const isLater = ({ kind, attempt }: ActivityEntry): boolean =>
  kind === "job" || (attempt !== null && attempt.number > 1);

/** Puts what an activity caused at once below it. */
export function toGroups(newestFirst: readonly ActivityEntry[]): Groups {
  const known = new Set(newestFirst.map(({ id }) => id));
  const effects = new Map<string | null, ActivityEntry[]>();
  for (const activity of newestFirst) {
    const { cause } = activity;
    const above = cause !== null && known.has(cause) && !isLater(activity) ? cause : null;
    const siblings = effects.get(above);
    if (siblings) siblings.push(activity);
    else effects.set(above, [activity]);
  }
  const rows: ActivityEntry[] = [];
  const depths = new Map<string, number>();
  const waiting = (effects.get(null) ?? []).toReversed().map((activity) => ({ activity, depth: 0 }));
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { activity, depth } = next;
    rows.push(activity);
    depths.set(activity.id, depth);
    // The newest comes first, so that the oldest is taken from the end.
    for (const effect of effects.get(activity.id) ?? []) waiting.push({ activity: effect, depth: depth + 1 });
  }
  return { rows, depths };
}
