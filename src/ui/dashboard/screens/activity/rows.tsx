/** Rows of the activity list: stories with marks for their effects, and single activities below their causes. */
import type { ActivityEntry, ActivityExplanation } from "../../../../client/account/types.js";
import { toneOf } from "../../../../documents/story/story.js";
import { formatEndpoint, formatTime, plural } from "../../pieces/format.js";
import { Tag } from "../../pieces/layout.js";

/** Names of kinds on a row. A request is named by its method. */
export const kindNames: Readonly<Record<ActivityEntry["kind"], string>> = {
  request: "request",
  move: "state",
  message: "message",
  event: "event",
  attempt: "webhook",
  job: "due",
  control: "by hand",
  page: "page",
  scenario: "scenario",
};

/** A row of the list, which shows an activity. */
export interface Row extends ActivityEntry {
  /** Depth below the row of its cause. Default 0, for a row on the top level. */
  depth?: number;
  /** Number of attempts that the row stands for. Default 1. */
  attempts?: number;
}

/** Returns whether an activity gets its own row because it happened later than its cause: a job, or a retry. */
const isLater = ({ kind, attempt }: ActivityEntry): boolean =>
  kind === "job" || (attempt !== null && attempt.number > 1);

/** Puts the immediate effects of an activity below it. The newest group comes first. */
export function toGroups(newestFirst: readonly ActivityEntry[]): Row[] {
  const known = new Set(newestFirst.map(({ id }) => id));
  const effects = new Map<string | null, ActivityEntry[]>();
  for (const activity of newestFirst) {
    const { cause } = activity;
    const above = cause !== null && known.has(cause) && !isLater(activity) ? cause : null;
    const siblings = effects.get(above);
    if (siblings) siblings.push(activity);
    else effects.set(above, [activity]);
  }
  const rows: Row[] = [];
  const waiting: Row[] = (effects.get(null) ?? []).toReversed();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { id, depth = 0 } = next;
    rows.push(next);
    // The newest comes first, so that the oldest is taken from the end.
    for (const effect of effects.get(id) ?? []) waiting.push({ ...effect, depth: depth + 1 });
  }
  return rows;
}

/** Folds the attempts of each delivery into a single row, which shows the result of the last attempt. */
export function foldRetries<T extends Row>(rows: readonly T[]): T[] {
  const byDelivery = new Map<string, T[]>();
  for (const row of rows) {
    const key = (row.attempt && row.refs.delivery) || row.id;
    byDelivery.set(key, [...(byDelivery.get(key) ?? []), row]);
  }
  return [...byDelivery.values()].map((same) => {
    const [first, last] = [same[0] as T, same.at(-1) as T];
    return same.length === 1
      ? first
      : { ...last, ...(first.depth !== undefined && { depth: first.depth }), attempts: same.length };
  });
}

/** Returns the effects of a story, without changes that were due later, which are separate stories. */
export function toTree({ effects }: ActivityExplanation): Row[] {
  let laterDepth = Number.POSITIVE_INFINITY;
  const own = effects.filter(({ kind, depth }) => {
    if (depth <= laterDepth) laterDepth = kind === "job" ? depth : Number.POSITIVE_INFINITY;
    return depth < laterDepth;
  });
  return foldRetries(own);
}

/** The sentence of an activity and, for a call, its method and path. */
export function TitleText({ activity: { story, title, call } }: { activity: Row }) {
  const says = story?.says ?? (call?.path ? call.does : title);
  return (
    <span class="title" title={says === title ? title : `${says} ${title}`}>
      {says}
      {call?.path && (
        <>
          {" "}
          <span class="soft mono">
            {call.method} {call.path}
          </span>
        </>
      )}
    </span>
  );
}

/** Shows the result of a call or webhook attempt: its status, or the error that ended it. */
export function CallStatus({ activity: { attempt, call } }: { activity: ActivityEntry }) {
  if (attempt) {
    const { status } = attempt;
    return status === null ? <Tag tone="bad">no answer</Tag> : <Tag tone={toneOf(status)}>{status}</Tag>;
  }
  if (!call?.method) return null;
  if (call.status !== null) return <Tag tone={toneOf(call.status)}>{call.status}</Tag>;
  return call.fault ? <Tag tone="bad">reset</Tag> : <Tag tone="calm">…</Tag>;
}

/** Shows an attempt in a line: its event, its endpoint, and whether it is a retry. */
const AttemptTitle = ({ attempt, attempts = 1 }: Row) => {
  if (!attempt) return null;
  const { event, url, number } = attempt;
  return (
    <span class="title" title={url}>
      {event} <span class="soft">to {formatEndpoint(url)}</span>
      {attempts > 1 && <span class="soft">, {plural(attempts, "attempt")}</span>}
      {attempts === 1 && number > 1 && <span class="soft">, attempt {number}</span>}
    </span>
  );
};

/** The effects of a story: `2 states · 1 event · 3 webhooks, 1 not delivered`. */
function Marks({ moves, messages, events, webhooks, undelivered }: NonNullable<Row["story"]>) {
  const marks = [
    [moves, "state"],
    [messages, "message"],
    [events, "event"],
    [webhooks, "webhook"],
  ] as const;
  return (
    <span class="hint marks">
      <span class="mark">
        {marks
          .filter(([count]) => count > 0)
          .map(([count, noun]) => plural(count, noun))
          .join(" · ")}
        {undelivered > 0 && ", "}
      </span>
      {undelivered > 0 && <b class="bad-text">{undelivered} not delivered</b>}
    </span>
  );
}

interface RowProps {
  activity: Row;
  /** Whether the activity proves a finding of conduct. */
  isProof: boolean;
}

export function ActivityRow({ activity, isProof }: RowProps) {
  const { at, kind, call, attempt, story, depth = 0 } = activity;
  const outcome = call?.error_code ?? call?.outcome ?? attempt?.error ?? null;
  return (
    <span
      class={`activity ${story ? "story-row" : ""} ${depth === 0 ? "" : "caused"}`}
      style={{ "--depth": depth }}
    >
      <time dateTime={at}>{formatTime(at)}</time>
      <span class={`hint kind kind-${kind}`}>{kindNames[kind]}</span>
      {attempt && !story ? <AttemptTitle {...activity} /> : <TitleText activity={activity} />}
      {story && <Marks {...story} />}
      <span class="hint cut row-outcome">
        {isProof && <b class="bad-text">conduct </b>}
        {outcome}
      </span>
      <CallStatus activity={activity} />
    </span>
  );
}
