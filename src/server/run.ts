/** Runs one service operation: everything in one commit, taken back whole by whatever refuses it. */

import type { Assumptions } from "../contract/assumptions.js";
import type { Client } from "../contract/client.js";
import { refuse } from "../contract/errors.js";
import {
  type AnyOperation,
  type CommonOutcome,
  commonOutcomes,
  type Decision,
} from "../contract/operation.js";
import { defaultOutcome, retryAfterOf } from "../rules/outcomes.js";
import type { Account } from "../world/account.js";
import { sayNaira } from "../world/money/money.js";
import type { Settings } from "./settings.js";

export interface Price {
  key: string;
  /** Under which the usage counts it. */
  type: string;
  cost: number;
}

/** What a handler gets. */
export interface HandlerCall {
  account: Account;
  sandbox: object | null;
  assumptions: Assumptions;
  settings: Settings;
  params: unknown;
  query: unknown;
  body: unknown;
  files: unknown;
  headers: unknown;
  outcome: string | null;
  decision: Decision | null;
  cost: number;
  client: Client;
  prepared: unknown;
  refuse: typeof refuse;
}

const isCommon = (outcome: string | null): outcome is CommonOutcome =>
  outcome !== null && Object.hasOwn(commonOutcomes, outcome);

/** The refusal that the decision asks for; null: none. */
function failureOf({ outcome, error }: Decision): NonNullable<Decision["error"]> | null {
  if (error) return error;
  if (!isCommon(outcome)) return null;
  return { code: outcome, retryAfter: retryAfterOf(outcome) };
}

/** The sandbox itself calls: it stays. */
const present: Client = {
  get gone() {
    return new AbortController().signal;
  },
};

/** One shape for every call: V8 makes one fast class of it. */
export const newCall = (
  account: Account,
  sandbox: object | null,
  settings: Settings,
  params: unknown,
  { query, body, files }: { query: unknown; body: unknown; files: unknown },
  headers: unknown,
  client: Client = present,
): HandlerCall => ({
  account,
  sandbox,
  assumptions: settings.assumptions,
  settings,
  params,
  query,
  body,
  files,
  headers,
  outcome: null,
  decision: null,
  cost: 0,
  client,
  prepared: undefined,
  refuse,
});

export interface RunOptions {
  /** Who stands in the history of what it moves. */
  actor?: string;
  /** Waited for once all is prepared. */
  pause?: (() => Promise<void>) | null;
}

/** Prepares where the operation has something to prepare, then runs it. */
export function runOperation(
  operation: AnyOperation,
  call: HandlerCall,
  decision: Decision,
  priceOf: (key: string) => Price,
  { actor = "api", pause = null }: RunOptions = {},
): unknown {
  const run = () => runInCommit(operation, call, decision, findPrice(operation, call, priceOf), actor);
  call.outcome = decision.outcome;
  call.decision = decision;
  const preparing = operation.prepare?.(call as never);
  if (!(preparing instanceof Promise) && !pause) {
    call.prepared = preparing;
    return run();
  }
  return Promise.resolve(preparing).then(async (prepared) => {
    call.prepared = prepared;
    await pause?.();
    return run();
  });
}

function findPrice(
  { price }: AnyOperation,
  call: HandlerCall,
  priceOf: (key: string) => Price,
): Price | null {
  const key = typeof price === "function" ? price(call as never) : price;
  return key === undefined || key === null ? null : priceOf(key);
}

/** Uses up what makes the call free; taken back with all else when the call is refused. */
function isFree(account: Account, operation: AnyOperation, { key }: Price): boolean {
  if (operation.freeTier) return account.freeTier.take();
  if (!operation.freeFirst?.includes(key) || account.state.has("free_firsts", key)) return false;
  account.state.put("free_firsts", key, account.clock.iso());
  return true;
}

/**
 * The handler runs before an error outcome or an empty wallet refuses, since its own refusals (no such record, wrong
 * state, caps) come first; what it changed goes with the refusal.
 */
function runInCommit(
  operation: AnyOperation,
  call: HandlerCall,
  decision: Decision,
  price: Price | null,
  actor: string,
): unknown {
  const { account } = call;
  const failure = failureOf(decision);
  return account.commit(actor, () => {
    const cost = price === null || isFree(account, operation, price) ? 0 : price.cost;
    const paid = price === null || account.wallet.charge(price.type, cost);
    call.outcome = failure === null ? decision.outcome : defaultOutcome(operation);
    call.cost = cost;
    const result = operation.handle(call as never);
    if (failure !== null) {
      const { code, retryAfter } = failure;
      const what = decision.error ? "error" : "outcome";
      refuse(code, {
        message: `This is the ${what} ${code}, as asked for by ${decision.by}.`,
        ...(retryAfter === null ? {} : { headers: { "Retry-After": String(retryAfter) } }),
      });
    }
    if (!paid) {
      const message = `The call costs ${sayNaira(cost)} and the wallet has ${sayNaira(account.wallet.balance + cost)}; top it up with PATCH /_sandbox/account {"balance": 1000000}.`;
      refuse("insufficient_balance", { message });
    }
    return result;
  });
}
