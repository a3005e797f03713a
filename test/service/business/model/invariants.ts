/** Invariants of the ledger, of each payment's money and of events, independent of the model. */
import type { Book } from "./book.js";
import type { Json, Seen, SeenEntry, SeenEvent, SeenRecord } from "./business.js";
import { figuresOf } from "./figures.js";
import { feeOf, type Kobo, receiveLimit } from "./money.js";

type Sums = Record<string, Kobo>;

/** Observations since the start of the run or the last restored snapshot. */
export interface Watch {
  entries: number;
  events: SeenEvent[];
  /** Totals of the ledger's entries. */
  sums: Sums;
  /** Totals per payment, including its refunds. */
  ofPayment: Map<string, Sums>;
  received: Kobo;
  /** Time of the last entry. */
  at: string;
}

export const freshWatch = (): Watch => ({
  entries: 0,
  events: [],
  sums: {},
  ofPayment: new Map(),
  received: 0,
  at: "",
});

function must(holds: boolean, say: () => string): void {
  if (!holds) throw new Error(say());
}

const total = (sums: Sums): Kobo => Object.values(sums).reduce((all, kobo) => all + kobo, 0);
const of = (sums: Sums, ...names: string[]): Kobo => names.reduce((all, name) => all + (sums[name] ?? 0), 0);

/** Records and checks new observations. With `released`, a move by hand may have exceeded the limit. */
export function follow(watch: Watch, book: Book, seen: Seen, released: boolean): void {
  must(seen.warnings.length === 0, () => `it warns: ${seen.warnings.join("\n")}`);
  for (const entry of seen.entries) followEntry(watch, seen, entry);
  checkLedger(watch, book, seen);
  checkLimit(watch, book, released);
  for (const id of touched(seen)) checkPayment(watch, seen, id);
  for (const event of seen.events) followEvent(watch, seen, event);
}

function add(sums: Sums, legs: Readonly<Sums>): Sums {
  for (const [name, kobo] of Object.entries(legs)) sums[name] = (sums[name] ?? 0) + kobo;
  return sums;
}

function followEntry(watch: Watch, seen: Seen, { at, about, legs }: SeenEntry): void {
  must(total(legs) === 0, () => `the legs of ${about} add up to ${total(legs)}: ${JSON.stringify(legs)}`);
  must(Object.values(legs).every(Number.isSafeInteger), () => `${about} posts parts of a kobo`);
  must(at >= watch.at, () => `the entry of ${about} is of ${at}, and an earlier one of ${watch.at}`);
  Object.assign(watch, { entries: watch.entries + 1, at });
  add(watch.sums, legs);
  const payment = paymentBehind(seen, about);
  if (payment) watch.ofPayment.set(payment, add(watch.ofPayment.get(payment) ?? {}, legs));
}

/** Returns the payment that an entry or its refund is about; null for payouts. */
const paymentBehind = ({ records }: Seen, about: string): string | null =>
  about.startsWith("pay_")
    ? about
    : ((records.refund.find(({ id }) => id === about)?.payment_id as string | undefined) ?? null);

const touched = (seen: Seen): Set<string> =>
  new Set(seen.entries.flatMap(({ about }) => paymentBehind(seen, about) ?? []));

function checkLedger(watch: Watch, book: Book, { balances }: Seen): void {
  const names = new Set([...Object.keys(balances), ...Object.keys(watch.sums)]);
  for (const name of names) {
    const [kept, summed] = [of(balances, name), of(watch.sums, name)];
    must(kept === summed, () => `the ledger says ${name} is ${kept}; its entries add up to ${summed}`);
  }
  must(total(balances) === 0, () => `the balances add up to ${total(balances)}: ${JSON.stringify(balances)}`);
  const paidIn = -of(balances, "received", "received_held", "received_failed");
  must(paidIn === book.paidIn, () => `customers paid ${book.paidIn}; the ledger has ${paidIn} of it`);
  const places = ["held", "pending", "available", "in_payout", "paid_out", "fees", "refunded", "returned"];
  const there = of(balances, ...places);
  must(
    there === paidIn,
    () => `customers paid ${paidIn}, and ${there} is somewhere: ${JSON.stringify(balances)}`,
  );
  checkPlaces(book, balances);
}

