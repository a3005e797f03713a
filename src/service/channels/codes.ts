/** Interface: "Messaging one-time code": the record, its states and transitions, the limits, and its two operations. */

import * as Type from "typebox";
import { refuse } from "../../contract/errors.js";
import { exactly, id, nullable, Timestamp } from "../../contract/schemas.js";
import { day, hour, minute, second } from "../../time/time.js";
import type { Account } from "../../world/account/account.js";
import type { RecordIn } from "../../world/records/machine.js";
import { fixedTable, table } from "../../world/store/table.js";
import { expireIfDue } from "../account-records.js";
import { machine, record } from "../machine.js";
import { ChatNumber } from "../numbers.js";
import { oneTimeCode } from "../one-time-code.js";
import { operation } from "../operation.js";
import { testValueOutcome } from "../test-values.js";
import {
  ChannelParams,
  chatWith,
  maxLabelLength,
  requireChannel,
  requireConnectedChannel,
  saveChat,
  To,
} from "./channels.js";

export const ChannelCode = exactly({
  id: id("otp_", { "x-assumption": "ids" }),
  kind: Type.Literal("otp"),
  to: To,
  status: Type.Literal("pending"),
  expires_at: Timestamp,
});

const reason = Type.Enum(["wrong_code", "expired", "too_many_attempts", "no_pending_code"]);
export type Reason = Type.Static<typeof reason>;

export const ChannelCodeCheck = exactly({
  valid: Type.Boolean(),
  reason: nullable(reason, { description: "null when valid" }),
  reference: nullable(Type.String(), { description: "The reference that the code was sent with" }),
});

// Interface: "Messaging one-time code" in States and transitions. Final states: assumption message_code.states.

/** Number of wrong tries that lock a code. */
export const maxWrongTries = 5;

/** A code as the control API shows it. */
const StoredCode = exactly({
  ...ChannelCode.properties,
  status: Type.Enum(["pending", "verified", "expired", "locked", "replaced"]),
  channel_id: Type.String(),
  /** Number of wrong tries so far. */
  attempts: Type.Integer(),
  reference: nullable(Type.String()),
});

export const channelCodeRecord = record(StoredCode, {
  hidden: {
    code: Type.String(),
    /** Ids of pending codes for this number that this code has replaced. */
    replaced: Type.Array(Type.String()),
  },
});
export type ChannelCodeRecord = RecordIn<typeof channelCodeRecord>;

