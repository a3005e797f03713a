/** Interface: "Charge", a card checkout: its cards, its record, the operation, and the checkout itself. */

import * as Type from "typebox";
import fixture from "../../../fixtures/test-cards.json" with { type: "json" };
import { refuse } from "../../contract/errors.js";
import { formatNaira, toNaira } from "../../contract/money.js";
import { exactly, naira, nullable, Timestamp } from "../../contract/schemas.js";
import type { Account } from "../../world/account/account.js";
import type { RecordIn } from "../../world/records/machine.js";
import { machine, record } from "../machine.js";
import { operation } from "../operation.js";
import { customer } from "./accounts.js";
import { amountBetween, maxCharge, minCharge, readAmount } from "./ledger.js";
import { createPayment, type PaymentRecord, payment, paymentOf } from "./payments.js";
import { findProfile, requireProfile } from "./profile.js";
import { PaymentStatus } from "./resources.js";

export const Charge = exactly({
  reference: Type.String({ "x-assumption": "business.reference" }),
  checkout_url: Type.String({ format: "uri", description: "Where the customer pays by card" }),
  payment: exactly({ status: PaymentStatus, amount: naira() }),
});

// The test cards (fixtures/test-cards.json) and their results at a checkout. No other card is accepted.

export type DeclineCode = "card_declined" | "insufficient_funds" | "expired_card" | "authentication_failed";
export type CardResult = "paid" | "second_step" | DeclineCode;

export interface TestCard {
  number: string;
  result: Exclude<CardResult, "authentication_failed">;
  /** Outcome of refunds to this card. */
  refund: "processed" | "failed";
  note: string;
}

export const testCards = fixture.cards as readonly TestCard[];

/**
 * Returns the test card with this number, ignoring spaces and hyphens. The error for any other number does not quote it, as
 * it may be a real card.
 */
function readCard(number: unknown): TestCard {
  const digits = typeof number === "string" ? number.replace(/[\s-]/g, "") : "";
  const card = testCards.find((candidate) => candidate.number === digits);
  if (card) return card;
  const known = testCards.map((candidate) => candidate.number).join(", ");
  const message = `card must be one of the test cards: ${known}. Never enter a real card here.`;
  return refuse("validation_error", { param: "card", message });
}

// A card checkout. It stays open until it is paid.

const CardAttempt = exactly({
  at: Timestamp,
  last4: Type.String(),
  result: Type.Unsafe<CardResult>(Type.String()),
});
type CardAttempt = Type.Static<typeof CardAttempt>;

export const chargeRecord = record(Charge, {
  hidden: {
    /** Amount in kobo. */
    amount: Type.Integer(),
    customer_name: Type.String(),
    customer_email: Type.String(),
    description: Type.String(),
    payment_id: Type.String(),
    /** Card whose bank has asked the customer for a second step. */
    second_step: nullable(exactly({ last4: Type.String() })),
    attempts: Type.Array(CardAttempt),
  },
  states: ["open", "paid"],
  view: {
    reference: ({ id }) => id,
    checkout_url: ({ id }, account) => `${account.baseUrl}/pay/${account.id}/${id}`,
    payment: (record, account) => ({
      status: paymentOf(record, account).state,
      amount: toNaira(record.amount),
    }),
  },
});
export type ChargeRecord = RecordIn<typeof chargeRecord>;

/** Input of a payment attempt: a card, or the answer to the second step that the last card asked for. */
export interface PayInput {
  card?: unknown;
  /** Answer: "approve" or "decline". */
  second_step?: unknown;
}

const [payingCard, secondStepCard] = ["4242424242424242", "4000002760003184"];

/** Reads the answer to a second step. Refuses any other value with 400 validation_error. */
function readSecondStep(value: unknown): "approve" | "decline" {
  if (value === "approve" || value === "decline") return value;
  return refuse("validation_error", {
    param: "second_step",
    message: "second_step must be approve or decline.",
  });
}

export interface CardPayment {
  card: TestCard;
  result: CardResult;
}

/** Reads the card and its result. Without input, uses a card that succeeds. */
function readAttempt(input: unknown, record: ChargeRecord): CardPayment {
  const { card = payingCard, second_step } = (input ?? {}) as PayInput;
  if (second_step === undefined) {
    const found = readCard(card);
    return { card: found, result: found.result };
  }
  if (record.second_step === null) {
    const message = "No card of this checkout is waiting for a second step.";
    refuse("invalid_state", { param: "second_step", message });
  }
  const isApproved = readSecondStep(second_step) === "approve";
  return { card: readCard(secondStepCard), result: isApproved ? "paid" : "authentication_failed" };
}

const paidOrOpen = (_record: ChargeRecord, { result }: CardPayment) => (result === "paid" ? "paid" : "open");

function attemptPayment(record: ChargeRecord, account: Account, { card, result }: CardPayment): void {
  const last4 = card.number.slice(-4);
  record.attempts.push({ at: account.clock.iso(), last4, result });
  record.second_step = result === "second_step" ? { last4 } : null;
  if (result === "second_step") return;
  const paid = paymentOf(record, account);
  paid.card = { last4, refund: card.refund };
  if (result === "paid") account.records.move(payment, paid, "succeed");
  else if (paid.state === "pending") account.records.move(payment, paid, "fail");
  else account.records.save(payment, paid);
}

