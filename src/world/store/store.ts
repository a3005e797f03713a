/** The interface of stores. Its users do not depend on a specific store. */
import type { RequestLog } from "./request-log.js";
import type { Change, State } from "./state.js";

/** The log of one account's commits. */
export interface AccountLog {
  /** Appends one commit, which is safe once `whenSafe` calls back. */
  append(changes: Iterable<Change>): void;
  /** Calls `callback` when everything appended so far is safe, possibly immediately. On an error, none of it was kept. */
  whenSafe(callback: (error: Error | null) => void): void;
  readonly safe: boolean;
  /** Brings the document that a person reads up to date. Absent in stores without one. */
  fold?(): Promise<void>;
  close(): void;
}

export interface OpenedAccount {
  log: AccountLog;
  /** Whether the store already has this account. */
  known: boolean;
  /** Real time in ms at which the account is due as the store says, or null. Absent if it does not say. */
  due?: number | null;
}

export interface Store {
  /** Whether accounts can be evicted from memory and read again. */
  readonly evicts: boolean;
  /** Distinguishes this run of the sandbox from earlier ones on the same data. Empty for the first. */
  readonly runId: string;
  /**
   * Reads an account into the state. Synchronous for an account that the store has never seen, unless sandboxes share the
   * store. `lost` is called when a line could not be kept, after the callbacks that wait for it: memory is then ahead of the
   * disk.
   */
  open(id: string, state: State, lost: (error: Error) => void): OpenedAccount | Promise<OpenedAccount>;
  /** Returns the log of an account's request journal, or null if it is not stored. */
  requestLog(id: string): RequestLog | null;
  /** Notes the real time (ms) at which an account is due. It may be too early, but never too late. */
  noteDue(id: string, due: number | null): void;
  /**
   * Returns the due times of all accounts with due work, as noted before the last stop. A store that sandboxes share
   * returns only accounts that are due soon and that none of them has, and is asked again.
   */
  dueAccounts(): Promise<Iterable<readonly [id: string, due: number]>>;
  /**
   * Returns the number of stored accounts and `others` together. Absent if the store keeps none, or if its cluster
   * admits accounts.
   */
  countAccounts?(others?: Iterable<string>): number;
  /** Returns the ids of accounts that were not written since a real time (ms). Absent if none can be removed. */
  unusedSince?(since: number): Promise<readonly string[]>;
  /**
   * Deletes an account that was closed in this turn of the event loop, unless another sandbox has used it since a real
   * time (ms).
   */
  remove?(id: string, since: number): void;
  /** Housekeeping: folds long journals into their documents. */
  compact(): Promise<void>;
  close(): Promise<void>;
  /** Returns the store's own random seed, the same after each start. Absent if the store keeps nothing. */
  seed?(): string;
  /** The other sandboxes on the same store. Absent where there can be none. */
  readonly cluster?: Cluster;
}

/** One of several sandboxes that share a store. Each account is owned by one of them at a time. */
export interface Replica {
  id: string;
  /** URL at which the other replicas reach it, or null before it listens. */
  url: string | null;
  started_at: string;
  /** Time in ms until its lease ends unless it is renewed. */
  lease_ms: number;
  /** Number of accounts that it owns. */
  accounts: number;
}

export interface Cluster {
  /** Gives an account a place if at most `max` then have one. Returns whether it has one. */
  admit(id: string, max: number): Promise<boolean>;
  readonly replicaId: string;
  /** Secret that all replicas share. */
  readonly secret: string;
  /** Whether the lease of this replica is known to be live. */
  readonly hasLease: boolean;
  /** Publishes the URL at which the other replicas reach this one. */
  announce(url: string): Promise<void>;
  /** Calls `onGone` when the lease of another replica has ended. Returns a function that stops watching. */
  watch(replica: string, onGone: () => void): () => void;
  /** Ends the lease of a replica that accepts no connections, if it has died. Resolves once that is decided. */
  suspect(replica: string): Promise<void>;
  /** Returns whether the store has the account. Opening an unknown one would create it. */
  has(id: string): Promise<boolean>;
  /** Returns all replicas, in the order in which they started. */
  replicas(): Promise<Replica[]>;
}

/** Thrown when another replica owns the account. It answers requests for the account at `url`. */
export class OwnedElsewhere extends Error {
  constructor(
    readonly account: string,
    readonly replica: string,
    readonly url: string | null,
    /** Key for the forwarded request, if it is about another account than its own. */
    readonly key: string | null = null,
  ) {
    super(`${account} is owned by the replica ${replica}`);
  }
}

/** Thrown when the store cannot be used. The message names the store and a remedy, and is for the operator only. */
export class StoreError extends Error {
  /** Whether the operator has been told. */
  isReported = false;

  constructor(
    message: string,
    /** Message for clients, without paths and addresses of the server. Default: the message of the error code. */
    readonly publicMessage: string | null = null,
  ) {
    super(message);
  }
}

/** Thrown when the lease of this replica has ended, so that each of its accounts may have another owner. */
export class LeaseExpired extends StoreError {
  constructor() {
    super("the lease of this replica has expired");
  }
}
