/** State of the verification of one interaction. */
import type { SandboxAccount } from "../../client/account/account.js";

/** A provider state with the parameters that a pact gives it. */
export interface StateCall {
  name: string;
  params: Record<string, unknown>;
}

export interface InteractionRun {
  account: SandboxAccount;
  /** States requested so far, in order. */
  states: StateCall[];
  /** Values that the verifier got for each state that was set up, in the same order. */
  stateValues: Record<string, unknown>[];
  /** Why a state could not be set up. */
  stateError: string | null;
  /** Why no message could be produced. */
  messageError: string | null;
  /** Why the service does not have the requested path. */
  pathError: string | null;
  /** The request as the verifier sent it; null for messages, and if no request came. */
  request: { method: string; path: string } | null;
  /** Description of the requested message; null for requests. */
  message: string | null;
  /** The last answer that the verifier got. */
  answer: { status: number; body: string } | null;
  /** True after the request, the message or a teardown: the next call belongs to the next interaction. */
  isOver: boolean;
}

export const newRun = (account: SandboxAccount): InteractionRun => ({
  account,
  states: [],
  stateValues: [],
  stateError: null,
  messageError: null,
  pathError: null,
  request: null,
  message: null,
  answer: null,
  isOver: false,
});