/** Checks each ledger account. */
function checkPlaces(book: Book, balances: Readonly<Sums>): void {
  const { received, pending, available, held, fees, inPayout, paidOut } = figuresOf(book);
  const right = {
    received: -received,
    pending,
    available,
    held,
    fees,
    in_payout: inPayout,
    paid_out: paidOut,
  };
  const all: Sums = { ...right, refunded: book.refundedInAll, returned: book.returned };
  for (const [name, kobo] of Object.entries(all))
    must(of(balances, name) === kobo, () => `${name} is ${of(balances, name)} and should be ${kobo}`);
}

/** Checks that refunds never exceed the payment, returned fees never exceed its fee, and its money is in one account. */
function checkPayment(watch: Watch, { records }: Seen, id: string): void {
  const sums = watch.ofPayment.get(id) ?? {};
  const record = records.payment.find((candidate) => candidate.id === id) as SeenRecord;
  const [amount, refunded] = [record.amount as Kobo, record.refunded as Kobo];
  const open = record.refund_requested as Kobo;
  const paidIn = -of(sums, "received", "received_held", "received_failed");
  must(refunded >= 0 && open >= 0, () => `${id} has ${refunded} refunded and ${open} requested`);
  must(refunded + open <= amount, () => `of ${id}, ${amount}, ${refunded} is refunded and ${open} requested`);
  must(of(sums, "refunded", "returned") <= paidIn, () => `more went back of ${id} than was paid`);
  const fees = of(sums, "fees");
  must(fees >= 0 && fees <= feeOf(amount), () => `the fee kept of ${id}, ${amount}, is ${fees}`);
  const full = ["held", "pending", "available"].filter((place) => of(sums, place) !== 0);
  must(full.length <= 1, () => `the money of ${id} lies in ${full.join(" and ")}`);
  must(
    full.every((place) => of(sums, place) > 0),
    () => `${id} has less than nothing: ${JSON.stringify(sums)}`,
  );
}

const statusOf = (data: Json): string => String(data.status ?? (data.active ? "active" : "inactive"));

/** Checks that an event reports a state that was true at its time, that its bytes agree, and that a receipt is reported once. */
function followEvent(watch: Watch, { records }: Seen, event: SeenEvent): void {
  const { id, event: kind, created_at, data, body } = event;
  // Assumption webhooks.bytes.
  const payload = { id, event: kind, created_at, is_test: true, data };
  const bytes = JSON.stringify(payload, null, 1).replaceAll(/\n */g, " ");
  must(body === bytes, () => `${kind} is sent as ${body}, and not as ${bytes}`);
  must(!watch.events.some((other) => other.id === id), () => `two events have the id ${id}`);
  const last = watch.events.at(-1)?.created_at ?? "";
  must(created_at >= last, () => `${kind} of ${created_at} follows an event of ${last}`);
  const record = Object.values(records)
    .flat()
    .find((candidate) => candidate.id === data.id);
  const [name, status] = [String(data.id), statusOf(data)];
  const was = record?.history.some(({ at, to }) => at === created_at && to === status);
  must(was === true, () => `${kind}: ${name} became ${status} at no ${created_at}`);
  if (kind === "payment.received") checkFirst(watch.events, name);
  watch.events.push(event);
}

function checkFirst(events: readonly SeenEvent[], payment: string): void {
  const own = events.filter(({ data }) => data.id === payment).map(({ event }) => event);
  const since = own.slice(own.lastIndexOf("payment.failed") + 1);
  must(!since.includes("payment.received"), () => `${payment} is received twice`);
}

/** Checks that an unverified business exceeds the limit only by a release by hand. */
function checkLimit(watch: Watch, { verified }: Book, released: boolean): void {
  const received = -of(watch.sums, "received");
  const within = verified || released || received <= watch.received || received <= receiveLimit;
  must(within, () => `${received} is received, over the limit, and nobody released it`);
  watch.received = received;
}
