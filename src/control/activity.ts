/** Activities of an account, and their causes (design: "Activity"). */

import * as Type from "typebox";
import { nullable } from "../contract/schemas.js";
import { inTurns } from "../time/turns.js";
import { type Activity, type ActivityKind, causesOf } from "../world/activity/activity.js";
import type { ActivityLog } from "../world/activity/activity-log.js";
import { listPage } from "./collection.js";
import { type ControlledSandbox, operation } from "./operation.js";
import { activityIdDescription } from "./schemas.js";
import {
  ActivityView,
  describeActivity,
  Kind,
  requireActivity,
  titleOf,
  viewActivity,
} from "./view-activity.js";

const defaultLimit = 100;
const maxLimit = 1_000;

const ListedActivity = Type.Object({
  ...ActivityView.properties,
  story: Type.Optional(
    Type.Object(
      {
        says: Type.String({
          description: "Sentence about what happened",
          examples: ["Payout of NGN 60,000.68 to Musa Bello rejected."],
        }),
        moves: Type.Integer({ description: "Changes of states" }),
        messages: Type.Integer(),
        events: Type.Integer(),
        webhooks: Type.Integer({ description: "Deliveries that were attempted. Retries do not count" }),
        undelivered: Type.Integer({ description: "Webhooks that have not arrived so far" }),
      },
      { description: "What it caused, including later retries. Only with `stories`" },
    ),
  ),
});

/** Query fields by which activities are filtered. */
const filter = {
  kind: Type.Optional(Kind),
  operation: Type.Optional(Type.String({ description: "Operation id" })),
  status: Type.Optional(Type.Integer({ description: "HTTP status of the reply" })),
  record: Type.Optional(
    Type.String({ description: "Id of the record, message, event, delivery or endpoint that it is about" }),
  ),
  q: Type.Optional(Type.String({ description: "Search titles and ids, in any case" })),
};

export const listActivity = operation({
  id: "listActivity",
  summary: "List what happened to the account, newest first",
  description: "Keeps the last 1,000 requests, jobs and calls with everything that they caused, in memory.",
  query: Type.Object({
    ...filter,
    stories: Type.Optional(
      Type.Boolean({
        description:
          "Whether to list only the beginnings of stories, with what they caused: calls, manual acts and changes that were due. The other filters match a story if any of its activities match. Default false",
      }),
    ),
    before: Type.Optional(
      Type.String({ description: "Id of an activity: list older ones only, to get the next page" }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: maxLimit, description: `Default ${defaultLimit}` }),
    ),
  }),
  reply: {
    200: Type.Object({
      items: Type.Array(ListedActivity),
      next: nullable(Type.String(), {
        description: "Value of `before` for the next page. Null if there is none",
      }),
    }),
  },
  refuses: ["validation_error"],

  async handle({ account, query, sandbox }) {
    const { before, limit = defaultLimit } = query;
    // Reads one item more than the page has, to find out whether there is a next page: the log may change between two
    // turns.
    const page = { limit: limit + 1, ...(before === undefined ? {} : { before }) };
    const { log } = account.activities;
    const stories = query.stories ? (await inTurns(groupStories(log))).reverse() : null;
    const { items } = stories
      ? await listPage(
          stories.map((story) => ({ id: story.begin.id, story })),
          page,
          ({ story }) => viewStory(story, sandbox),
          ({ story }) => story.activities.some((activity) => matches(activity, query)),
        )
      : await listPage(
          [...log.newest()],
          page,
          (activity) => viewActivity(activity, sandbox),
          (activity) => matches(activity, query),
        );
    const shown = items.slice(0, limit);
    return { items: shown, next: items.length > limit ? (shown.at(-1)?.id ?? null) : null };
  },
});

