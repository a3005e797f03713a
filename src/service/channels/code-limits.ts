/** Limits on codes sent (interface: "Limits", Messaging OTP), in rolling windows on the account's clock. */
import { refuse } from "../../contract/errors.js";
import { day, hour, second } from "../../time/time.js";
import type { Account } from "../../world/account/account.js";
import { fixedTable, table } from "../../world/store/table.js";

/** Limits per person, across all channels of the account. */
export const maxPerHour = 3;
export const maxPerDay = 8;

/** Assumption message_code.daily_cap; the starter plan cannot send codes. */
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
  /** Reason, as the beginning of a sentence. */
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
export function countCode(account: Account, to: string): void {
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
