/** Activities of an account, and their causes (design: "Activity"). */

import * as Type from "typebox";
import { controlRoutes } from "../contract/control-routes.js";
import { nullable } from "../contract/schemas.js";
import type { Activity } from "../world/activity/activity.js";
import { explain } from "../world/activity/explain.js";
import { listPage } from "./collection.js";
import { operation } from "./operation.js";
import { activityIdDescription } from "./schemas.js";
import { ActivityView, Kind, titleOf, viewActivity } from "./view-activity.js";

const defaultLimit = 100;
const maxLimit = 1_000;

export const listActivity = operation({
  id: "listActivity",
  route: controlRoutes.listActivity,
  summary: "List what happened to the account, newest first",
  description: "Keeps the last 1,000 requests, jobs and calls with everything that they caused, in memory.",
  auth: "control",
  query: Type.Object({
    kind: Type.Optional(Kind),
    operation: Type.Optional(Type.String({ description: "Operation id" })),
    status: Type.Optional(Type.Integer({ description: "HTTP status of the reply" })),
    record: Type.Optional(
      Type.String({ description: "Id of the record, message, event, delivery or endpoint that it is about" }),
    ),
    q: Type.Optional(Type.String({ description: "Search titles and ids, in any case" })),
    before: Type.Optional(
      Type.String({ description: "Id of an activity: list older ones only, to get the next page" }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: maxLimit, description: `Default ${defaultLimit}` }),
    ),
  }),
  reply: {
    200: Type.Object({
      items: Type.Array(ActivityView),
      next: nullable(Type.String(), {
        description: "Value of `before` for the next page. Null if there is none",
      }),
    }),
  },
  refuses: ["validation_error"],

  async handle({ account, query, sandbox }) {
    const { before, limit = defaultLimit } = query;
    // Requests one more item than asked for to find out whether there is a next page, as the log may change between
    // two turns.
    const { items } = await listPage(
      [...account.activities.log.newest()],
      { limit: limit + 1, ...(before === undefined ? {} : { before }) },
      (activity) => viewActivity(activity, sandbox),
      (activity) => matches(activity, query),
    );
    const page = items.slice(0, limit);
    return { items: page, next: items.length > limit ? (page.at(-1)?.id ?? null) : null };
  },
});

interface Filter {
  kind?: string;
  operation?: string;
  status?: number;
  record?: string;
  q?: string;
}

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
  route: controlRoutes.explainActivity,
  summary: "Explain an activity: its causes and its effects",
  auth: "control",
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

  handle({ account, params: { id }, sandbox, refuse }) {
    const { log } = account.activities;
    const found = log.find(id);
    if (!found) {
      const message = `There is no activity about ${JSON.stringify(id.slice(0, 100))} on this account: the id is wrong, or the activity was before the sandbox was started or the account was reset.`;
      return refuse("resource_not_found", { param: "id", message });
    }
    const { activity, causes, effects } = explain(log, found);
    return {
      activity: viewActivity(activity, sandbox),
      causes: causes.map((cause) => viewActivity(cause, sandbox)),
      effects: effects.map((effect) => ({ ...viewActivity(effect.activity, sandbox), depth: effect.depth })),
    };
  },
});
