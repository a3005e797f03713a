/** Interface: "Messaging one-time code" in States and transitions. Final states: assumption message_code.states. */

import { toIso } from "../../../time/time.js";
import type { Stored } from "../../../world/records/machine.js";
import { machine } from "../../machine.js";

/** Number of wrong tries that lock a code. */
export const maxWrongTries = 5;

export interface ChannelCodeFields {
  channel_id: string;
  /** Digits with country code. */
  to: string;
  code: string;
  reference: string | null;
  /** Number of wrong tries so far. */
  attempts: number;
  /** Ms on the account's clock. */
  expires_at: number;
  /** Codes for this number that this one replaced while they were pending. */
  replaced: string[];
}

const states = ["pending", "verified", "expired", "locked", "replaced"] as const;

export type ChannelCodeRecord = Stored<ChannelCodeFields, (typeof states)[number]>;

export const channelCode = machine<ChannelCodeFields>()({
  name: "channel_code",
  prefix: "otp_",
  states,
  moves: {
    send: { from: "new", to: "pending", says: ({ to }) => `A code was sent to +${to} in a message.` },
    verify: { from: "pending", to: "verified", says: ({ to }) => `The code for +${to} was verified.` },
    expire: {
      from: "pending",
      to: "expired",
      at: ({ expires_at }) => expires_at,
      says: ({ to }) => `The code for +${to} expired.`,
    },
    lock: {
      from: "pending",
      to: "locked",
      says: ({ to }) => `The code for +${to} was locked: too many wrong codes.`,
    },
    replace: {
      from: "pending",
      to: "replaced",
      says: ({ to }) => `The code for +${to} was replaced by a newer one.`,
    },
  },
  view: (record) => ({
    id: record.id,
    kind: "otp" as const,
    to: record.to,
    status: record.state,
    expires_at: toIso(record.expires_at),
    channel_id: record.channel_id,
    attempts: record.attempts,
    reference: record.reference,
  }),
});
