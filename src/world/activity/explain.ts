/** Explains an activity: what led to it, and what it caused. */
import { type Activity, causesOf } from "./activity.js";
import type { ActivityLog } from "./activity-log.js";

export interface Effect {
  activity: Activity;
  /** 1 for what the explained activity caused directly. */
  depth: number;
}

export interface Explanation {
  activity: Activity;
  /** The root first, as far as causes are kept. */
  causes: Activity[];
  /** The tree of what it caused, each activity before what it caused in turn. */
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