function viewStory(
  { begin, activities }: ActivityStory,
  sandbox: ControlledSandbox,
): Type.Static<typeof ListedActivity> {
  const count = (kind: ActivityKind) => activities.filter((activity) => activity.kind === kind).length;
  const states = new Map<string, string>();
  for (const { attempt, refs } of activities) if (attempt) states.set(refs.delivery ?? "", attempt.state);
  const arrived = [...states.values()].filter((state) => state === "succeeded").length;
  return {
    ...viewActivity(begin, sandbox),
    story: {
      says: sentenceOf(activities),
      moves: count("move"),
      messages: count("message"),
      events: count("event"),
      webhooks: states.size,
      undelivered: states.size - arrived,
    },
  };
}

/**
 * Returns what happened to the first record that the story changed, if the story changed it directly: a call may also
 * cause other calls, as when a scenario is loaded. Without a change, returns the message that was sent, or else what
 * was called.
 */
function sentenceOf([begin, ...caused]: readonly [Activity, ...Activity[]]): string {
  const isOwn = ({ cause }: Activity) => cause === begin || begin.kind === "job";
  const moves = caused.filter((activity) => activity.kind === "move" && isOwn(activity));
  const last = moves.findLast(({ refs }) => refs.record === moves[0]?.refs.record);
  const called = caused.find((activity) => begin.kind === "job" && activity.call);
  const message = caused.find((activity) => activity.kind === "message" && isOwn(activity));
  return last?.summary || message?.summary || describeActivity(called ?? begin) || titleOf(begin);
}

type Filter = Type.Static<Type.TObject<typeof filter>>;

function matches(activity: Activity, { kind, operation: id, status, record, q }: Filter): boolean {
  const { refs, call } = activity;
  if (kind !== undefined && activity.kind !== kind) return false;
  if (id !== undefined && refs.operation !== id) return false;
  if (status !== undefined && call?.status !== status) return false;
  if (record !== undefined && !Object.values(refs).includes(record)) return false;
  if (q === undefined) return true;
  const text = [activity.id, titleOf(activity), call?.error_code, call?.outcome, ...Object.values(refs)];
  return text.join(" ").toLowerCase().includes(q.toLowerCase());
}

export const explainActivity = operation({
  id: "explainActivity",
  summary: "Explain an activity: its causes and its effects",
  params: Type.Object({
    id: Type.String({
      description: activityIdDescription,
    }),
  }),
  reply: {
    200: Type.Object({
      activity: ActivityView,
      causes: Type.Array(ActivityView, { description: "Activities that led to it, the root first" }),
      effects: Type.Array(
        Type.Object({
          ...ActivityView.properties,
          depth: Type.Integer({ minimum: 1, description: "1 for a direct effect" }),
        }),
        { description: "Activities that it caused, each before its own effects" },
      ),
    }),
  },
  refuses: ["resource_not_found"],

  handle({ account, params: { id }, sandbox }) {
    const { activity, causes, effects } = explain(account.activities.log, requireActivity(account, id, "id"));
    return {
      activity: viewActivity(activity, sandbox),
      causes: causes.map((cause) => viewActivity(cause, sandbox)),
      effects: effects.map((effect) => ({ ...viewActivity(effect.activity, sandbox), depth: effect.depth })),
    };
  },
});

interface Effect {
  activity: Activity;
  /** Depth below the explained activity: 1 for a direct effect. */
  depth: number;
}

interface Explanation {
  activity: Activity;
  /** Causes that are still kept, the root first. */
  causes: Activity[];
  /** Tree of effects in depth-first order, each activity before its own effects. */
  effects: Effect[];
}

function explain(log: ActivityLog, activity: Activity): Explanation {
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
interface ActivityStory {
  begin: Activity;
  /** All activities of the story, `begin` first. */
  activities: [Activity, ...Activity[]];
}

/**
 * Returns whether an activity begins a story: a call, an act by hand, or a change that was due. What a job does belongs
 * to the job, since it happens later than the call that scheduled it.
 */
const begins = ({ cause, kind }: Activity): boolean => cause === null || kind === "job";

/**
 * Groups all activities into stories, in the order in which they began. Retries of a delivery belong to the story of
 * its event or, if the event is no longer kept, to its first kept attempt.
 */
function* groupStories(log: ActivityLog): Generator<void, ActivityStory[]> {
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
