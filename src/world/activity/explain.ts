/** Explains an activity by its causes and its effects. */
import { type Activity, causesOf } from "./activity.js";
import type { ActivityLog } from "./activity-log.js";

export interface Effect {
  activity: Activity;
  /** Depth below the explained activity: 1 for a direct effect. */
  depth: number;
}

export interface Explanation {
  activity: Activity;
  /** Causes that are still kept, the root first. */
  causes: Activity[];
  /** Tree of effects in depth-first order, each activity before its own effects. */
  effects: Effect[];
}

export function explain(log: ActivityLog, activity: Activity): Explanation {
  const effectsOf = new Map<Activity["cause"], Activity[]>();
  for (const one of log.oldest()) {
    const siblings = effectsOf.get(one.cause);
    if (siblings) siblings.push(one);
    else effectsOf.set(one.cause, [one]);
  }
  const effects: Effect[] = [];
  const waiting: Effect[] = [{ activity, depth: 0 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { depth } = next;
    if (depth > 0) effects.push(next);
    const direct = effectsOf.get(next.activity) ?? [];
    for (const effect of direct.toReversed()) waiting.push({ activity: effect, depth: depth + 1 });
  }
  return { activity, causes: causesOf(activity), effects };
}
