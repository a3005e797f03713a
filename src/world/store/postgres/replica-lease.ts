/**
 * The lease of this replica: a row that it renews, and that the others delete once it has expired, or soon after the
 * replica has died. All accounts that the replica owns depend on it. Times in the row are the database's.
 */
import { randomHex } from "../../../time/random.js";
import { delay, fastestStopwatch, second, type Timer, timer } from "../../../time/time.js";
import { StoreError } from "../store.js";
import type { Database } from "./database.js";

const leaseSeconds = 10;
const renewalIntervalMs = 3 * second;
/**
 * Time in ms after the start of a renewal during which the lease is known to be live. It starts before the database
 * sets the end of the lease, and leaves a margin for the drift between the two clocks.
 */
const knownLiveMs = (leaseSeconds - 1) * second;
/**
 * Time in ms after the start of a renewal during which the session that made it can have ended without any other replica
 * having taken an account over.
 */
const currentMs = second / 2;
/**
 * Time in ms that a replica waits after the session of another one has ended, before it ends that one's lease. It is
 * longer than `currentMs`, and leaves the other replica time to renew the lease in a new session.
 */
const burialDelayMs = 0.7 * second;
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
  /**
   * The advisory lock that the session of the renewals holds until it ends, and the process of that session in the
   * database. Each session has another lock, so that a lock that was seen free never comes back.
   */
  #session: { process: number; lock: string | null } = { process: 0, lock: null };
  /** Whether the renewals have changed their session without a new connection, as behind a pooler: no lock is taken then. */
  #isPooled = false;
  /** Whether a connection was made since the last renewal. */
  #isConnectionNew = true;
  /** Other replicas that seem to have died. */
  readonly #suspects = new Set<string>();
  readonly #watchers = new Set<Watcher>();

  constructor(
    readonly database: Database,
    /** Called when other replicas have ended the lease: every account may have another owner. */
    readonly onExpired: () => void,
    readonly warn: (message: string) => void,
  ) {
    // The lock of the next session has to be there before another replica ends the lease.
    database.leases.on("error", () => this.#renewAgain());
    database.leases.on("connect", () => {
      this.#isConnectionNew = true;
    });
  }

  /** Whether the lease has not ended, so that this replica can own accounts. */
  get isHeld(): boolean {
    return this.#sinceRenewal() < knownLiveMs;
  }

  /** Whether no other replica can have taken over an account of this one. */
  get isLive(): boolean {
    return this.#sinceRenewal() < currentMs;
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

  /**
   * Calls `callback` once it is known that no other replica had taken an account over when this was called or later, or
   * with an error if that cannot be determined now.
   */
  whenLive(callback: LiveCallback): void {
    if (this.isLive) return callback(null);
    this.#waiting.push(callback);
    if (!this.#renewing) this.#renewAgain();
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

  /** Renews the lease, once at a time. */
  #renew(): Promise<void> {
    if (this.#isStopped) {
      const error = new StoreError("the sandbox is stopping");
      this.#answer(this.#takeWaiting(), error);
      return Promise.reject(error);
    }
    this.#renewing ??= this.#renewOnce().finally(() => {
      this.#renewing = null;
      if (this.isLive) this.#answer(this.#takeWaiting(), null);
      else if (this.#waiting.length > 0) this.#renewAgain();
    });
    return this.#renewing;
  }

  /** Renews the lease, and answers the callbacks that waited before. */
  async #renewOnce(): Promise<void> {
    const waiting = this.#takeWaiting();
    try {
      await this.#send();
    } catch (error) {
      if (!this.isHeld) for (const { onGone } of [...this.#watchers]) onGone();
      const reason = `the lease of this replica could not be renewed (${(error as Error).message})`;
      this.#answer([...waiting, ...this.#takeWaiting()], new StoreError(reason));
      throw error;
    }
    // The process was stopped after the database had renewed the lease, which may have ended since.
    if (this.isHeld) this.#answer(waiting, null);
    else this.#waiting.unshift(...waiting);
  }

  #takeWaiting(): LiveCallback[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    return waiting;
  }

  #answer(waiting: readonly LiveCallback[], error: Error | null): void {
    for (const callback of waiting) callback(error);
  }

  async #send(): Promise<void> {
    const isNew = this.#sinceRenewal() === Number.POSITIVE_INFINITY;
    const begun = fastestStopwatch();
    const { id, url } = this;
    const { process, lock } = this.#session;
    const nextLock = this.#isPooled ? null : newLock();
    // Watchers that were added before this query saw the other replica alive.
    const watchers = [...this.#watchers];
    const sending = this.database.leases.query({
      name: isNew ? "register" : "renew",
      text: isNew ? registering : renewing,
      values: [id, url, process, lock, nextLock],
    });
    const { rows } = await sending.catch((error: unknown) => {
      // The row may exist and expire before the next attempt, which must not revive it.
      if (isNew) this.#continueUnderNewId();
      throw error;
    });
    const live = new Map(rows.map((row) => [row.id as string, row.process as number]));
    for (const { replica, onGone } of watchers) if (!live.has(replica)) onGone();
    const now = live.get(id);
    if (now === undefined) return this.#expire();
    this.#sinceRenewal = begun;
    if (now === process) return;
    // Each session of a pooler would keep a lock for good.
    if (!this.#isConnectionNew) this.#isPooled = true;
    this.#isConnectionNew = false;
    this.#session = { process: now, lock: nextLock };
  }

  /**
   * Ends the lease of another replica that accepts no connections, if it has died: its session has ended, and no new one
   * has replaced it.
   */
  async suspect(replica: string): Promise<void> {
    if (this.#suspects.has(replica)) return;
    this.#suspects.add(replica);
    try {
      const { rows } = await this.database.pool.query(endedSession, [replica]);
      if (!rows[0]) return;
      await delay(burialDelayMs);
      const { rowCount } = await this.database.pool.query(burial, [replica, rows[0].session_lock]);
      if (rowCount === 0) return;
      for (const watcher of [...this.#watchers]) if (watcher.replica === replica) watcher.onGone();
    } catch {
      // The lease ends by itself.
    } finally {
      this.#suspects.delete(replica);
    }
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

/** Returns a random number for an advisory lock, which all schemas of a database share, as text of a bigint. */
const newLock = (): string => BigInt(`0x${randomHex(7)}`).toString();

const fresh = `clock_timestamp() + interval '${leaseSeconds} s'`;
const others =
  "SELECT id, 0 AS process FROM standin_replica WHERE id <> $1 AND lease_until > clock_timestamp()";
/** The lock of this session, which a new session takes. */
const session = `session AS MATERIALIZED (
    SELECT CASE WHEN pg_backend_pid() = $3 THEN $4::bigint WHEN pg_try_advisory_lock($5::bigint) THEN $5::bigint END AS lock
  )`;
const own = "SELECT id, pg_backend_pid() AS process FROM own";
const registering = `WITH ${session},
  own AS (
    INSERT INTO standin_replica (id, url, lease_until, session_lock) SELECT $1, $2, ${fresh}, lock FROM session RETURNING id
  )
  ${own} UNION ALL ${others}`;
const renewing = `WITH ${session},
  own AS (
    UPDATE standin_replica SET lease_until = ${fresh}, url = $2, session_lock = lock FROM session WHERE id = $1 RETURNING id
  )
  ${own} UNION ALL ${others}`;
const endedSession = `SELECT session_lock FROM standin_replica WHERE id = $1 AND session_lock IS NOT NULL AND NOT EXISTS (
    SELECT FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1
      AND (classid::bigint << 32) + objid::bigint = session_lock
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  )`;
/** A replica that renewed its lease in a new session has another lock. */
const burial = "DELETE FROM standin_replica WHERE id = $1 AND session_lock = $2";
