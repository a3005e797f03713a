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
}

export interface Store {
  /** Whether accounts can be evicted from memory and read again. */
  readonly evicts: boolean;
  /** Distinguishes this run of the sandbox from earlier ones on the same data. Empty for the first. */
  readonly runId: string;
  /**
   * Reads an account into the state; synchronous for one that the store has never seen. `lost` is called when
   * a line could not be kept, after the callbacks that wait for it: what memory holds is then ahead of the disk.
   */
  open(id: string, state: State, lost: (error: Error) => void): OpenedAccount | Promise<OpenedAccount>;
  /** Returns the log of an account's request journal, or null if it is not stored. */
  requestLog(id: string): RequestLog | null;
  /** Notes the real time (ms) at which an account is due. It may be too early, but never too late. */
  noteDue(id: string, due: number | null): void;
  /** Returns the due times of all accounts with due work, as noted before the last stop. */
  dueAccounts(): Promise<Iterable<readonly [id: string, due: number]>>;
  /** Housekeeping: folds long journals into their documents. */
  compact(): Promise<void>;
  close(): Promise<void>;
}

/** The folder cannot be used. The message names it and gives a remedy. */
export class StoreError extends Error {}
