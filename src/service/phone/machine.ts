/** Interface: "Phone verification" in States and transitions; names of the ends: assumption phone.states. */

import type { Account } from "../../world/account.js";
import { machine } from "../../world/machine.js";
import { type Kobo, toNaira } from "../../world/money/money.js";
import { minute, toIso } from "../../world/time/time.js";

export const codeLifetime = 10 * minute;
export const wrongTries = 5;

export interface PhoneVerificationFields {
  phone: string;
  code: string;
  reference: string | null;
  /** Ms on the account's clock. */
  expires_at: number;
  cost: Kobo;
  is_test: boolean;
  attempts: number;
  /** Test value or outcome: the first check locks the id, whatever the code. */
  lock_at_first_check: boolean;
}

export const phoneVerification = machine<PhoneVerificationFields, Account>()({
  name: "phone_verification",
  prefix: "phv_",
  moves: {
    send: { from: "new", to: "pending" },
    verify: { from: "pending", to: "verified" },
    expire: { from: "pending", to: "expired", at: (record) => record.expires_at },
    lock: { from: "pending", to: "max_attempts_reached" },
  },
  view: (record) => ({
    id: record.id,
    phone: record.phone,
    status: record.state,
    expires_at: toIso(record.expires_at),
    reference: record.reference,
    cost: toNaira(record.cost),
    is_test: record.is_test,
  }),
});
