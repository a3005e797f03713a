/** `operation()` for the service's endpoints: a handler gets the account that the key selects. */

import type { Assumptions } from "../contract/assumptions.js";
import { operationFor } from "../contract/operation.js";
import type { Account } from "../world/account.js";

export interface ServiceContext {
  account: Account;
  /** The switches in force. */
  assumptions: Assumptions;
}

export const operation = operationFor<ServiceContext>();
