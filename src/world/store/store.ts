/** The interface of stores. Nothing above it knows which store is in use. */
import type { RequestLog } from "./request-log.js";
import type { Change, State } from "./state.js";

/** The log of one account's commits. */
export interface AccountLog {
  /** Appends one commit, which is safe once `whenSafe` calls back. */
  append(changes: Iterable<Change>): void;
  /** Calls back when all that was appended is safe: at once when it is. With an error, none of it was kept. */
  whenSafe(callback: (error: Error | null) => void): void;
  readonly safe: boolean;
  close(): void;
}

export interface OpenedAccount {
  log: AccountLog;
  /** False when the store has never seen this account. */
  known: boolean;
}

export interface Store {
  /** Whether an account may leave memory and come back. */
  readonly evicts: boolean;
  /** Distinguishes this run of the sandbox from earlier ones on the same data. Empty for the first. */
  readonly runId: string;
  /**
   * Reads an account into the state; synchronous for one that the store has never seen. `lost` is called when
   * a line could not be kept, after the callbacks that wait for it: what memory holds is then ahead of the disk.
   */
  open(id: string, state: State, lost: (error: Error) => void): OpenedAccount | Promise<OpenedAccount>;
  /** Returns the log of an account's request journal, or null where it is not kept. */
  requestLog(id: string): RequestLog | null;
  /** Real time (ms) at which an account has something to do, never later than it really has. */
  noteDue(id: string, due: number | null): void;
  /** Every account that has something to do, as noted before the last stop. */
  dueAccounts(): Promise<Iterable<readonly [id: string, due: number]>>;
  /** Housekeeping: folds long journals into their documents. */
  compact(): Promise<void>;
  close(): Promise<void>;
}

/** The folder cannot be used; the message names it and says what to do. */
export class StoreError extends Error {}
