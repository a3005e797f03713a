/** Interface: "Real-time session", which shows only completed. Other states: assumption sessions. */

import { formatLength, minute, second } from "../../time/time.js";
import type { Account } from "../../world/account/account.js";
import { formatNaira, type Kobo, toNaira } from "../../world/money/money.js";
import type { Stored } from "../../world/records/machine.js";
import { machine } from "../machine.js";
import { priceOf } from "../prices.js";
import { SessionStatus, type SessionType } from "./schemas.js";
import { readUse, type SessionUse } from "./session-use.js";

/** Lifetime of a token. A session lives as long as its last token. */
export const tokenLifetimeMs = 60 * minute;

export interface SessionFields {
  type: SessionType;
  room_name: string;
  /** Number of distinct identities that have a token. */
  participants: number;
  /** Ms on the account's clock. */
  expires_at: number;
  duration_seconds: number;
  cost: Kobo;
}

export type SessionRecord = Stored<SessionFields, SessionStatus>;

/** Returns the price per participant and minute. */
export const sessionPrice = (type: SessionType) => priceOf(`session_${type}`);

/** Bills the actual use, even if it exceeds the wallet's balance; assumption sessions.billing. */
function bill(record: SessionRecord, account: Account, { seconds, participantMinutes }: SessionUse): void {
  const { type, cost } = sessionPrice(record.type);
  record.duration_seconds = seconds;
  record.cost = participantMinutes * cost;
  account.wallet.charge(type, record.cost);
}

export const session = machine<SessionFields>()({
  name: "session",
  prefix: "cs_",
  states: SessionStatus.enum,
  moves: {
    open: {
      from: "new",
      to: "active",
      says: ({ type, room_name }) => `The ${type} room ${room_name} was opened.`,
    },
    end: {
      from: "active",
      to: "completed",
      input: readUse,
      effect: bill,
      says: ({ type, room_name, duration_seconds, cost }) =>
        `The ${type} room ${room_name} ended after ${formatLength(duration_seconds * second)}: ${formatNaira(cost)}.`,
    },
    expire: {
      from: "active",
      to: "expired",
      at: (record) => record.expires_at,
      says: ({ type, room_name }) => `The ${type} room ${room_name} expired.`,
    },
  },
  view: (record) => ({
    id: record.id,
    type: record.type,
    room_name: record.room_name,
    status: record.state,
    duration_seconds: record.duration_seconds,
    cost: toNaira(record.cost),
    currency: "NGN" as const,
    created_at: record.created_at,
  }),
});
