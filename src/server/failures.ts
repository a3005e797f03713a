/** What other layers throw, as refusals; null for what nobody foresaw. */
import { Refusal } from "../contract/errors.js";
import { AccountClosed } from "../world/account.js";
import { IllegalMove } from "../world/machine.js";
import { StoreError } from "../world/store/store.js";
import { ClockBusy } from "../world/time/scheduler.js";

export function toRefusal(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error;
  if (error instanceof IllegalMove) {
    const { state, legal } = error;
    return new Refusal("invalid_state", {
      message: `${error.message}.`,
      extra: { state, legal_moves: legal },
    });
  }
  if (error instanceof ClockBusy) {
    return new Refusal("clock_busy", {
      message: "The account's clock is being advanced; wait for that call's answer.",
    });
  }
  if (error instanceof AccountClosed) return new Refusal("storage_unavailable");
  if (error instanceof StoreError)
    return new Refusal("storage_unavailable", { message: `${error.message}.` });
  return null;
}
