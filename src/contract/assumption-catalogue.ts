/** Every silence of the interface that the sandbox fills, one row a silence, by subject. */
import { accessRows } from "./assumptions/access.js";
import { businessRows } from "./assumptions/business.js";
import { channelRows } from "./assumptions/channels.js";
import { errorRows } from "./assumptions/errors.js";
import { productRows } from "./assumptions/products.js";
import { requestRows } from "./assumptions/requests.js";
import { verificationRows } from "./assumptions/verification.js";
import { webhookRows } from "./assumptions/webhooks.js";
import type { Assumption } from "./assumptions.js";

export const catalogue = [
  ...errorRows,
  ...requestRows,
  ...accessRows,
  ...verificationRows,
  ...productRows,
  ...channelRows,
  ...businessRows,
  ...webhookRows,
] as const satisfies readonly Assumption[];
