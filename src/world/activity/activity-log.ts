/** Keeps the newest activities of an account, in the order in which they were first published. */
import { formatNumber } from "../../contract/money.js";
import { realNow } from "../../time/time.js";
import { CountedList, Total, usualLimit } from "../store/total.js";
import { type Activity, keepTexts, releaseTexts } from "./activity.js";

/** Maximum number of roots, such as requests, that are kept with their effects. */
export const rootLimit = 1_000;
/** Maximum number of activities kept. */
export const activityLimit = 25_000;

/** Estimated size in bytes of an activity without its texts. */
const activityBytes = 600;

/** Activities of all accounts. */
const allActivities = new Total<ActivityLog>("activities", usualLimit, (log) => log.dropFirst());

/** Part of a sentence: why the first activities are not kept. */
const dropped = `only the newest ${formatNumber(rootLimit)} calls and jobs are kept, with at most ${formatNumber(activityLimit)} activities, and fewer if all accounts together fill a twentieth of the heap`;

export interface ActivityListener {
  /** Called when an activity was added or changed. */
  published(activity: Activity): void;
  /** Called when the clock was set. */
  clockSet(): void;
  /** Called when activities were removed. */
  cleared(): void;
  /** Called when the account has left memory, or the sandbox is stopping. */
  ended(): void;
}

export class ActivityLog {
  /** Distinguishes this log from the log of an earlier process. */
  readonly id = realNow().toString(36);
  /** Number of activities that have begun so far. */
  begun = 0;
  /** Number of activities that had begun when the clock was last set, or the log emptied. */
  clockSetAt = 0;
  /** Whether the clock was set to stand still at some time. */
  wasFrozen = false;
  /** Number of publications so far. */
  count = 0;
  /** Number of the last publication that can no longer be repeated in full. */
  droppedUpTo = 0;
  /** Why activities since the account was empty are missing, as part of a sentence. Null if all are kept. */
  whyIncomplete: string | null =
    "the account was read from the store: the sandbox was restarted, or the account was not used for some time";
  /** Called with every published activity. */
  observe: (activity: Activity) => void = () => {};
  readonly #activities = new CountedList<Activity, ActivityLog>(allActivities, this);
  #roots = 0;
  /** Activities that can cause another commit: calls and jobs by their id, events by the id of the event. */
  readonly #byId = new Map<string, Activity>();
  readonly #listeners = new Set<ActivityListener>();

  /** Adds an activity, or notes that it has changed. */
  publish(activity: Activity): void {
    if (activity.published === 0) this.#add(activity);
    activity.published = ++this.count;
    this.observe(activity);
    for (const listener of this.#listeners) listener.published(activity);
  }

  /** Adds a listener. Returns a function that removes it. */
  listen(listener: ActivityListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get size(): number {
    return this.#activities.size;
  }

  get hasListeners(): boolean {
    return this.#listeners.size > 0;
  }

  clockSet(isFrozen: boolean): void {
    this.clockSetAt = this.begun;
    this.wasFrozen ||= isFrozen;
    for (const listener of this.#listeners) listener.clockSet();
  }

  /** Removes all listeners. */
  end(): void {
    for (const listener of this.#listeners) listener.ended();
    this.#listeners.clear();
  }

  /** Returns the call or job with this id, or the activity of the event with this id. */
  get(id: string): Activity | undefined {
    return this.#byId.get(id);
  }

  /** Finds an activity by its id, or the newest one about the event, delivery, message or record with this id. */
  find(id: string): Activity | undefined {
    const known = this.#byId.get(id);
    if (known) return known;
    for (const activity of this.newest()) {
      if (activity.id === id || Object.values(activity.refs).includes(id)) return activity;
    }
    return undefined;
  }

  newest(): Iterable<Activity> {
    return this.#activities.newest();
  }

  oldest(): Iterable<Activity> {
    return this.#activities.oldest();
  }

  /** Returns the activities published after publication `number`, in that order. */
  since(number: number): Activity[] {
    return [...this.oldest()]
      .filter(({ published }) => published > number)
      .sort((a, b) => a.published - b.published);
  }

  /** Removes all activities. Those in progress are added again when they are next published. */
  clear(): void {
    this.whyIncomplete = "a snapshot was restored";
    this.dropSince(0);
  }

  /** Removes the activity with this number and all later ones, and returns them. */
  dropSince(number: number): Activity[] {
    this.clockSetAt = this.begun;
    const [kept, dropped] = [[] as Activity[], [] as Activity[]];
    for (const activity of this.oldest()) (activity.number < number ? kept : dropped).push(activity);
    for (const { call } of kept) if (call) keepTexts(call);
    this.release();
    for (const activity of kept) this.#add(activity);
    for (const { call } of kept) if (call) releaseTexts(call);
    for (const activity of dropped) activity.published = 0;
    // Counted as a publication, so that a reader who is behind notices it.
    this.droppedUpTo = ++this.count;
    for (const listener of this.#listeners) listener.cleared();
    return dropped;
  }

  /** Forgets all activities of an account that is no longer kept. */
  release(): void {
    for (const { call } of this.oldest()) if (call) releaseTexts(call);
    this.#activities.clear();
    this.#roots = 0;
    this.#byId.clear();
  }

  #add(activity: Activity): void {
    if (activity.call) keepTexts(activity.call);
    const indexed = indexedId(activity);
    if (indexed !== undefined) this.#byId.set(indexed, activity);
    if (activity.cause === null) this.#roots++;
    while (this.#roots > rootLimit || this.size === activityLimit) this.dropFirst();
    this.#activities.add(activity, sizeOf(activity));
  }

  /** Drops the oldest activity. */
  dropFirst(): void {
    const first = this.#activities.removeFirst();
    if (first.call) releaseTexts(first.call);
    if (first.cause === null) this.#roots--;
    this.whyIncomplete = dropped;
    const indexed = indexedId(first);
    if (indexed !== undefined) this.#byId.delete(indexed);
    this.droppedUpTo = Math.max(this.droppedUpTo, first.published);
  }
}

/** Estimated size in bytes of a table name and a record id in `wrote`. */
const wroteBytes = 40;

const sizeOf = ({ summary, call, attempt, trace, wrote }: Activity): number =>
  activityBytes +
  summary.length +
  (call?.path?.length ?? 0) +
  (trace ? trace.parent.length + (trace.state?.length ?? 0) : 0) +
  (attempt ? attempt.url.length + (attempt.error?.length ?? 0) : 0) +
  wrote.length * wroteBytes;

const indexedId = ({ id, kind, refs }: Activity): string | undefined => {
  if (kind === "move" || kind === "message") return undefined;
  return kind === "event" ? refs.event : id;
};
