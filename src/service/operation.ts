/** `operation()` for the service's endpoints: a handler gets the account that the key selects. */

import type { Assumptions } from "../contract/assumptions.js";
import { operationFor } from "../contract/operation.js";
import type { Account } from "../world/account.js";

/** What the sandbox was told and the service asks for; the server's settings have more. */
export interface ServiceSettings {
  livekit: { url: string; key: string; secret: string };
  domains: { lookup: "simulated" | "real"; resolver: string | null; origin: string | null };
  tools: { ffmpeg: "auto" | "off"; libreoffice: "auto" | "off" };
}

export interface ServiceContext {
  account: Account;
  /** The switches in force. */
  assumptions: Assumptions;
  settings: ServiceSettings;
}

export const operation = operationFor<ServiceContext>();
