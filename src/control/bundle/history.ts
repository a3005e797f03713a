/** Reads the activities and requests of a bundle, which may come from an untrusted source. */
import type { TSchema } from "typebox";
import * as Type from "typebox";
import { isObject } from "../../contract/json.js";
import { nullable } from "../../contract/schemas.js";
import { fromIso } from "../../time/time.js";
import { Turns } from "../../time/turns.js";
import { Activity, newCall } from "../../world/activity/activity.js";
import type { JournalEntry } from "../../world/activity/request-journal.js";
import { RequestView } from "../requests.js";
import { checkSchema } from "../snapshot.js";
import { ActivityView, CallView } from "../view-activity.js";

const StoredActivity = Type.Object({
  ...ActivityView.properties,
  // Versions before 0.3 did not store what an operation does.
  call: nullable(Type.Object({ ...CallView.properties, does: Type.Optional(CallView.properties.does) })),
  // Bundles of version 0.1 lack it.
  attempt: Type.Optional(ActivityView.properties.attempt),
  // Versions before 0.3 had the change only in the title.
  move: Type.Optional(ActivityView.properties.move),
  wrote: Type.Array(Type.String(), { description: "Table and id, alternating" }),
});
type StoredActivity = Type.Static<typeof StoredActivity>;
/** Versions before 0.3 did not keep the headers of replies. */
const StoredRequest = Type.Object({
  ...RequestView.properties,
  reply_headers: Type.Optional(RequestView.properties.reply_headers),
});
type StoredRequest = Type.Static<typeof StoredRequest>;

export interface BundleHistory {
  /** Oldest first, as in the log. */
  activities: Activity[];
  requests: JournalEntry[];
}

/** Rejects with an error that names what is wrong. */
export async function readHistory(body: object): Promise<BundleHistory> {
  const { state } = body as { state?: unknown };
  const stored = await readTable<StoredActivity>(state, "activity", StoredActivity);
  const views = await readTable<StoredRequest>(state, "requests", StoredRequest);
  const turns = new Turns();
  const requests: JournalEntry[] = [];
  for (const view of views) {
    requests.push(toEntry(view));
    await turns.step();
  }
  const calls = new Map(requests.map((entry) => [entry.id, entry]));
  const known = new Map<string, Activity>();
  const activities: Activity[] = [];
  for (const view of stored) {
    const activity = toActivity(view, known, calls);
    activities.push(activity);
    known.set(activity.id, activity);
    if (activity.kind === "event" && activity.refs.event !== undefined)
      known.set(activity.refs.event, activity);
    await turns.step();
  }
  // An effect may have been published before its cause.
  for (const activity of activities)
    if (typeof activity.cause === "string") activity.cause = known.get(activity.cause) ?? activity.cause;
  return { activities, requests };
}

async function readTable<T>(state: unknown, name: string, schema: TSchema): Promise<T[]> {
  const table = isObject(state) ? state[name] : undefined;
  if (!isObject(table)) throw new Error(`state.${name} must be an object of records.`);
  await checkSchema(schema, `state.${name}`, table);
  return Object.values(table) as T[];
}

function toEntry({ at, headers, reply_headers = {}, fault, ...view }: StoredRequest): JournalEntry {
  const { id, method, path, operation, status, error_code, outcome, duration_ms, body, reply } = view;
  const parts = { status, error_code, outcome, duration_ms, body, reply };
  return {
    ...newCall(method, path),
    ...parts,
    id,
    at: fromIso(at) ?? 0,
    operation,
    method,
    path,
    headers: Object.entries(headers).flat(),
    reply_headers: Object.entries(reply_headers).flat(),
    fault,
    asked_fault: fault,
  };
}

function toActivity(
  { id, at, kind, title, cause, refs, call, move, attempt, wrote }: StoredActivity,
  known: ReadonlyMap<string, Activity>,
  calls: ReadonlyMap<string, JournalEntry>,
): Activity {
  // An effect's id is the id of its context, a dot and a number; the context may be an effect itself.
  const [, context = id, ordinal = "0"] = /^(.+)\.(\d+)$/.exec(id) ?? [];
  const entry = calls.get(id);
  const result = call && Object.assign(entry ?? newCall(call.method, call.path), resultOf(call));
  const from = cause === null ? null : (known.get(cause) ?? cause);
  const activity = new Activity(
    kind,
    fromIso(at) ?? 0,
    from,
    { ...refs },
    result,
    context,
    Number(ordinal),
    0,
    0,
  );
  activity.summary = call?.does ?? (call?.path ? "" : title);
  activity.move = move ?? null;
  activity.attempt = attempt ?? null;
  activity.wrote = wrote;
  return activity;
}

const resultOf = ({
  assumptions,
  does,
  fault,
  method,
  path,
  ...result
}: NonNullable<StoredActivity["call"]>) => ({
  ...result,
  asked_fault: fault,
});
