/**
 * The simple model: what a business is to have, by the words of the interface and the assumptions. Plain data, so that
 * it can be copied; money is kept nowhere: the figures are added up anew from the records each time (figures.ts).
 */
import type { Json } from "./business.js";
import type { Kobo } from "./money.js";

export interface VirtualAccount {
  /** As the reply that made it showed it. */
  view: Json & { id: string; customer_name: string };
  active: boolean;
}

export type PaymentState = "pending" | "success" | "held" | "failed";

export interface Payment {
  /** Null while no reply has shown it. */
  id: string | null;
  method: "transfer" | "card";
  amount: Kobo;
  payer: string;
  account: string | null;
  state: PaymentState;
  /** Why it is held. */
  reasons: ("limit" | "issue")[];
  paidAt: number | null;
  /** When its 24 hours are over; null before it was successful. */
  settlesAt: number | null;
  settled: boolean;
  refunded: Kobo;
  /** What open refunds ask for. */
  asked: Kobo;
  /** payment.received was sent since it last failed. */
  told: boolean;
  /** What the card does with a refund. */
  refunds: "processed" | "failed";
}

export interface Charge {
  reference: string;
  /** Place in `payments`. */
  payment: number;
  paid: boolean;
  /** Its last card asks for a second step. */
  waiting: boolean;
}

export type Outcome = "done" | "failed" | "rejected" | "stays";

/** A payout, or a refund. */
export interface Transfer {
  id: string;
  reference: string;
  amount: Kobo;
  outcome: Outcome;
  state: "requested" | Exclude<Outcome, "stays">;
}
export interface Payout extends Transfer {
  bank: PayoutAccount;
}
export interface Refund extends Transfer {
  payment: number;
  reason: string;
}

export interface PayoutAccount {
  bank_name: string;
  account_number: string;
}

type Timed = "payment" | "payout" | "refund";

export interface Timer {
  at: number;
  /** Of two at one instant the earlier made runs first. */
  made: number;
  what: Timed;
  which: number;
}

export interface Told {
  kind: string;
  at: number;
  data: Json;
}

export interface Book {
  now: number;
  /** Where checkout links lead, up to the reference. */
  checkouts: string;
  profile: Json | null;
  verified: boolean;
  payoutTo: PayoutAccount | null;
  references: string[];
  accounts: VirtualAccount[];
  payments: Payment[];
  charges: Charge[];
  payouts: Payout[];
  refunds: Refund[];
  timers: Timer[];
  timersMade: number;
  /** Every event so far. */
  told: Told[];
  /** Everything that customers ever paid, and what went back to them because a held payment failed. */
  paidIn: Kobo;
  returned: Kobo;
  refundedInAll: Kobo;
}

export const newBook = (now: number, checkouts: string): Book => ({
  now,
  checkouts,
  profile: null,
  verified: false,
  payoutTo: null,
  references: [],
  accounts: [],
  payments: [],
  charges: [],
  payouts: [],
  refunds: [],
  timers: [],
  timersMade: 0,
  told: [],
  paidIn: 0,
  returned: 0,
  refundedInAll: 0,
});

export const tell = (book: Book, kind: string, data: Json): void => {
  book.told.push({ kind, at: book.now, data });
};

export function startTimer(book: Book, what: Timed, which: number, at: number): void {
  book.timers.push({ at, made: book.timersMade++, what, which });
}

export function stopTimer(book: Book, what: Timed, which: number): void {
  book.timers = book.timers.filter((timer) => timer.what !== what || timer.which !== which);
}

export const iso = (at: number): string => new Date(at).toISOString();
