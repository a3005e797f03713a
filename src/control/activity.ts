/** What happened to an account, and why (design: "Activity"). */
import * as Type from "typebox";
import { assumptionsOf } from "../contract/applicable-assumptions.js";
import type { DecidedBy } from "../contract/decision.js";
import { nullable, Timestamp } from "../contract/schemas.js";
import { type Activity, activityKinds, causeId } from "../world/activity/activity.js";
import { explain } from "../world/activity/explain.js";
import { toIso } from "../world/time/time.js";
import { type ControlledSandbox, operation } from "./operation.js";
import { NullableString } from "./schemas.js";

const Kind = Type.Enum([...activityKinds]);
const decidedBy = [
  "header",
  "rule",
  "test-value",
  "people",
  "address",
  "default",
] as const satisfies DecidedBy[];

const Reference = Type.Optional(Type.String());

const CallView = Type.Object({
  method: nullable(Type.String(), { description: "Null for calls that the sandbox itself makes" }),
  path: nullable(Type.String(), { description: "Path with query" }),
  status: nullable(Type.Integer(), {
    description:
      "Null until the reply, for calls that the sandbox itself makes, and if a fault reset the connection",
  }),
  error_code: NullableString,
  outcome: NullableString,
  decided_by: nullable(Type.Enum([...decidedBy]), { description: "What decided the outcome" }),
  rule: nullable(Type.String(), { description: "Id of the rule that decided the outcome or the fault" }),
  fault: NullableString,
  cost: Type.Integer({ description: "Price in kobo" }),
  duration_ms: nullable(Type.Number(), { description: "Wall-clock time" }),
  assumptions: Type.Array(Type.String(), { description: "Assumptions that apply to the operation" }),
});

export const ActivityView = Type.Object({
  id: Type.String({ description: "For requests, the X-Request-Id of the reply" }),
  at: Timestamp,
  kind: Kind,
  title: Type.String({ examples: ["POST /v1/phone/verify/start"] }),
  cause: nullable(Type.String(), {
    description: "Id of the activity that led to it, which may no longer be kept. Null for a root",
  }),
  refs: Type.Object(
    {
      operation: Reference,
      record: Reference,
      machine: Reference,
      message: Reference,
      event: Reference,
      delivery: Reference,
      endpoint: Reference,
    },
    { description: "Ids of what it is about" },
  ),
  call: nullable(CallView, { description: "How the call of an operation went. Null for everything else" }),
  wrote: Type.Array(Type.Object({ table: Type.String(), id: Type.String() }), {
    description: "Records that it has changed",
  }),
});

export type ActivityEntry = Type.Static<typeof ActivityView>;

const assumptions = new WeakMap<ControlledSandbox, Map<string, readonly string[]>>();

/** Returns the assumptions that apply to an operation of the service. */
function assumptionsFor(sandbox: ControlledSandbox, id: string | undefined): string[] {
  let known = assumptions.get(sandbox);
  if (!known) {
    known = new Map(sandbox.operations.map((listed) => [listed.id, [...assumptionsOf(listed)].sort()]));
    assumptions.set(sandbox, known);
  }
  return [...(known.get(id ?? "") ?? [])];
}

export function viewActivity(
  activity: Activity,
  sandbox: ControlledSandbox,
): Type.Static<typeof ActivityView> {
  const { id, at, kind, refs, call, wrote } = activity;
  return {
    id,
    at: toIso(at),
    kind,
    title: titleOf(activity),
    cause: causeId(activity),
    refs: { ...refs },
    call: call && {
      ...call,
      decided_by: call.decided_by as DecidedBy | null,
      duration_ms: call.duration_ms === null ? null : Math.round(call.duration_ms * 100) / 100,
      assumptions: assumptionsFor(sandbox, refs.operation),
    },
    wrote: pairsOf(wrote),
  };
}

function titleOf({ call, refs, summary }: Activity): string {
  if (!call) return summary;
  return call.path === null ? (refs.operation ?? "") : `${call.method} ${call.path}`;
}

/** Returns each table and id once, in order of the first change. */
function pairsOf(wrote: readonly string[]): { table: string; id: string }[] {
  const pairs = new Map<string, { table: string; id: string }>();
  for (let i = 0; i < wrote.length; i += 2) {
    const [table, id] = wrote.slice(i, i + 2) as [string, string];
    pairs.set(`${table} ${id}`, { table, id });
  }
  return [...pairs.values()];
}

const defaultLimit = 100;
const maxLimit = 1_000;

export const listActivity = operation({
  id: "listActivity",
  route: "GET /_sandbox/activity",
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
    q: Type.Optional(Type.String({ description: "Text to look for in titles and ids, in any case" })),
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

  handle({ account, query, sandbox, refuse }) {
    const { log } = account.activities;
    const { before, limit = defaultLimit } = query;
    const start = before === undefined ? null : log.find(before);
    if (start === undefined) {
      const message = `There is no activity ${JSON.stringify(before?.slice(0, 100))} on this account, or it is no longer kept.`;
      refuse("validation_error", { param: "before", message });
    }
    const found: Activity[] = [];
    let isReached = start === null;
    for (const activity of log.newest()) {
      if (isReached && matches(activity, query)) found.push(activity);
      if (activity === start) isReached = true;
      if (found.length > limit) break;
    }
    const items = found.slice(0, limit);
    return {
      items: items.map((activity) => viewActivity(activity, sandbox)),
      next: found.length > limit ? (items.at(-1)?.id ?? null) : null,
    };
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
  route: "GET /_sandbox/activity/{id}",
  summary: "Explain an activity: what led to it, and what it caused",
  auth: "control",
  params: Type.Object({
    id: Type.String({
      description:
        "Id of an activity, request, event, delivery, message or record; the newest activity about it",
    }),
  }),
  reply: {
    200: Type.Object({
      activity: ActivityView,
      causes: Type.Array(ActivityView, { description: "What led to it, the root first" }),
      effects: Type.Array(
        Type.Object({
          ...ActivityView.properties,
          depth: Type.Integer({ minimum: 1, description: "1 for what it caused directly" }),
        }),
        { description: "What it caused, each activity before what that caused in turn" },
      ),
    }),
  },
  refuses: ["resource_not_found"],

  handle({ account, params: { id }, sandbox, refuse }) {
    const { log } = account.activities;
    const found = log.find(id);
    if (!found) {
      const message = `Nothing on this account is known about ${JSON.stringify(id.slice(0, 100))}: the id is wrong, or it was before the sandbox started or the account was reset.`;
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
