/** Starting states of runs, which reach deep states quickly. */
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

/** A partly refunded payment held for an issue, a payment held for the limit, and a payout that stays requested. */
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

/** Time that all retries of deliveries take. */
export const toTheEnd = byTime("two hours, to the end", 2 * 3_600_000);
