/** Every state machine of the service. */

import type { AnyMachine } from "../world/records/machine.js";
import { delivery } from "../world/webhooks/delivery.js";
import { addressCheck } from "./address/machine.js";
import { audit } from "./audits/machine.js";
import { charge } from "./business/machines/charge.js";
import { payment } from "./business/machines/payment.js";
import { payout } from "./business/machines/payout.js";
import { refund } from "./business/machines/refund.js";
import { virtualAccount } from "./business/machines/virtual-account.js";
import { channel } from "./channels/machines/channel.js";
import { channelCode } from "./channels/machines/channel-code.js";
import { identityCheck } from "./channels/machines/identity-check.js";
import { domain } from "./domains/machine.js";
import { verification } from "./identity/machine.js";
import { scan } from "./media/machine.js";
import { phoneVerification } from "./phone/machine.js";
import { session } from "./sessions/machine.js";

export const machines = [
  phoneVerification,
  verification,
  addressCheck,
  session,
  domain,
  channel,
  channelCode,
  identityCheck,
  audit,
  scan,
  virtualAccount,
  charge,
  payment,
  payout,
  refund,
  delivery,
] as const satisfies readonly AnyMachine[];
