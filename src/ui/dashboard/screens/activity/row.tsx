/** One activity on one line: when, what, and how it went. */
import type { ActivityEntry } from "../../../../client/account/types.js";
import { formatTime } from "../../pieces/format.js";
import { Tag, type Tone } from "../../pieces/layout.js";

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

export function statusTone(status: number): Tone {
  if (status < 400) return "good";
  return status < 500 ? "wait" : "bad";
}

/** Splits the title of a call into method and path. */
export function TitleText({ activity: { title, call } }: { activity: ActivityEntry }) {
  if (!call?.method || !call.path) return <span class="row-title">{title}</span>;
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
    return status === null ? <Tag tone="bad">no answer</Tag> : <Tag tone={statusTone(status)}>{status}</Tag>;
  }
  if (!call?.method) return null;
  if (call.status !== null) return <Tag tone={statusTone(call.status)}>{call.status}</Tag>;
  return call.fault ? <Tag tone="bad">reset</Tag> : <Tag tone="calm">…</Tag>;
}

/** `isProof`: it proves a finding of conduct. */
export function ActivityRow({ activity, isProof }: { activity: ActivityEntry; isProof: boolean }) {
  const { at, kind, cause, call } = activity;
  const outcome = call?.error_code ?? call?.outcome ?? null;
  return (
    <span class={`activity ${cause === null ? "" : "caused"}`}>
      <time dateTime={at}>{formatTime(at)}</time>
      <span class={`kind kind-${kind}`}>{kindNames[kind]}</span>
      <TitleText activity={activity} />
      <span class="row-outcome">
        {isProof && <b class="conduct-mark">conduct</b>}
        {outcome}
      </span>
      <CallStatus activity={activity} />
    </span>
  );
}
