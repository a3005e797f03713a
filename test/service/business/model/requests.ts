/** Requests that move money, and the customer's card. */
import fc from "fast-check";
import { type Amount, paymentAmounts, payoutAmounts, refundAmounts } from "./amounts.js";
import type { Book, Outcome, Payment, VirtualAccount } from "./book.js";
import { iso, recordEvent } from "./book.js";
import { answered, type CardInput, type Json, type Reply, refused } from "./business.js";
import { cards, createCharge, payCheckout } from "./checkout.js";
import { figuresOf, remainingOf, viewAccount } from "./figures.js";
import { naira, receiveLimit } from "./money.js";
import { type PaymentOutcome, simulatePayment } from "./payments.js";
import { type Place, pick, places } from "./place.js";
import { type Act, commonFailures, failing, type Request } from "./step.js";
import { createPayout, createRefund, refundable } from "./transfers.js";

/** A service operation. A common failure rolls it back. */
function operation(id: string, body: Json, outcome: string | undefined, predict: Act["predict"]): Act {
  const act: Act = { send: (business) => business.call(id, body, outcome), predict };
  return outcome && commonFailures.includes(outcome) ? failing(act, outcome) : act;
}

const by = (outcome: string | undefined): string => (outcome ? `, outcome ${outcome}` : "");

/** Mostly none, so that the kobo, the account and the card decide. */
const outcomeOf = <O extends string>(...own: O[]): fc.Arbitrary<O | undefined> =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constant(undefined) },
    { weight: 3, arbitrary: fc.constantFrom(...own) },
    { weight: 1, arbitrary: fc.constantFrom(...(commonFailures as O[])) },
  );

export function saveProfile(business_name: string, contact_phone: string): Request {
  const profile = { business_name, business_type: "registered", contact_phone };
  const act = operation("saveBusinessProfile", profile, undefined, (book) => {
    if (contact_phone === "12") return refused("invalid_phone");
    book.profile = profile;
    return answered(profile);
  });
  return { said: `save the profile ${business_name}`, act: () => act };
}

export const profiles: fc.Arbitrary<Request> = fc
  .constantFrom(["Ada Stores", "+2348031234567"], ["Obi Foods", "08052217743"], ["Wrong", "12"])
  .map(([name, phone]) => saveProfile(name as string, phone as string));

function createAccount(book: Book, asked: Json, { body }: Reply): Reply {
  if (!book.profile) return refused("business_profile_required");
  if (book.references.includes(String(asked.reference))) return refused("duplicate_reference");
  const { id, account_number, bank_name, reference } = body;
  const { customer_name, customer_email } = asked as VirtualAccount["view"];
  const account_name = `${book.profile.business_name} / ${customer_name}`;
  const customer = { account_number, bank_name, account_name, customer_name, customer_email };
  const made = { id: String(id), reference: asked.reference ?? reference, ...customer, test: true };
  const account = { view: { ...made, active: true, created_at: iso(book.now) }, active: true };
  book.references.push(String(made.reference));
  book.accounts.push(account);
  recordEvent(book, "virtual_account.created", viewAccount(account));
  return answered(viewAccount(account));
}

export function openAccount(customer_name: string, reference: string | null): Request {
  const asked = { customer_name, customer_email: "customer@example.com", ...(reference && { reference }) };
  const act = operation("createVirtualAccount", asked, undefined, (book, reply) =>
    createAccount(book, asked, reply),
  );
  return {
    said: `create a virtual account${reference ? ` with reference ${reference}` : ""}`,
    act: () => act,
  };
}

export const accounts: fc.Arbitrary<Request> = fc
  .tuple(fc.constantFrom("Chidi Obi", "Ngozi Ade"), fc.constantFrom(null, null, "one", "two"))
  .map((drawn) => openAccount(...drawn));

export const simulate = (which: Place, amount: Amount, outcome: PaymentOutcome | undefined): Request => ({
  said: `pay ${amount.said} to ${which.named("account")}${by(outcome)}`,
  possible: (book) => which.isIn(book.accounts.length),
  act(book) {
    const kobo = amount.of(remainingOf(book) ?? receiveLimit);
    const to = pick(book.accounts, which)?.view.id ?? "va_nobody";
    return operation(
      "simulatePayment",
      { virtual_account_id: to, amount: naira(kobo) },
      outcome,
      (now, reply) => simulatePayment(now, to, kobo, outcome, String(reply.body.payment_id)),
    );
  },
});

export const transfersIn: fc.Arbitrary<Request> = fc
  .tuple(places, paymentAmounts, outcomeOf<PaymentOutcome>("success", "failed", "held", "issue", "pending"))
  .map((drawn) => simulate(...drawn));

export const charges: fc.Arbitrary<Request> = paymentAmounts.map((amount) => ({
  said: `create a charge of ${amount.said}`,
  act(book) {
    const kobo = amount.of(remainingOf(book) ?? receiveLimit);
    const customer = { customer_name: "Ife Bello", customer_email: "ife@example.com", description: "Order" };
    return operation("createCharge", { amount: naira(kobo), ...customer }, undefined, (now, reply) =>
      createCharge(now, kobo, customer.customer_name, String(reply.body.reference)),
    );
  },
}));

