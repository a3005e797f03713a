/** Calls of operations that the sandbox itself makes: for a scenario, a hosted page or the control API. */
import type { UploadedFile } from "./upload.js";

export interface OperationInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly files?: Readonly<Record<string, UploadedFile>>;
}

export interface OperationCallOptions {
  /** Recorded as `by` in the history of the records that the call moves. */
  readonly actor: string;
  /** Key of the price list that replaces the operation's own. */
  readonly priceKey?: string;
  /** Outcome, as the header X-Sandbox-Outcome would request it. */
  readonly outcome?: string;
  /** The call prepares an account, so operations for test keys run on a live account too. */
  readonly setsUp?: true;
}

export interface OperationCall extends OperationInput, OperationCallOptions {}
