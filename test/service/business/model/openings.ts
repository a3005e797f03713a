/** Where runs begin, so that they soon get far. */
import { exactly } from "./amounts.js";
import { byTime, move } from "./by-hand.js";
import { oldest } from "./place.js";
import { openAccount, payOut, payTo, refund, saveProfile, simulate } from "./requests.js";
import { type Command, request } from "./step.js";

const ready = [saveProfile("Ada Stores", "08031234567"), openAccount("Chidi Obi", null)].map(request);

const settled = [
  ...ready,
  request(payTo(["058", "0123456789", null])),
  request(simulate(oldest, exactly(20_000_37), undefined)),
  request(simulate(oldest, exactly(4_999_99), undefined)),
  byTime("a day", 24 * 3_600_000),
];

/** A payment that was partly refunded and is held for an issue, one held for the limit, a payout that stays. */
const busy = [
  ...settled,
  request(refund(oldest, exactly(3_333_33), undefined)),
  byTime("a minute", 60_000),
  request(move("payment", oldest, "raise_issue")),
  request(simulate(oldest, exactly(5_000_000_00), undefined)),
  request(payOut(exactly(1_000_68), undefined)),
];

export const openings = {
  "a new account": [],
  "a business that is ready": ready,
  "a business with settled money": settled,
  "a busy business": busy,
} satisfies Record<string, readonly Command[]>;

export type Opening = keyof typeof openings;

/** Long enough for everything that could not be delivered to be delivered. */
export const toTheEnd = byTime("two hours, to the end", 2 * 3_600_000);