const attemptResults: Readonly<Record<CardResult, string>> = {
  paid: "it was paid",
  second_step: "its bank asked for a second step",
  card_declined: "it was declined",
  insufficient_funds: "it was declined for insufficient funds",
  expired_card: "it was declined, since it has expired",
  authentication_failed: "its bank's second step failed",
};

function describeAttempt({ amount, customer_name, attempts }: ChargeRecord): string {
  const { last4, result } = attempts.at(-1) as CardAttempt;
  return `${customer_name} used a card that ends in ${last4} for the checkout of ${formatNaira(amount)}: ${attemptResults[result]}.`;
}

export const charge = machine(chargeRecord, {
  name: "charge",
  prefix: "chg_",
  moves: {
    create: {
      from: "new",
      to: "open",
      says: ({ amount, customer_name }) =>
        `A checkout of ${formatNaira(amount)} for ${customer_name} was opened.`,
    },
    pay: {
      from: "open",
      to: ["paid", "open"],
      input: readAttempt,
      next: paidOrOpen,
      effect: attemptPayment,
      says: describeAttempt,
    },
  },
});

export const createCharge = operation({
  id: "createCharge",
  route: "POST /v1/business/charges",
  summary: "Create a card checkout link",
  description: "The test card that the customer uses decides the outcome of the payment.",
  auth: "key",
  body: Type.Object({
    amount: amountBetween(minCharge, maxCharge),
    ...customer,
    description: Type.String({ examples: ["Order 1042"] }),
  }),
  reply: { 201: Charge },
  refuses: ["amount_out_of_range", "amount_not_in_kobo", "business_profile_required"],
  emits: payment.events,
  assumptions: ["business.amounts", "business.payments", "business.cards"],

  handle({ account, body: { amount, customer_name, customer_email, description } }) {
    const kobo = readAmount(amount, minCharge, maxCharge);
    requireProfile(account);
    const paid = createPayment(account, { method: "card", amount: kobo, payer_name: customer_name });
    const created = account.records.start(charge, "create", {
      amount: kobo,
      customer_name,
      customer_email,
      description,
      payment_id: paid.id,
      second_step: null,
      attempts: [],
    });
    return charge.view(created, account);
  },
});

// The checkout of a charge, for its hosted page and the control API.

/** Messages for the customer. */
const declineMessages: Readonly<Record<DeclineCode, string>> = {
  card_declined: "The bank declined the card. Try another one.",
  insufficient_funds: "The card has insufficient funds. Try another one.",
  expired_card: "The card has expired. Try another one.",
  authentication_failed: "The payment was not confirmed with the bank. Try again, or try another card.",
};

export interface Checkout {
  charge: ChargeRecord;
  payment: PaymentRecord;
  /** Name of the business that the customer pays. */
  business_name: string;
  /** Result of the last attempt; null before the first. */
  last: AttemptResult | null;
}

type AttemptResult = ReturnType<typeof lastResult>;

/** Returns the checkout of a charge; null if the account has no such charge. */
export function findCheckout(account: Account, reference: string): Checkout | null {
  const record = account.records.get(charge, reference);
  if (!record) return null;
  return {
    charge: record,
    payment: paymentOf(record, account),
    // A charge needs a profile, and a profile is never removed.
    business_name: findProfile(account)?.business_name ?? "",
    last: record.attempts.length === 0 ? null : lastResult(record),
  };
}

/** Attempts to pay a charge, in one commit. Refuses with 404 if unknown and with 409 if already paid. */
export function payCharge(account: Account, reference: string, input: PayInput, actor: string) {
  return account.commit(actor, () => {
    const found = findCheckout(account, reference);
    if (!found) {
      const message = `There is no charge ${JSON.stringify(reference.slice(0, 60))} on this account.`;
      return refuse("resource_not_found", { param: "reference", message });
    }
    checkInput(input);
    const record = found.charge;
    if (record.state === "paid") refuse("invalid_state", { message: `${reference} is already paid.` });
    account.records.move(charge, record, "pay", readAttempt(input, record));
    return {
      reference,
      ...lastResult(record),
      payment: payment.view(paymentOf(record, account)),
    };
  });
}

function checkInput({ card, second_step }: PayInput): void {
  if ((card === undefined) === (second_step === undefined)) {
    refuse("validation_error", { param: "card", message: "Send exactly one of card and second_step." });
  }
  if (second_step !== undefined) readSecondStep(second_step);
}

/** Returns the result of the last attempt, with a message for the customer. */
function lastResult({ state, attempts, amount }: ChargeRecord) {
  const result = attempts.at(-1)?.result ?? "card_declined";
  if (state === "paid")
    return { result: "paid" as const, decline_code: null, message: `${formatNaira(amount)} is paid.` };
  if (result === "second_step")
    return { result, decline_code: null, message: "The bank asks the customer to confirm the payment." };
  const decline_code = result as DeclineCode;
  return { result: "declined" as const, decline_code, message: declineMessages[decline_code] };
}
