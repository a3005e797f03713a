/** One activity on one line: when, what, and how it went. */
import type { ActivityEntry } from "../../../../client/account/types.js";
import { toneOf } from "../../../../documents/story/story.js";
import { formatTime } from "../../pieces/format.js";
import { Tag } from "../../pieces/layout.js";
import { WithArrows } from "../../pieces/text.js";

/** Names of kinds on a row. A request is named by its method. */
export const kindNames: Readonly<Record<ActivityEntry["kind"], string>> = {
  request: "request",
  move: "state",
  message: "message",
  event: "event",
  attempt: "webhook",
  job: "job",
  control: "by hand",
  page: "page",
  scenario: "scenario",
};

/** Splits the title of a call into method and path. */
export function TitleText({ activity: { title, call } }: { activity: ActivityEntry }) {
  if (!call?.method || !call.path)
    return (
      <span class="row-title">
        <WithArrows text={title} />
      </span>
    );
  return (
    <span class="row-title mono">
      <b class="method">{call.method}</b> {call.path}
    </span>
  );
}

/** How a call or a webhook attempt went: status, or what broke it off. */
export function CallStatus({ activity: { attempt, call } }: { activity: ActivityEntry }) {
  if (attempt) {
    const { status } = attempt;
    return status === null ? <Tag tone="bad">no answer</Tag> : <Tag tone={toneOf(status)}>{status}</Tag>;
  }
  if (!call?.method) return null;
  if (call.status !== null) return <Tag tone={toneOf(call.status)}>{call.status}</Tag>;
  return call.fault ? <Tag tone="bad">reset</Tag> : <Tag tone="calm">…</Tag>;
}

/** Maximum number of characters of an endpoint's address on a row. */
const longestEndpoint = 32;

/** Formats where an attempt went: host and path, cut. */
function formatEndpoint(url: string): string {
  const place = url.replace(/^\w+:\/\//, "");
  return place.length <= longestEndpoint ? place : `${place.slice(0, longestEndpoint - 1)}…`;
}

/** The title of an attempt on one line: which event, where to, and whether it is a retry. */
const AttemptTitle = ({ event, url, number }: NonNullable<ActivityEntry["attempt"]>) => (
  <span class="row-title" title={url}>
    {event} <span class="soft">to {formatEndpoint(url)}</span>
    {number > 1 && <span class="soft">, attempt {number}</span>}
  </span>
);

interface RowProps {
  activity: ActivityEntry;
  /** Whether it proves a finding of conduct. */
  isProof: boolean;
  /** How far below its cause it is shown: 0 for what stands by itself. */
  depth: number;
}

export function ActivityRow({ activity, isProof, depth }: RowProps) {
  const { at, kind, call, attempt } = activity;
  const outcome = call?.error_code ?? call?.outcome ?? attempt?.error ?? null;
  return (
    <span class={`activity ${depth === 0 ? "" : "caused"}`} style={{ "--depth": depth }}>
      <time dateTime={at}>{formatTime(at)}</time>
      <span class={`kind kind-${kind}`}>{kindNames[kind]}</span>
      {attempt ? <AttemptTitle {...attempt} /> : <TitleText activity={activity} />}
      <span class="row-outcome">
        {isProof && <b class="conduct-mark">conduct</b>}
        {outcome}
      </span>
      <CallStatus activity={activity} />
    </span>
  );
}
