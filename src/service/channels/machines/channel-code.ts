/** Interface: "Messaging one-time code" in States and transitions. Final states: assumption message_code.states. */

import { toIso } from "../../../time/time.js";
import type { Account } from "../../../world/account/account.js";
import { machine, type Stored } from "../../../world/records/machine.js";

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

export type ChannelCodeRecord = Stored<ChannelCodeFields>;

export const viewChannelCode = ({ id, to, state, expires_at }: ChannelCodeRecord) => ({
  id,
  kind: "otp" as const,
  to,
  status: state as "pending" | "verified" | "expired" | "locked" | "replaced",
  expires_at: toIso(expires_at),
});

export const channelCode = machine<ChannelCodeFields, Account>()({
  name: "channel_code",
  prefix: "otp_",
  moves: {
    send: { from: "new", to: "pending" },
    verify: { from: "pending", to: "verified" },
    expire: { from: "pending", to: "expired", at: ({ expires_at }) => expires_at },
    lock: { from: "pending", to: "locked" },
    replace: { from: "pending", to: "replaced" },
  },
  view: (record) => ({
    ...viewChannelCode(record),
    channel_id: record.channel_id,
    attempts: record.attempts,
    reference: record.reference,
  }),
});
