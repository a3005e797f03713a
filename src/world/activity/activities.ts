/**
 * The activities of an account, in memory. A context is an activity that commits work for: a request, a job, a page.
 * The effects of a commit are recorded below its context, and published once the commit has succeeded.
 */

import type { Clock } from "../../time/clock.js";
import type { Job } from "../jobs/jobs.js";
import type { Change } from "../store/state.js";
import { isInternal } from "../store/table.js";
import {
  Activity,
  type ActivityKind,
  type ActivityRefs,
  type AttemptFacts,
  type CallResult,
  type MoveFacts,
  StartedCall,
} from "./activity.js";
import { ActivityLog } from "./activity-log.js";

/** The parts of an account that activities depend on. */
export interface ActivityAccount {
  readonly clock: Clock;
  readonly actor: string;
  /** Number of request ids given out so far. */
  readonly requestCount: number;
  nextRequestId(): string;
}

/** Kinds of calls made by the sandbox itself and of commits without a context, by actor. */
const kindsByActor: Readonly<Record<string, ActivityKind>> = {
  api: "request",
  clock: "job",
  page: "page",
  scenario: "scenario",
};
const kindOf = (actor: string): ActivityKind => kindsByActor[actor] ?? "control";

const jobPrefix = "job_";

export class Activities {
  /** Kept by the world while the account is not in memory. */
  log = new ActivityLog();
  #context: Activity | null = null;
  /** Activities recorded in the open commit. */
  #recorded: Activity[] = [];

  constructor(readonly account: ActivityAccount) {}

  /** The activity on whose behalf the current code runs, or null. */
  get context(): Activity | null {
    return this.#context;
  }

  /** Inside a commit: returns the context's id, which jobs keep as their cause. */
  get contextId(): string {
    return this.#requireContext().id;
  }

  /** Runs synchronous code for `context`. */
  within<T>(context: Activity | null, run: () => T): T {
    const outer = this.#context;
    this.#context = context;
    try {
      return run();
    } finally {
      this.#context = outer;
    }
  }

  /** Creates the context of a request. It is published when it first changes something, or when it is answered. */
  ofRequest(
    kind: "request" | "control",
    id: string,
    operation: { id: string; summary: string },
    call: CallResult,
  ): Activity {
    const activity = this.#create(kind, null, { operation: operation.id }, call, id);
    activity.summary = operation.summary;
    return activity;
  }

  /** Creates the context of a call that the sandbox itself makes, caused by the current context. */
  ofOwnCall(actor: string, { id: operation, summary }: { id: string; summary: string }): Activity {
    const cause = this.#context;
    if (cause?.published === 0) this.log.publish(cause);
    const call = new StartedCall(null, null);
    const activity = cause
      ? this.#create(kindOf(actor), cause, { operation }, call, cause.id, ++cause.children)
      : this.#create(kindOf(actor), null, { operation }, call, this.account.nextRequestId());
    activity.summary = summary;
    return activity;
  }

  /** Creates the context of a running job. `sentence` describes it for people. */
  ofJob(job: Job, sentence: string): Activity {
    const kind = job.kind === "deliver" ? "attempt" : "job";
    const cause = job.cause === undefined ? null : this.#find(job.cause);
    const context = this.#create(kind, cause, {}, null, jobPrefix + (job.order as number).toString(36));
    context.summary = sentence;
    return context;
  }

  /** Inside a commit: records an activity. `cause` defaults to the context. */
  record(kind: ActivityKind, summary: string, refs: ActivityRefs, cause?: Activity | string): Activity {
    const context = this.#requireContext();
    const recorded = this.#create(kind, cause ?? context, refs, null, context.id, ++context.children);
    recorded.summary = summary;
    // A context that has not been published yet comes before its effects.
    if (context.published === 0 && !this.#recorded.includes(context)) this.#recorded.push(context);
    this.#recorded.push(recorded);
    return recorded;
  }

  /** Inside a commit: records that a record has moved. `sentence` describes it for people. */
  recordMove(move: MoveFacts, sentence: string, refs: ActivityRefs): Activity {
    const recorded = this.record("move", sentence, refs);
    recorded.move = move;
    return recorded;
  }

  /**
   * Inside a commit: records an attempt to deliver an event. The event is its cause, unless a tester asked for it. The
   * job that made the attempt becomes the activity.
   */
  recordAttempt(attempt: AttemptFacts, refs: ActivityRefs & { event: string }, byHand: boolean): void {
    const summary = formatAttempt(attempt);
    const context = this.#requireContext();
    const isOwn = context.kind === "attempt" && context.published === 0;
    const cause = byHand ? (isOwn ? context.cause : context) : this.#find(refs.event);
    if (!isOwn) {
      this.record("attempt", summary, refs, cause ?? context).attempt = attempt;
      return;
    }
    context.cause = cause;
    context.summary = summary;
    context.attempt = attempt;
    Object.assign(context.refs, refs);
    this.#recorded.push(context);
  }

  /** Publishes what a commit has recorded. `outer` is the context before the commit. */
  committed(changes: readonly Change[], outer: Activity | null): void {
    if (this.#context) noteChanges(this.#context, changes);
    this.#context = outer;
    if (this.#recorded.length === 0) return;
    const recorded = this.#recorded;
    this.#recorded = [];
    for (const activity of recorded) this.log.publish(activity);
  }

  rolledBack(outer: Activity | null): void {
    this.#context = outer;
    this.#recorded = [];
  }

  /** Returns a context or event by its id, or the id itself when it is no longer kept. */
  #find(id: string): Activity | string {
    return this.#recorded.find(({ refs }) => refs.event === id) ?? this.log.get(id) ?? id;
  }

  #create(
    kind: ActivityKind,
    cause: Activity["cause"],
    refs: ActivityRefs,
    call: CallResult | null,
    contextId: string,
    ordinal = 0,
  ): Activity {
    const { clock, requestCount } = this.account;
    // The id of a call has just been given out.
    const requestsBefore = ordinal > 0 || contextId.startsWith(jobPrefix) ? requestCount : requestCount - 1;
    const number = ++this.log.begun;
    return new Activity(kind, clock.now(), cause, refs, call, contextId, ordinal, number, requestsBefore);
  }

  #requireContext(): Activity {
    const { account } = this;
    this.#context ??= this.#create(kindOf(account.actor), null, {}, null, account.nextRequestId());
    return this.#context;
  }
}

/** Formats an attempt, such as `payout.paid was not delivered to http://…, attempt 2: 503. It will be tried again.` */
function formatAttempt({ event, url, number, status, error, state }: AttemptFacts): string {
  if (state === "succeeded") return `${event} was delivered to ${url}, attempt ${number}: ${status}.`;
  const next = state === "pending" ? "It will be tried again." : "It will not be tried again.";
  return `${event} was not delivered to ${url}, attempt ${number}: ${error ?? status}. ${next}`;
}

function noteChanges(context: Activity, changes: readonly Change[]): void {
  const wrote: string[] = [];
  for (const [table, id] of changes) if (!isInternal(table)) wrote.push(table, id);
  // A list that has grown member by member would have unused places.
  if (wrote.length > 0) context.wrote = context.wrote.concat(wrote);
}