const cardInputs: fc.Arbitrary<CardInput> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ card: "4242424242424242" }) },
  { weight: 5, arbitrary: fc.constantFrom(...Object.keys(cards)).map((card) => ({ card })) },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom("approve" as const, "decline" as const)
      .map((second_step) => ({ second_step })),
  },
);

const pay = (which: Place, input: CardInput): Request => ({
  said: `pay ${which.named("charge")} with ${"card" in input ? input.card : `${input.second_step} of the second step`}`,
  possible: (book) => which.isIn(book.charges.length),
  act(book) {
    const reference = pick(book.charges, which)?.reference ?? "chg_nobody";
    return {
      send: (business) => business.pay(reference, input),
      predict: (now) => payCheckout(now, reference, input),
    };
  },
});

export const payments: fc.Arbitrary<Request> = fc.tuple(places, cardInputs).map((drawn) => pay(...drawn));

/** Two cards on one checkout. */
export const paymentPairs: fc.Arbitrary<readonly [Request, Request]> = fc
  .tuple(places, cardInputs, cardInputs)
  .map(([which, one, other]) => [pay(which, one), pay(which, other)]);

/** Payout accounts with the result of setting them: test values, known accounts, and an unknown bank. */
const bankAccounts = [
  ["058", "0123456789", null],
  ["058", "1111111111", null],
  ["058", "3333333333", null],
  ["058", "4444444444", null],
  ["058", "6666666666", null],
  ["058", "0143728169", null],
  ["011", "0143728169", "account_not_resolved"],
  ["058", "0000000001", "account_not_resolved"],
  ["058", "0000000003", "provider_unavailable"],
  ["000", "0123456789", "invalid_bank_code"],
] as const;

export const payTo = ([bank_code, account_number, code]: (typeof bankAccounts)[number]): Request => {
  const body = { bank_code, account_number };
  const act = operation("setPayoutAccount", body, undefined, (book, reply) => {
    if (code) return refused(code);
    const { bank_name, account_name } = reply.body;
    book.payoutTo = { bank_name: String(bank_name), account_number };
    return answered({ ...body, bank_name, account_name, updated_at: iso(book.now) });
  });
  return { said: `set the payout account ${bank_code} ${account_number}`, act: () => act };
};

export const payoutAccounts: fc.Arbitrary<Request> = fc.constantFrom(...bankAccounts).map(payTo);

const names = {
  paid: "done",
  processed: "done",
  failed: "failed",
  rejected: "rejected",
  requested: "stays",
} as const;
const toOutcome = (asked: string | undefined): Outcome | undefined =>
  asked === undefined ? undefined : (names[asked as keyof typeof names] ?? undefined);

export const payOut = (amount: Amount, outcome: string | undefined): Request => ({
  said: `pay out ${amount.said}${by(outcome)}`,
  act(book) {
    const kobo = amount.of(figuresOf(book).available);
    return operation("createPayout", { amount: naira(kobo) }, outcome, (now, { body }) =>
      createPayout(now, kobo, toOutcome(outcome), body),
    );
  },
});

const payoutOutcomes = outcomeOf("paid", "failed", "rejected", "requested");
export const payouts: fc.Arbitrary<Request> = fc
  .tuple(payoutAmounts, payoutOutcomes)
  .map((drawn) => payOut(...drawn));
export const payoutPairs = fc.tuple(payouts, payouts);

export const refund = (which: Place, amount: Amount | null, outcome: string | undefined): Request => ({
  said: `refund ${amount ? `${amount.said}` : "all that is left"} of ${which.named("payment")}${by(outcome)}`,
  possible: (book) => which.isIn(book.payments.length),
  act(book) {
    const payment = pick(book.payments, which);
    const kobo = amount?.of(payment ? refundable(payment) : 0);
    const payment_id = payment?.id ?? "pay_nobody";
    const body = { payment_id, reason: "Returned", ...(kobo !== undefined && { amount: naira(kobo) }) };
    return operation("createRefund", body, outcome, (now, reply) => {
      const paid = now.payments.find(({ id }: Payment) => id === payment_id);
      const asked = { payment: paid, amount: kobo, outcome: toOutcome(outcome), reason: "Returned" };
      return createRefund(now, asked, reply.body);
    });
  },
});

const refundOutcomes = outcomeOf("processed", "failed", "rejected", "requested");
export const refunds: fc.Arbitrary<Request> = fc
  .tuple(places, refundAmounts, refundOutcomes)
  .map((drawn) => refund(...drawn));

/** Two refunds of one payment. */
export const refundPairs: fc.Arbitrary<readonly [Request, Request]> = fc
  .tuple(places, refundAmounts, refundAmounts, refundOutcomes)
  .map(([which, one, other, outcome]) => [refund(which, one, outcome), refund(which, other, undefined)]);
