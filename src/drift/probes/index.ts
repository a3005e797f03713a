/** The probe of every assumption that can be switched, in the order in which they are made. */
import { businessProbes } from "./business.js";
import { channelProbes } from "./channels.js";
import { generalProbes } from "./general.js";
import { identityProbes } from "./identity.js";
import { phoneProbes } from "./phone.js";
import type { Probes } from "./probe.js";
import { toolProbes } from "./tools.js";
import { webhookProbes } from "./webhooks.js";

export const probes: Probes = {
  ...generalProbes,
  ...phoneProbes,
  ...identityProbes,
  ...toolProbes,
  ...channelProbes,
  ...businessProbes,
  ...webhookProbes,
};
