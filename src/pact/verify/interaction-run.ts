/** What happened while one interaction was verified. */
import type { SandboxAccount } from "../../library/account.js";

export interface StateChange {
  name: string;
  params: Record<string, unknown>;
}

export interface Visit {
  account: SandboxAccount;
  /** Those that were asked for, in their order. */
  states: StateChange[];
  /** Why a state could not be set up. */
  stateError: string | null;
  /** Why there was no message. */
  messageError: string | null;
  /** As the verifier sent it; null where it asked for a message, or never came so far. */
  request: { method: string; path: string } | null;
  /** The description of the message that was asked for. */
  message: string | null;
  /** What the verifier got, the last one. */
  answer: { status: number; body: string } | null;
  /** It was asked for what it is about, or torn down: whatever comes next belongs to the next interaction. */
  isOver: boolean;
}

export const newVisit = (account: SandboxAccount): Visit => ({
  account,
  states: [],
  stateError: null,
  messageError: null,
  request: null,
  message: null,
  answer: null,
  isOver: false,
});
