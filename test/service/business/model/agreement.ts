/** Compares the business with the model after every command: all figures, records and events. */
import { isDeepStrictEqual } from "node:util";
import type { Book, Payment } from "./book.js";
import { iso } from "./book.js";
import type { Business, Json, Seen, SeenEvent } from "./business.js";
import { listOfAccounts, listOfPayments, overviewOf, viewPayout, viewRefund } from "./figures.js";

/** Reports where the two differ. */
export function same(what: string, found: unknown, right: unknown): void {
  if (isDeepStrictEqual(found, right)) return;
  const rows = differences("", found, right).map(
    ([path, is, should]) => `  ${path || what}: ${is}, not ${should}`,
  );
  throw new Error(`not as it should be: ${what}\n${rows.join("\n")}`);
}

type Difference = readonly [path: string, is: string | undefined, should: string | undefined];

const isTree = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

function differences(path: string, found: unknown, right: unknown): Difference[] {
  if (isDeepStrictEqual(found, right)) return [];
  if (!isTree(found) || !isTree(right)) return [[path, JSON.stringify(found), JSON.stringify(right)]];
  const keys = new Set([...Object.keys(found), ...Object.keys(right)]);
  return [...keys].flatMap((key) => differences(path ? `${path}.${key}` : key, found[key], right[key]));
}

/** The reply to a charge does not have its payment's id, but the list does. */
export function learnIds(book: Book, { payments }: Seen): void {
  book.payments.forEach((payment, index) => {
    payment.id ??= String(payments.at(-1 - index)?.id);
  });
}

interface Comparison {
  /** Number of events compared earlier. */
  seenBefore: number;
}

export function mustAgree(book: Book, seen: Seen, { seenBefore }: Comparison): void {
  same("the overview", seen.overview, overviewOf(book));
  same("the list of payments", seen.payments, listOfPayments(book));
  same("the list of virtual accounts", seen.accounts, listOfAccounts(book));
  const expected = book.events.slice(seenBefore);
  const right = expected.map(({ kind, at, data }) => ({ event: kind, created_at: iso(at), data }));
  const events = seen.events.map(({ event, created_at, data }) => ({ event, created_at, data }));
  same("what events were sent", events, right);
  same("the records", recordsSeen(seen), recordsOf(book));
}

/** Expects the same events in the activity log, newest first. */
export async function mustBeListed(business: Business, events: readonly SeenEvent[]): Promise<void> {
  const { body } = await business.call("listBusinessEvents", {});
  const listed = (body.events as Json[]).map(({ kind, created_at }) => ({ kind, created_at }));
  const sent = events.map(({ event, created_at }) => ({ kind: event, created_at })).reverse();
  same("the activity log", listed, sent);
}

const shape = (record: Json, ...fields: string[]): Json =>
  Object.fromEntries(["id", "state", ...fields].map((field) => [field, record[field]]));

/** Fields of records that lists do not show. */
function recordsSeen({ records }: Seen): Json {
  const { charge, payment, payout, refund } = records;
  return {
    charges: charge.map(({ id, state, second_step }) => ({ id, state, waiting: second_step !== null })),
    payments: payment.map((record) =>
      shape(record, "holds", "settled", "settles_at", "refunded", "refund_requested"),
    ),
    payouts: payout.map((record) => shape(record, "amount", "reference")),
    refunds: refund.map((record) => shape(record, "amount", "reference", "payment_id")),
  };
}

const payments = (book: Book): Json[] =>
  book.payments.map(({ id, state, reasons, settled, settlesAt, refunded, asked }) => ({
    id,
    state,
    holds: reasons,
    settled,
    settles_at: settlesAt,
    refunded,
    refund_requested: asked,
  }));

const recordsOf = (book: Book): Json => ({
  charges: book.charges.map(({ reference, paid, waiting }) => ({
    id: reference,
    state: paid ? "paid" : "open",
    waiting,
  })),
  payments: payments(book),
  payouts: book.payouts.map((payout) => ({
    id: payout.id,
    state: viewPayout(payout).status,
    amount: payout.amount,
    reference: payout.reference,
  })),
  refunds: book.refunds.map((refund) => ({
    id: refund.id,
    state: viewRefund(refund).status,
    amount: refund.amount,
    reference: refund.reference,
    payment_id: (book.payments[refund.payment] as Payment).id,
  })),
});
