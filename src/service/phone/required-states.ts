/** The state that a check of a code requires. */
import { replyField, type StateSelector } from "../../contract/required-state.js";
import { deciding, type RequiredStateName, requires } from "../required-states.js";

const states: Readonly<Record<string, RequiredStateName>> = {
  pending: "a pending phone verification",
  verified: "a verified phone verification",
  expired: "an expired phone verification",
  max_attempts_reached: "a locked phone verification",
  // Either kind of verification, under assumption phone.states.
  failed: "a locked phone verification",
};

/**
 * The first check with the right code finds a pending verification. A repeated one finds it verified, and is about the
 * right code whatever the reply: assumption phone.code_reuse.
 */
export const checkedVerification: StateSelector = (exchange) => {
  const isRight = replyField(exchange, "verified") === true;
  const status = isRight && !exchange.again ? "pending" : String(replyField(exchange, "status") ?? "pending");
  const state = states[status];
  const hasRightCode = isRight || (exchange.again && status === "verified");
  const from = hasRightCode ? { "body.id": "id", "body.code": "code" } : { "body.id": "id" };
  return state === undefined ? null : deciding(["verified", "status"], requires(state, from));
};
