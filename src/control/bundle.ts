/** Bundles: everything about an account in one document, to look at elsewhere (design: "From what happened to a test"). */

import type { TSchema } from "typebox";
import * as Type from "typebox";
import { Refusal } from "../contract/errors.js";
import { isObject } from "../contract/json.js";
import { JsonText } from "../contract/reply-forms.js";
import { nullable, Timestamp } from "../contract/schemas.js";
import { collectSecrets, maskForm, redactor } from "../contract/secrets.js";
import { scenarioTable } from "../scenarios/loaded-scenario.js";
import { fromIso } from "../time/time.js";
import { Turns } from "../time/turns.js";
import type { Account } from "../world/account/account.js";
import { Activity, type CallResult, StartedCall } from "../world/activity/activity.js";
import type { JournalEntry } from "../world/activity/request-journal.js";
import { formatSnapshot, headOf, type TextTable, tablesOf } from "../world/snapshot/snapshot.js";
import { formatMember, gatherText, withCommas } from "../world/store/text-pieces.js";
import { delivery } from "../world/webhooks/delivery.js";
import { viewDelivery } from "./events.js";
import { type ControlContext, type ControlledSandbox, operation } from "./operation.js";
import { RequestView, viewRequest } from "./requests.js";
import { OpaqueObject } from "./schemas.js";
import { checkSchema } from "./snapshot.js";
import { ActivityView, CallView, viewActivity } from "./view-activity.js";

const History = Type.Object({ state: OpaqueObject });

export const BundleView = Type.Object({
  standin: Type.Object({ bundle: Type.Literal(1), version: Type.String() }),
  platform: Type.Object({ node: Type.String(), os: Type.String(), arch: Type.String() }),
  mode: Type.Enum(["test", "live"]),
  now: Timestamp,
  assumptions: Type.Record(Type.String(), Type.String(), { description: "Values in force" }),
  snapshot: OpaqueObject,
  history: History,
  deliveries: Type.Array(OpaqueObject),
});

/** Returns the whole account without secrets: its state, activities, requests and deliveries. */
export async function exportBundle({ account, sandbox }: ControlContext): Promise<JsonText> {
  const requests = await account.requests.list();
  return new JsonText(await gatherText(bundleText(account, requests, sandbox)));
}

/** Yields the JSON text of the bundle in parts: the state at the time when the first part is taken. */
function* bundleText(
  account: Account,
  requests: readonly JournalEntry[],
  sandbox: ControlledSandbox,
): Generator<string> {
  const head = headOf(account, sandbox.version);
  const activities = [...account.activities.log.oldest()];
  const tables = yield* listTables(tablesOf(account));
  const deliveries = tables.find(([name]) => name === delivery.name)?.[1] ?? [];
  const secrets = yield* secretsOf(tables, [...requests, ...activities.flatMap(({ call }) => call ?? [])]);
  const redact = redactor(secrets);
  const facts = {
    standin: { bundle: 1, version: sandbox.version },
    platform: { node: process.version, os: process.platform, arch: process.arch },
    mode: head.mode,
    now: head.clock.now,
    assumptions: sandbox.assumptions,
  };
  yield `${JSON.stringify(facts).slice(0, -1)},"snapshot":`;
  yield* formatSnapshot(head, yield* redactTables(tables, secrets));
  yield ',"history":{"state":{"activity":{';
  yield* withCommas(activities, (activity) => {
    const { id, wrote } = activity;
    return formatMember(id, JSON.stringify(redact({ ...viewActivity(activity, sandbox), wrote })));
  });
  yield '},"requests":{';
  yield* withCommas([...requests].reverse(), (entry) =>
    formatMember(entry.id, JSON.stringify(redact(viewRequest(entry)))),
  );
  yield '}}},"deliveries":[';
  yield* withCommas([...deliveries].reverse(), ([, text]) =>
    JSON.stringify(redact(viewDelivery(account, JSON.parse(text)))),
  );
  yield "]}";
}

/** Lists the records of tables, which can be iterated once, one at a time. */
export function* listTables(tables: Iterable<TextTable>): Generator<string, TextTables> {
  const listed: [string, Texts][] = [];
  for (const [name, records] of tables) {
    const texts: (readonly [string, string])[] = [];
    for (const record of records) {
      texts.push(record);
      yield "";
    }
    listed.push([name, texts]);
  }
  return listed;
}

type Texts = readonly (readonly [key: string, text: string])[];
type TextTables = readonly (readonly [name: string, records: Texts])[];

/** Collects the secrets of the state and of the calls, one record at a time. */
export function* secretsOf(
  tables: TextTables,
  calls: readonly CallResult[],
): Generator<string, ReadonlySet<string>> {
  const secrets = new Set<string>();
  for (const [, records] of tables)
    for (const [key, text] of records) {
      collectSecrets(JSON.parse(text), secrets, key);
      yield "";
    }
  for (const { body, reply } of calls) {
    collectSecrets([body, reply], secrets);
    yield "";
  }
  return secrets;
}

/** Returns the tables without secrets, one record at a time. */
function* redactTables(tables: TextTables, secrets: ReadonlySet<string>): Generator<string, TextTables> {
  const plain = redactor(secrets);
  const masked = redactor(secrets, maskForm);
  const redacted: [string, Texts][] = [];
  for (const [name, records] of tables) {
    // The timeline of a scenario is checked against the schemas of the operations.
    const redact = name === scenarioTable.name ? masked : plain;
    const kept: (readonly [string, string])[] = [];
    for (const [key, text] of records) {
      yield "";
      // A record whose key is a secret is left out.
      for (const [, redacted] of Object.entries(redact({ [key]: JSON.parse(text) }) as object))
        kept.push([key, JSON.stringify(redacted)]);
    }
    if (kept.length > 0) redacted.push([name, kept]);
  }
  return redacted;
}

/**
 * Stands apart from restoreSnapshot: that one is recorded, so that its own activity would end the history that is shown, and a
 * body has room for one of the two documents.
 */
export const restoreHistory = operation({
  id: "restoreHistory",
  summary: "Replace the account's activities and requests with a bundle's, after its snapshot was restored",
  body: OpaqueObject,
  takesSnapshot: true,
  isUnrecorded: true,
  reply: { 200: Type.Object({ activities: Type.Integer(), requests: Type.Integer() }) },
  refuses: ["validation_error"],

  async handle({ account, body }) {
    const { activities, requests } = await readHistory(body).catch((error: Error) => {
      throw new Refusal("validation_error", { param: "state", message: error.message });
    });
    const { log } = account.activities;
    log.clear();
    account.requests.clear();
    for (const activity of activities) log.publish(activity);
    for (const entry of requests) account.requests.add(entry);
    return { activities: activities.length, requests: requests.length };
  },
});

// Reads the activities and requests of a bundle, which may come from an untrusted source.

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
/** A stored request. Versions before 0.3 did not keep the headers of replies. */
const StoredRequest = Type.Object({
  ...RequestView.properties,
  reply_headers: Type.Optional(RequestView.properties.reply_headers),
});
type StoredRequest = Type.Static<typeof StoredRequest>;

interface BundleHistory {
  /** Activities, oldest first, as in the log. */
  activities: Activity[];
  requests: JournalEntry[];
}

/** Reads the history. Rejects with an error that names what is wrong. */
async function readHistory(body: object): Promise<BundleHistory> {
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
    ...new StartedCall(method, path),
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
  const result = call && Object.assign(entry ?? new StartedCall(call.method, call.path), resultOf(call));
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
