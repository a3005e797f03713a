/** The checkout of a charge: what its page and the control API do. */
import { refuse } from "../../contract/errors.js";
import type { Account } from "../../world/account.js";
import { formatNaira } from "../../world/money/money.js";
import type { DeclineCode } from "./cards.js";
import { type ChargeRecord, charge, type PayInput } from "./machines/charge.js";
import { type PaymentRecord, payment, viewPayment } from "./machines/payment.js";
import { profileOf } from "./save-business-profile.js";

/** Sentences for the customer. */
const declines: Readonly<Record<DeclineCode, string>> = {
  card_declined: "The bank declined the card. Try another one.",
  insufficient_funds: "There is not enough money on the card. Try another one.",
  expired_card: "The card has expired. Try another one.",
  authentication_failed: "The payment was not confirmed with the bank. Try again, or try another card.",
};

export interface Checkout {
  charge: ChargeRecord;
  payment: PaymentRecord;
  /** Whom the customer pays. */
  business_name: string;
  /** What the last attempt came to; null before the first. */
  last: Attempted | null;
}

type Attempted = ReturnType<typeof sayResult>;

/** Null where the account has no such charge. */
export function findCheckout(account: Account, reference: string): Checkout | null {
  const { records } = account;
  const record = records.get(charge, reference);
  if (!record) return null;
  return {
    charge: record,
    payment: records.get(payment, record.payment_id) as PaymentRecord,
    // No charge is made before there is a profile, and nothing takes it away.
    business_name: profileOf(account)?.business_name ?? "",
    last: record.attempts.length === 0 ? null : sayResult(record),
  };
}

/** One commit: the card decides, and a charge that is paid takes no second card. */
export function payCharge(account: Account, reference: string, input: PayInput, actor: string) {
  return account.commit(actor, () => {
    const found = findCheckout(account, reference);
    if (!found) {
      const message = `There is no charge ${JSON.stringify(reference.slice(0, 60))} on this account.`;
      return refuse("resource_not_found", { param: "reference", message });
    }
    checkInput(input);
    const record = found.charge;
    if (record.state === "paid") refuse("invalid_state", { message: `${reference} is paid already.` });
    account.records.move(charge, record, "pay", input);
    return {
      reference,
      ...sayResult(record),
      payment: viewPayment(findCheckout(account, reference)?.payment as PaymentRecord),
    };
  });
}

function checkInput({ card, second_step }: PayInput): void {
  if ((card === undefined) === (second_step === undefined)) {
    refuse("validation_error", { param: "card", message: "Give exactly one of card and second_step." });
  }
  if (second_step !== undefined && second_step !== "approve" && second_step !== "decline") {
    refuse("validation_error", { param: "second_step", message: "second_step must be approve or decline." });
  }
}

/** What the last attempt came to. */
export function sayResult({ state, attempts, amount }: ChargeRecord) {
  const result = attempts.at(-1)?.result ?? "card_declined";
  if (state === "paid")
    return { result: "paid" as const, decline_code: null, message: `${formatNaira(amount)} is paid.` };
  if (result === "second_step")
    return { result, decline_code: null, message: "The bank asks the customer to confirm the payment." };
  const decline_code = result as DeclineCode;
  return { result: "declined" as const, decline_code, message: declines[decline_code] };
}
