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
  for (const logged of log.oldest()) {
    const siblings = effectsOf.get(logged.cause);
    if (siblings) siblings.push(logged);
    else effectsOf.set(logged.cause, [logged]);
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

/** The beginning of a story and its effects so far, direct and indirect. */
export interface ActivityStory {
  begin: Activity;
  /** All activities of the story, `begin` first. */
  activities: [Activity, ...Activity[]];
}

/**
 * Returns whether an activity begins a story: a call, an act by hand, or a change that was due. What a job does belongs to the
 * job, since it happens later than the call that scheduled it.
 */
const begins = ({ cause, kind }: Activity): boolean => cause === null || kind === "job";

/**
 * Groups all activities into stories, in the order in which they began. Retries of a delivery belong to the story of
 * its event or, if the event is no longer kept, to its first kept attempt.
 */
export function* tellStories(log: ActivityLog): Generator<void, ActivityStory[]> {
  const stories = new Map<Activity, ActivityStory>();
  const kept = new Set(log.oldest());
  const firstAttempts = new Map<string, Activity>();
  const beginOf = (activity: Activity): Activity => {
    let begin = activity;
    while (!begins(begin) && typeof begin.cause === "object" && begin.cause && kept.has(begin.cause))
      begin = begin.cause;
    const { delivery } = begin.refs;
    if (begins(begin) || begin.kind !== "attempt" || delivery === undefined) return begin;
    const first = firstAttempts.get(delivery) ?? begin;
    firstAttempts.set(delivery, first);
    return first;
  };
  for (const activity of kept) {
    const begin = beginOf(activity);
    // An effect may have been published before its cause.
    const story = stories.get(begin) ?? ({ begin, activities: [begin] } satisfies ActivityStory);
    stories.set(begin, story);
    if (activity !== begin) story.activities.push(activity);
    yield;
  }
  return [...stories.values()];
}
