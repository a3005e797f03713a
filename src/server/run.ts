/** Runs one service operation: everything in one commit, taken back whole by whatever refuses it. */
import { refuse } from "../contract/errors.js";
import { type CommonOutcome, commonOutcomes, type Operation } from "../contract/operation.js";
import { type Decision, defaultOutcome } from "../scenarios/outcomes.js";
import type { Account } from "../world/account.js";
import { sayNaira } from "../world/money.js";

export interface Price {
  type: string;
  cost: number;
}

/** What a handler gets. */
export interface HandlerCall {
  account: Account;
  sandbox: object | null;
  params: unknown;
  query: unknown;
  body: unknown;
  files: unknown;
  headers: unknown;
  outcome: string | null;
  cost: number;
  prepared: unknown;
  refuse: typeof refuse;
}

const isCommon = (outcome: string | null): outcome is CommonOutcome =>
  outcome !== null && Object.hasOwn(commonOutcomes, outcome);

/** Seconds after which a client that was told to slow down may try again. */
const retryAfter = "60";

/**
 * The handler runs before an error outcome or an empty wallet refuses, since its own refusals (no such record, wrong
 * state, caps) come first; what it changed goes with the refusal.
 */
export function runInCommit(
  account: Account,
  operation: Operation<never>,
  decision: Decision,
  price: Price | null,
  call: HandlerCall,
): unknown {
  const failure = isCommon(decision.outcome) ? decision.outcome : null;
  return account.commit("api", () => {
    const cost = price?.cost ?? 0;
    const paid = price === null || account.wallet.charge(price.type, cost);
    call.outcome = failure === null ? decision.outcome : defaultOutcome(operation);
    call.cost = cost;
    const result = operation.handle?.(call as never);
    if (failure !== null) {
      refuse(failure, {
        message: `This is the outcome ${failure}, as asked for by ${decision.by}.`,
        ...(failure === "rate_limited" ? { headers: { "Retry-After": retryAfter } } : {}),
      });
    }
    if (!paid) {
      const message = `The call costs ${sayNaira(cost)} and the wallet has ${sayNaira(account.wallet.balance + cost)}; top it up with PATCH /_sandbox/account {"balance": 1000000}.`;
      refuse("insufficient_balance", { message });
    }
    return result;
  });
}
