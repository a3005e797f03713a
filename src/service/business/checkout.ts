/** The checkout of a charge, for its hosted page and the control API. */
import { refuse } from "../../contract/errors.js";
import type { Account } from "../../world/account/account.js";
import { formatNaira } from "../../world/money/money.js";
import type { DeclineCode } from "./cards.js";
import { type ChargeRecord, charge, type PayInput, readAttempt, readSecondStep } from "./machines/charge.js";
import { type PaymentRecord, payment } from "./machines/payment.js";
import { paymentOf } from "./payments.js";
import { findProfile } from "./save-business-profile.js";

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
