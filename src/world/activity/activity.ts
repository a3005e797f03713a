/** Activities: what happened to an account, each with the activity that caused it. */
import { Total, usualLimit } from "../store/total.js";

export const activityKinds = [
  "request",
  "move",
  "message",
  "event",
  "attempt",
  "job",
  "control",
  "page",
  "scenario",
] as const;
export type ActivityKind = (typeof activityKinds)[number];

/** Ids of the things that an activity is about. */
export interface ActivityRefs {
  operation?: string;
  /** The record that was moved, and its machine. */
  record?: string;
  machine?: string;
  message?: string;
  event?: string;
  delivery?: string;
  endpoint?: string;
}

/** An uploaded file of a recorded call. */
export interface CallFile {
  field: string;
  filename: string;
  /** Media type read from the bytes. Null if they match none. */
  type: string | null;
  sha256: string;
  /** Its bytes, as long as they are kept. They are in memory only. */
  kept: { bytes: Uint8Array | null };
}

/** A call of an operation: its input and its result, as received. Only copies that leave memory are redacted. */
export interface CallResult {
  method: string | null;
  /** Path with query; null for calls that the sandbox itself makes. */
  path: string | null;
  /**
   * Status of the reply. Null until then, for calls that the sandbox itself makes, and when a fault reset the
   * connection.
   */
  status: number | null;
  error_code: string | null;
  outcome: string | null;
  /** Source of the outcome: header, rule, test-value, people, address or default. Null if nothing was decided. */
  decided_by: string | null;
  /** Id of the rule that decided the outcome or the fault. */
  rule: string | null;
  /** The complete fault of a rule, including an error that was answered as usual. */
  asked_fault: string | null;
  /** Retry-After of the reply, in seconds. Null if it had none. */
  retry_after: number | null;
  /** Price in kobo. */
  cost: number;
  /** Wall-clock time, in ms. */
  duration_ms: number | null;
  /**
   * Text of the body if it was JSON and short enough to keep. For calls that the sandbox itself makes, path parameters and
   * body in one object.
   */
  body: string | null;
  /** Text fields and files of a form. Null for other bodies. */
  form: { fields: Readonly<Record<string, unknown>>; files: readonly CallFile[] } | null;
  /** Reply of the sandbox, if it was JSON and short enough to keep. */
  reply: string | null;
  /** Whether body, form, reply and headers are no longer kept, since all accounts together are past the total. */
  trimmed?: true | undefined;
}

/** Longest body or reply that is kept, in characters. */
const maxKeptLength = 64 * 1024;

/** Returns a body or a reply if it is short enough to keep. */
export const shortEnough = (text: string | null): string | null =>
  text !== null && text.length <= maxKeptLength ? text : null;

// Names of the members of a call that say who keeps it. JSON leaves them out. A collection of garbage would visit each
// entry of a WeakMap.
const lists = Symbol("lists");
const counted = Symbol("counted");

/** A call with who keeps it. */
interface KeptCall extends CallResult {
  /** Number of lists that keep it: the journal, the activities, or both. Absent before the first. */
  [lists]?: number;
  /** Number of its texts in the total. 0 or absent until the call has been answered. */
  [counted]?: number;
}

type CallWithHeaders = KeptCall & { headers?: readonly string[]; reply_headers?: readonly string[] };

/** Bodies, forms, replies and headers of calls that a list keeps. */
const callTexts = new Total<CallWithHeaders>(
  "bodies, replies, form fields and headers of requests",
  usualLimit,
  forgetTexts,
);

/** Shared empty list of headers. */
export const noHeaders: readonly string[] = [];

function forgetTexts(call: CallWithHeaders): void {
  call.body = null;
  call.form = null;
  call.reply = null;
  if (call.headers) call.headers = noHeaders;
  if (call.reply_headers) call.reply_headers = noHeaders;
  call.trimmed = true;
}

/** Notes that one more list keeps a call. */
export function keepTexts(call: KeptCall): void {
  call[lists] = (call[lists] ?? 0) + 1;
}

/**
 * Notes that a list no longer keeps a call. Once none does, its texts are forgotten, even if effects still name it as
 * their cause.
 */
export function releaseTexts(call: KeptCall): void {
  if (!call[lists] || --call[lists] > 0 || !call[counted]) return;
  callTexts.release(call[counted]);
  forgetTexts(call);
}

/**
 * Counts the texts of a call that has been answered, once the lists keep it. `headers` are the ones that it shares with no
 * other call.
 */
