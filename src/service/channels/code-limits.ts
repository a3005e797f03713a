/** How many codes may be sent (interface: "Limits", Messaging OTP): rolling windows on the account's clock. */
import { refuse } from "../../contract/errors.js";
import type { Account } from "../../world/account.js";
import { day, hour, second } from "../../world/time/time.js";

/** To one person, over all channels of the account. */
const perHour = 3;
const perDay = 8;

/** Assumption message_code.daily_cap; the starter plan sends none. */
const dailyCap = { starter: 0, growth: 250, business: 1_000 } as const;
const largestCap = dailyCap.business;

const ring = "code_ring";
const slotOf = (count: number): string => `slot_${count % largestCap}`;

const countIn = ({ state }: Account): number => state.get<{ sent: number }>(ring, "count")?.sent ?? 0;

/** When the account sent its code number `count`, from 0 on; the ring has the last thousand. */
const sentAt = ({ state }: Account, count: number): number | undefined =>
  state.get<{ at: number }>(ring, slotOf(count))?.at;

const people = "code_sends";
const keyOf = (to: string): string => `to_${to}`;

/** When this person got codes within a day, the last one last: eight at most. */
function sendsTo({ state, clock }: Account, to: string): number[] {
  const { at } = state.get<{ at: number[] }>(people, keyOf(to)) ?? { at: [] };
  return at.filter((sent) => clock.now() - sent < day);
}

interface Limit {
  code: "otp_hourly_limit" | "otp_daily_limit" | "plan_daily_cap";
  /** What is used up. */
  said: string;
  /** The field that another value would help. */
  param?: "to";
  /** When the code was sent that must be out of the window first; undefined: there is room. */
  sent: number | undefined;
  window: number;
}

function limitsOf(account: Account, to: string): Limit[] {
  const { plan } = account.settings;
  const sends = sendsTo(account, to);
  return [
    {
      code: "otp_hourly_limit",
      said: `${to} got ${perHour} codes within the hour`,
      param: "to",
      sent: sends.at(-perHour),
      window: hour,
    },
    {
      code: "otp_daily_limit",
      said: `${to} got ${perDay} codes within the day`,
      param: "to",
      sent: sends.at(-perDay),
      window: day,
    },
    {
      code: "plan_daily_cap",
      said: `The plan ${plan} sends ${dailyCap[plan]} codes a day, and they are used up`,
      sent: sentAt(account, countIn(account) - dailyCap[plan]),
      window: day,
    },
  ];
}

const roomAt = ({ sent, window }: Limit): number => (sent === undefined ? 0 : sent + window);

/** Inside a commit: counts a code to this person, or refuses it with the limit that holds longest. */
export function countCode(account: Account, to: string): void {
  const now = account.clock.now();
  const limits = limitsOf(account, to);
  const limit = limits.reduce((longest, next) => (roomAt(next) > roomAt(longest) ? next : longest));
  if (roomAt(limit) > now) {
    const { code, said, param } = limit;
    const seconds = Math.ceil((roomAt(limit) - now) / second);
    const message = `${said}; a code is accepted again in ${seconds} s of the account's clock.`;
    refuse(code, { ...(param ? { param } : {}), message, headers: { "Retry-After": String(seconds) } });
  }
  const count = countIn(account);
  account.state.put(people, keyOf(to), { at: [...sendsTo(account, to), now] });
  account.state.put(ring, slotOf(count), { at: now });
  account.state.put(ring, "count", { sent: count + 1 });
}
