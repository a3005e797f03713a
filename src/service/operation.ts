/** `operation()` for the service's endpoints: a handler gets the account that the key selects. */
import { operationFor } from "../contract/operation.js";
import type { Account } from "../world/account.js";

export interface ServiceContext {
  account: Account;
}

export const operation = operationFor<ServiceContext>();
