/** A card checkout. It stays open until it is paid. */
import { refuse } from "../../../contract/errors.js";
import type { Account } from "../../../world/account/account.js";
import { formatNaira, type Kobo, toNaira } from "../../../world/money/money.js";
import type { Stored } from "../../../world/records/machine.js";
import { machine } from "../../machine.js";
import { type CardResult, readCard, type TestCard } from "../cards.js";
import { paymentOf } from "../payments.js";
import { payment } from "./payment.js";

export interface CardAttempt {
  at: string;
  last4: string;
  result: CardResult;
}

export interface ChargeFields {
  amount: Kobo;
  customer_name: string;
  customer_email: string;
  description: string;
  payment_id: string;
  /** Card whose bank has asked the customer for a second step. */
  second_step: { last4: string } | null;
  attempts: CardAttempt[];
}

const states = ["open", "paid"] as const;

export type ChargeRecord = Stored<ChargeFields, (typeof states)[number]>;

/** Either a card, or the answer to the second step that the last card asked for. */
export interface PayInput {
  card?: unknown;
  /** "approve" or "decline". */
  second_step?: unknown;
}

const [payingCard, secondStepCard] = ["4242424242424242", "4000002760003184"];

/** Reads the answer to a second step. Refuses any other value with 400 validation_error. */
export function readSecondStep(value: unknown): "approve" | "decline" {
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
export function readAttempt(input: unknown, record: ChargeRecord): CardPayment {
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

export const charge = machine<ChargeFields>()({
  name: "charge",
  prefix: "chg_",
  states,
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
  view: (record, account) => ({
    reference: record.id,
    checkout_url: `${account.baseUrl}/pay/${account.id}/${record.id}`,
    payment: { status: paymentOf(record, account).state, amount: toNaira(record.amount) },
  }),
});