export const channelCode = machine(channelCodeRecord, {
  name: "channel_code",
  prefix: "otp_",
  moves: {
    send: { from: "new", to: "pending", says: ({ to }) => `A code was sent to +${to} in a message.` },
    verify: { from: "pending", to: "verified", says: ({ to }) => `The code for +${to} was verified.` },
    expire: {
      from: "pending",
      to: "expired",
      at: ({ expires_at }) => expires_at,
      due: ({ to }) => `The code for +${to} expires.`,
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
});

// Limits on codes sent (interface: "Limits", Messaging OTP), in rolling windows on the account's clock.

/** Limits per person, across all channels of the account. */
export const maxPerHour = 3;
export const maxPerDay = 8;

/** Codes per day and account by plan; assumption message_code.daily_cap. The starter plan cannot send codes. */
const dailyCaps = { starter: 0, growth: 250, business: 1_000 } as const;
const largestCap = dailyCaps.business;

type Slot = `slot_${number}`;

/** The times of the account's last 1,000 codes: a ring buffer. */
const ring = fixedTable<{ count: { sent: number } } & Record<Slot, { at: number }>>("code_ring");
const slotOf = (count: number): Slot => `slot_${count % largestCap}`;

const sentCount = ({ state }: Account): number => state.get(ring, "count")?.sent ?? 0;

/** Returns when the account sent its code number `count`, from 0. */
const sentAt = ({ state }: Account, count: number): number | undefined => state.get(ring, slotOf(count))?.at;

/** Times of the codes of a day, by person. */
export const sendsByPerson = table<{ at: number[] }>("code_sends");
const keyOf = (to: string): string => `to_${to}`;

/** Returns when codes were sent to this person within the last day, oldest first. */
function sendsTo({ state, clock }: Account, to: string): number[] {
  const { at } = state.get(sendsByPerson, keyOf(to)) ?? { at: [] };
  return at.filter((sent) => clock.now() - sent < day);
}

interface Limit {
  code: "otp_hourly_limit" | "otp_daily_limit" | "plan_daily_cap";
  /** Reason of a refusal, as the beginning of a sentence. */
  reason: string;
  /** Request field that the limit applies to. */
  param?: "to";
  /** Time of the code that has to leave the window first; undefined if the limit is not reached. */
  blockedBy: number | undefined;
  window: number;
}

function limitsOf(account: Account, to: string): Limit[] {
  const { plan } = account.settings;
  const sends = sendsTo(account, to);
  return [
    {
      code: "otp_hourly_limit",
      reason: `${to} was sent ${maxPerHour} codes within the last hour`,
      param: "to",
      blockedBy: sends.at(-maxPerHour),
      window: hour,
    },
    {
      code: "otp_daily_limit",
      reason: `${to} was sent ${maxPerDay} codes within the last day`,
      param: "to",
      blockedBy: sends.at(-maxPerDay),
      window: day,
    },
    {
      code: "plan_daily_cap",
      reason: `The daily cap of ${dailyCaps[plan]} codes of the ${plan} plan is reached`,
      blockedBy: sentAt(account, sentCount(account) - dailyCaps[plan]),
      window: day,
    },
  ];
}

const openAt = ({ blockedBy, window }: Limit): number => (blockedBy === undefined ? 0 : blockedBy + window);

/** Counts a code to this person, or refuses with 429 by the limit that lasts longest. Call inside a commit. */
function countCode(account: Account, to: string): void {
  const now = account.clock.now();
  const limits = limitsOf(account, to);
  const limit = limits.reduce((longest, next) => (openAt(next) > openAt(longest) ? next : longest));
  if (openAt(limit) > now) {
    const { code, reason, param } = limit;
    const seconds = Math.ceil((openAt(limit) - now) / second);
    const message = `${reason}; try again in ${seconds} s (account clock).`;
    refuse(code, { ...(param ? { param } : {}), message, headers: { "Retry-After": String(seconds) } });
  }
  const count = sentCount(account);
  account.state.put(sendsByPerson, keyOf(to), { at: [...sendsTo(account, to), now] });
  account.state.put(ring, slotOf(count), { at: now });
  account.state.put(ring, "count", { sent: count + 1 });
}

const outcomes = {
  sent: "the code is sent",
  not_on_app: "the number is not on the messaging app: the request succeeds, but the code never arrives",
};

/** Default number of digits; assumption message_code.text. */
export const defaultLength = 6;
export const defaultCodeTtlMinutes = 10;

function formatMessage(code: string, brand: string | undefined, minutes: number): string {
  const name = brand === undefined ? "your code" : `your ${brand} code`;
  return `${code} is ${name}. It expires in ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`;
}

/** Replaces the pending code for this number, if any, and returns all codes replaced so far. */
function replacePending(account: Account, codeId: string | null): string[] {
  const last = codeId === null ? undefined : account.records.get(channelCode, codeId);
  if (!last || expireIfDue(account, channelCode, last).state !== "pending") return [];
  account.records.move(channelCode, last, "replace");
  return [...last.replaced, last.code];
}

export const sendChannelCode = operation({
  id: "sendChannelCode",
  route: "POST /v1/wa/channels/{channel_id}/otp",
  summary: "Send a one-time code",
  description:
    "Works for any number. At most 3 codes per person and hour, 8 per person and day, and a daily cap per plan.",
  auth: "key",
  plan: "growth",
  params: ChannelParams,
  body: Type.Object({
    to: ChatNumber,
    brand: Type.Optional(
      Type.String({ minLength: 1, maxLength: maxLabelLength, description: "Name shown in the message" }),
    ),
    length: Type.Optional(
      Type.Integer({
        minimum: 4,
        maximum: 8,
        default: defaultLength,
        description: "Number of digits",
        "x-assumption": "message_code.text",
      }),
    ),
    ttl_minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 30, default: defaultCodeTtlMinutes })),
    reference: Type.Optional(Type.String({ description: "Returned by the check" })),
  }),
  reply: { 201: ChannelCode },
  refuses: [
    "resource_not_found",
    "channel_not_connected",
    "otp_hourly_limit",
    "otp_daily_limit",
    "plan_daily_cap",
  ],
  outcomes,
  assumptions: [
    "message_code.states",
    "message_code.daily_cap",
    "message_code.limits",
    "channels.window",
    "channels.default",
    "channels.sizes",
  ],

  testValue: ({ body }) => testValueOutcome("sendChannelCode", "phone", `+${body.to}`),

  handle({ account, params, body, outcome }) {
    const { to, brand, length = defaultLength, ttl_minutes = defaultCodeTtlMinutes, reference = null } = body;
    const { id: channel_id } = requireConnectedChannel(account, params.channel_id);
    countCode(account, to);
    const chat = chatWith(account, channel_id, to);
    const replaced = replacePending(account, chat.code_id);
    const code = oneTimeCode(account, `+${to}`, length);
    const sent = account.records.start(channelCode, "send", {
      channel_id,
      to,
      code,
      reference,
      attempts: 0,
      expires_at: account.clock.now() + ttl_minutes * minute,
      replaced,
    });
    saveChat(account, channel_id, to, { ...chat, code_id: sent.id });
    if (outcome === "sent") {
      const text = formatMessage(code, brand, ttl_minutes);
      account.inbox.send({ channel: "chat", to, from: channel_id, text, codes: [code] });
    }
    const { id, kind, expires_at } = channelCode.view(sent);
    return { id, kind, to, status: sent.state, expires_at };
  },
});

