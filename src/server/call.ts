/** Runs a service operation for the control API and the hosted pages, as a request would. */
import type { AnyOperation, UploadedFile } from "../contract/operation.js";
import { judge, outcomeHeader, requestedOutcome } from "../rules/outcomes.js";
import type { Account } from "../world/account.js";
import { checkMode, checkPlan } from "./gates.js";
import { compileInput, validateInput } from "./input.js";
import { newCall, type Price, runOperation } from "./run.js";
import type { Settings } from "./settings.js";

export interface OperationCall {
  params?: Readonly<Record<string, string>>;
  body?: Record<string, unknown>;
  files?: Record<string, UploadedFile>;
  /** Who stands in the history of what it moves. */
  actor: string;
  /** Price list key in place of the operation's own. */
  priceKey?: string;
  /** Decides as the request header does. */
  outcome?: string;
  /** Makes what is there before clients come: nobody's key asks, so its mode does not count. */
  setsUp?: true;
}

export async function callOperation(
  account: Account,
  operation: AnyOperation,
  { params = {}, body = {}, files = {}, actor, priceKey, outcome, setsUp }: OperationCall,
  settings: Settings,
  priceOf: (key: string) => Price,
): Promise<unknown> {
  await compileInput(operation);
  const input = { query: {}, body, files };
  validateInput(operation, params, input, "nowhere");
  if (!setsUp) checkMode(account, operation);
  checkPlan(account, operation);
  const asked = outcome === undefined ? null : requestedOutcome(operation, { [outcomeHeader]: outcome });
  const { decision } = judge(
    account,
    operation,
    { path: "", params, headers: {}, ...input },
    { asked, onWire: false },
  );
  const call = newCall(account, null, settings, params, input, {});
  return runOperation(operation, call, decision, (key) => priceOf(priceKey ?? key), { actor });
}

/** Runs an operation of the control API. */
export async function callControl(
  account: Account,
  operation: AnyOperation,
  { params = {}, body = {} }: Omit<OperationCall, "actor">,
  settings: Settings,
  sandbox: object,
): Promise<unknown> {
  await compileInput(operation);
  const input = { query: {}, body, files: {} };
  validateInput(operation, params, input, "nowhere");
  return operation.handle(newCall(account, sandbox, settings, params, input, {}) as never);
}
