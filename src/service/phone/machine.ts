/** Interface: "Phone verification" in States and transitions. Names of the final states: assumption phone.states. */

import { minute, toIso } from "../../time/time.js";
import { type Kobo, toNaira } from "../../world/money/money.js";
import type { RecordOf } from "../../world/records/machine.js";
import { machine } from "../machine.js";
import { PhoneStatus } from "./schemas.js";

/** Number of digits. */
export const codeLength = 6;
export const codeLifetimeMs = 10 * minute;
/** Number of wrong codes that lock a verification. */
export const maxWrongCodes = 5;

export interface PhoneVerificationFields {
  phone: string;
  code: string;
  reference: string | null;
  /** Ms on the account's clock. */
  expires_at: number;
  cost: Kobo;
  is_test: boolean;
  /** Number of wrong codes so far. */
  attempts: number;
  /** The first check locks the id, whatever the code: outcome `locked`. */
  lock_at_first_check: boolean;
}

export const phoneVerification = machine<PhoneVerificationFields>()({
  name: "phone_verification",
  prefix: "phv_",
  states: PhoneStatus.enum,
  moves: {
    send: { from: "new", to: "pending", says: ({ phone }) => `A code was sent to ${phone}.` },
    verify: {
      from: "pending",
      to: "verified",
      says: ({ phone }) => `The phone number ${phone} was verified.`,
    },
    expire: {
      from: "pending",
      to: "expired",
      at: (record) => record.expires_at,
      says: ({ phone }) => `The code for ${phone} expired.`,
    },
    lock: {
      from: "pending",
      to: "max_attempts_reached",
      says: ({ phone }) => `The verification of ${phone} was locked: too many wrong codes.`,
    },
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

export type PhoneVerificationRecord = RecordOf<typeof phoneVerification>;