export function countTexts(call: CallWithHeaders, headers: readonly string[] = []): void {
  if (!call[lists]) return forgetTexts(call);
  let size = (call.body?.length ?? 0) + (call.reply?.length ?? 0);
  for (const text of headers) size += text.length;
  for (const text of call.reply_headers ?? []) size += text.length;
  if (call.form) size += lengthOfForm(call.form);
  if (size > 0) call[counted] = callTexts.add(call, size);
}

/**
 * Returns the length of all names and texts of a form. A name such as `a[toString]` or `a[99999]` makes an object that
 * has no text or an array that is mostly empty, so only existing members are read.
 */
function lengthOfForm({ fields, files }: NonNullable<CallResult["form"]>): number {
  let length = 0;
  const unread: unknown[] = [fields];
  for (const { field, filename } of files) unread.push(field, filename);
  while (unread.length > 0) {
    const value = unread.pop();
    if (typeof value === "string") length += value.length;
    else if (typeof value === "object" && value !== null)
      for (const [name, held] of Object.entries(value)) unread.push(name, held);
  }
  return length;
}

/** A change of a record's state. */
export interface MoveFacts {
  name: string;
  /** State before; `new` for a record that was created. */
  from: string;
  to: string;
}

/** Result of an attempt to deliver an event. */
export interface AttemptFacts {
  /** Kind of the event. */
  event: string;
  url: string;
  /** Number of the attempt, from 1. */
  number: number;
  /** HTTP status of the answer. Null without one. */
  status: number | null;
  error: string | null;
  /** State of the delivery afterwards. */
  state: string;
}

/** One thing that happened. It is created for every request, so texts are formatted only when they are read. */
export class Activity {
  /** Table and id, alternating, of each record that the call's commits changed. */
  wrote: readonly string[] = noChanges;
  /** Number of the last publication; 0 before the first. */
  published = 0;
  /** Number of activities that have an id below this one's. */
  children = 0;
  /** Sentence about what happened. For a request, what its operation does. */
  summary = "";
  /** Move of a record. Null for other activities. */
  move: MoveFacts | null = null;
  /** Attempt to deliver an event. Null for other activities. */
  attempt: AttemptFacts | null = null;
  /** Headers `traceparent` and `tracestate` with which a client continues its trace. Null unless the sandbox traces. */
  trace: { parent: string; state: string | null } | null = null;

  constructor(
    readonly kind: ActivityKind,
    /** Time in ms on the account's clock. */
    readonly at: number,
    /** Cause of the activity: its id if it is no longer kept, and null for a root. */
    public cause: Activity | string | null,
    readonly refs: ActivityRefs,
    readonly call: CallResult | null,
    /** Id of the request, job or call that it belongs to. */
    readonly contextId: string,
    /** Number after that id; 0 for the request, job or call itself. */
    readonly ordinal: number,
    /** Number of activities of the account up to this one, in the order in which they began. */
    readonly number: number,
    /** Number of request ids that the account had given out before it began. */
    readonly requestsBefore: number,
  ) {}

  /** `req_…` for requests, `job_…` for jobs and attempts. Their effects have that id, a dot and a number. */
  get id(): string {
    return this.ordinal === 0 ? this.contextId : `${this.contextId}.${this.ordinal}`;
  }
}

/** Shared empty list, since most activities write nothing themselves. */
const noChanges: readonly string[] = [];

/** A call from its start on. Each of its members has its place in the object from the start, which makes it small and quick. */
export class StartedCall<Text extends string | null = string | null> implements KeptCall {
  status: number | null = null;
  error_code: string | null = null;
  outcome: string | null = null;
  decided_by: string | null = null;
  rule: string | null = null;
  asked_fault: string | null = null;
  retry_after: number | null = null;
  cost = 0;
  duration_ms: number | null = null;
  body: string | null = null;
  form: CallResult["form"] = null;
  reply: string | null = null;
  trimmed: true | undefined = undefined;
  [lists] = 0;
  [counted] = 0;

  constructor(
    readonly method: Text,
    readonly path: Text,
  ) {}
}

/** Returns the id of an activity's cause, or null for a root. */
export const causeId = ({ cause }: Activity): string | null =>
  cause === null || typeof cause === "string" ? cause : cause.id;

/** Returns the causes of an activity as far as they are kept, the root first. */
export function causesOf({ cause }: Activity): Activity[] {
  const causes: Activity[] = [];
  for (let next = cause; next !== null && typeof next !== "string"; next = next.cause) causes.unshift(next);
  return causes;
}
