/** `operation()` for the control API: a handler gets the account and the running sandbox. */

import type { Assumptions } from "../contract/assumptions.js";
import { type AnyOperation, type OperationCall, operationFor } from "../contract/operation.js";
import type { Stage } from "../scenarios/actions.js";
import type { Account } from "../world/account.js";
import type { World } from "../world/world.js";

/** What the control API may ask of the sandbox that it steers. */
export interface ControlledSandbox {
  readonly version: string;
  readonly world: World;
  readonly assumptions: Assumptions;
  /** The service's operations. */
  readonly operations: readonly AnyOperation[];
  /** Adds the headers of assumption webhooks.headers. */
  readonly extendedWebhookHeaders: boolean;
  /** An OpenAPI document. */
  contract(of: "service" | "control", baseUrl: string): Promise<object>;
  issueSessionToken(account: Account): Promise<{ token: string; expires_at: string }>;
  isKey(key: string): boolean;
  openKey(key: string): Promise<Account>;
  /** Where scenarios play. */
  readonly stage: Stage;
  /** Runs a service operation on the account as a request would. */
  call(account: Account, operationId: string, input: OperationCall): Promise<unknown>;
}

export interface ControlContext {
  account: Account;
  sandbox: ControlledSandbox;
  /** The URL under which the client reached the sandbox, without a trailing slash. */
  baseUrl: string;
}

export const operation = operationFor<ControlContext>();
