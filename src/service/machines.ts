/** Every state machine of the service. */

import type { AnyMachine, ByHandOf } from "../world/records/machine.js";
import { delivery } from "../world/webhooks/delivery.js";
import { addressCheck } from "./address/check.js";
import { audit } from "./audits/audits.js";
import { virtualAccount } from "./business/accounts.js";
import { charge } from "./business/charges.js";
import { payment } from "./business/payments.js";
import { payout } from "./business/payouts.js";
import { refund } from "./business/refunds.js";
import { channel } from "./channels/channels.js";
import { channelCode } from "./channels/codes.js";
import { identityCheck } from "./channels/identity-questions.js";
import { domain } from "./domains/domains.js";
import { verification } from "./identity/verification.js";
import { scan } from "./media/scans.js";
import { phoneVerification } from "./phone/phone.js";
import { session } from "./sessions/sessions.js";

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

const movesIn = <const M extends readonly AnyMachine[]>(listed: M) =>
  Object.fromEntries(
    listed
      .map(({ name, byHand }) => [name, [...new Set([...byHand.values()].flat())]] as const)
      .filter(([, moves]) => moves.length > 0),
  ) as { [K in M[number] as [ByHandOf<K>] extends [never] ? never : K["name"]]: ByHandOf<K>[] };

/** Moves that can be made by hand, grouped by machine. Machines without such moves are omitted. */
export const movesByHand = movesIn(machines);
