/** `operation()` for the service's endpoints: a handler gets the account that the key selects. */

import type { Assumptions } from "../contract/assumptions.js";
import { operationFor } from "../contract/operation.js";
import type { DomainSettings, LiveKitSettings, ToolSettings } from "../contract/options.js";
import type { Account } from "../world/account.js";

/** The part of the sandbox's settings that the service uses. */
export interface ServiceSettings {
  livekit: LiveKitSettings;
  domains: DomainSettings;
  tools: ToolSettings;
}

export interface ServiceContext {
  account: Account;
  /** The switches in force. */
  assumptions: Assumptions;
  settings: ServiceSettings;
}

export const operation = operationFor<ServiceContext>();
