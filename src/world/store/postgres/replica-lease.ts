/**
 * The lease of this replica: a row that it renews, and that the others delete once it has expired. All accounts that the
 * replica owns depend on it. Times in the row are the database's.
 */
import { randomHex } from "../../../time/random.js";
import { fastestStopwatch, second, type Timer, timer } from "../../../time/time.js";
import { StoreError } from "../store.js";
import type { Database } from "./database.js";

const leaseSeconds = 10;
const renewalIntervalMs = 3 * second;
/**
 * Time in ms after the start of a renewal during which the lease is known to be live. It starts before the database
 * sets the end of the lease, and leaves a margin for the drift between the two clocks.
 */
const knownLiveMs = (leaseSeconds - 1) * second;
/** Delay in ms before a failed renewal is repeated. */
const retryDelayMs = second / 2;

interface Watcher {
  replica: string;
  onGone(): void;
}

type LiveCallback = (error: Error | null) => void;

export class ReplicaLease {
  id = randomHex(8);
  url: string | null = null;
  #sinceRenewal: () => number = () => Number.POSITIVE_INFINITY;
  #renewing: Promise<void> | null = null;
  #waiting: LiveCallback[] = [];
  #next: Timer | null = null;
  #isStopped = false;
  readonly #watchers = new Set<Watcher>();

  constructor(
    readonly database: Database,
    /** Called when other replicas have ended the lease: every account may have another owner. */
    readonly onExpired: () => void,
    readonly warn: (message: string) => void,
  ) {}

  /** Whether no other replica can have taken over an account of this one. */
  get isLive(): boolean {
    return this.#sinceRenewal() < knownLiveMs;
  }

  /** Registers the replica. Rejects if the database cannot be reached. */
  async start(): Promise<void> {
    await this.#renew();
    this.#schedule(renewalIntervalMs);
  }

  /** Publishes the URL at which the other replicas reach this one. */
  async announce(url: string): Promise<void> {
    this.url = url;
    await this.#renewing?.catch(() => {});
    await this.#renew();
  }

  /** Calls `callback` once the lease is known to be live, or with an error if that cannot be determined now. */
  whenLive(callback: LiveCallback): void {
    if (this.isLive) return callback(null);
    this.#waiting.push(callback);
    this.#renewAgain();
  }

  /** Returns the id under which the replica can acquire accounts, once its row is known to exist. */
  liveId(): Promise<string> {
    return new Promise((resolve, reject) => {
      this.whenLive((error) => (error ? reject(error) : resolve(this.id)));
    });
  }

  /** Calls `onGone` when the lease of another replica has ended. Returns a function that stops watching. */
  watch(replica: string, onGone: () => void): () => void {
    const watcher = { replica, onGone };
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  /** Ends the lease, so that other replicas can take everything over at once. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#next?.cancel();
    await this.#renewing?.catch(() => {});
    this.#sinceRenewal = () => Number.POSITIVE_INFINITY;
    await this.database.leases.query("DELETE FROM standin_replica WHERE id = $1", [this.id]);
  }

  #schedule(ms: number): void {
    this.#next?.cancel();
    if (!this.#isStopped) this.#next = timer(ms, () => this.#renewAgain());
  }

  #renewAgain(): void {
    this.#renew().then(
      () => this.#schedule(renewalIntervalMs),
      () => this.#schedule(retryDelayMs),
    );
  }

  /** Renews the lease, once at a time, and calls the callbacks that wait for it. */
  #renew(): Promise<void> {
    if (this.#isStopped) return Promise.reject(new StoreError("the sandbox is stopping"));
    this.#renewing ??= this.#send().then(
      () => this.#renewed(null),
      (error: Error) => {
        if (!this.isLive) for (const { onGone } of [...this.#watchers]) onGone();
        this.#renewed(new StoreError(`the lease of this replica could not be renewed (${error.message})`));
        throw error;
      },
    );
    return this.#renewing;
  }

  #renewed(error: Error | null): void {
    this.#renewing = null;
    // The process was stopped after the database had renewed the lease, which may have ended since.
    if (!error && !this.isLive && this.#waiting.length > 0) return this.#renewAgain();
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const callback of waiting) callback(error);
  }

  async #send(): Promise<void> {
    const isNew = this.#sinceRenewal() === Number.POSITIVE_INFINITY;
    const begun = fastestStopwatch();
    const { id, url } = this;
    // Watchers that were added before this query saw the other replica alive.
    const watchers = [...this.#watchers];
    const sending = this.database.leases.query({
      name: isNew ? "register" : "renew",
      text: isNew ? registering : renewing,
      values: [id, url],
    });
    const { rows } = await sending.catch((error: unknown) => {
      // The row may exist and expire before the next attempt, which must not revive it.
      if (isNew) this.#continueUnderNewId();
      throw error;
    });
    const live = new Set(rows.map((row) => row.id as string));
    for (const { replica, onGone } of watchers) if (!live.has(replica)) onGone();
    if (live.has(id)) this.#sinceRenewal = begun;
    else this.#expire();
  }

  #expire(): void {
    this.warn("this replica did not renew its lease in time; others may have taken over its accounts");
    this.#continueUnderNewId();
    throw new Error("it had expired");
  }

  /** Continues under a new id, because accounts still name the old one as their owner. */
  #continueUnderNewId(): void {
    this.id = randomHex(8);
    this.#sinceRenewal = () => Number.POSITIVE_INFINITY;
    this.onExpired();
  }
}

const fresh = `clock_timestamp() + interval '${leaseSeconds} s'`;
const others = "SELECT id FROM standin_replica WHERE id <> $1 AND lease_until > clock_timestamp()";
const registering = `WITH own AS (INSERT INTO standin_replica (id, url, lease_until) VALUES ($1, $2, ${fresh}) RETURNING id)
  SELECT id FROM own UNION ALL ${others}`;
const renewing = `WITH own AS (UPDATE standin_replica SET lease_until = ${fresh}, url = $2 WHERE id = $1 RETURNING id)
  SELECT id FROM own UNION ALL ${others}`;