/** Reasons why codes can no longer be tried, by state. Used and replaced codes count as absent. */
const closedReasons: Partial<Record<ChannelCodeRecord["state"], Reason>> = {
  expired: "expired",
  locked: "too_many_attempts",
};

/** Applies one try and returns why it failed; null if the code is correct. Assumption message_code.states. */
function tryCode(account: Account, sent: ChannelCodeRecord, typed: string): Reason | null {
  const { records } = account;
  if (expireIfDue(account, channelCode, sent).state !== "pending")
    return closedReasons[sent.state] ?? "no_pending_code";
  if (typed === sent.code) {
    records.move(channelCode, sent, "verify");
    return null;
  }
  if (sent.replaced.includes(typed)) return "no_pending_code";
  sent.attempts++;
  if (sent.attempts >= maxWrongTries) records.move(channelCode, sent, "lock");
  else records.save(channelCode, sent);
  return "wrong_code";
}

export const checkChannelCode = operation({
  id: "checkChannelCode",
  route: "POST /v1/wa/channels/{channel_id}/otp/verify",
  summary: "Check the one-time code that a person typed",
  description: "A code can be used once, and locks after 5 wrong tries.",
  auth: "key",
  isHarmless: true,
  params: ChannelParams,
  body: Type.Object({ to: ChatNumber, code: Type.String({ minLength: 1, examples: ["482913"] }) }),
  reply: { 200: ChannelCodeCheck },
  refuses: ["resource_not_found"],
  assumptions: ["message_code.states", "channels.default"],

  handle({ account, params, body }) {
    const { id } = requireChannel(account, params.channel_id);
    const { code_id } = chatWith(account, id, body.to);
    const sent = code_id === null ? undefined : account.records.get(channelCode, code_id);
    const reason = sent ? tryCode(account, sent, body.code) : "no_pending_code";
    const reference = reason === "no_pending_code" ? null : (sent?.reference ?? null);
    return { valid: reason === null, reason, reference };
  },
});
