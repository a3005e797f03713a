/** A card checkout: open until a card has paid it, then closed for good. */
import { refuse } from "../../../contract/errors.js";
import type { Account } from "../../../world/account.js";
import { machine, type Stored } from "../../../world/machine.js";
import { type Kobo, toNaira } from "../../../world/money/money.js";
import { type CardResult, readCard, type TestCard } from "../cards.js";
import { type PaymentRecord, payment, viewPayment } from "./payment.js";

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
  /** A card whose bank asks the customer for a second step. */
  second_step: { last4: string } | null;
  attempts: CardAttempt[];
}

export type ChargeRecord = Stored<ChargeFields>;

/** What a customer does: gives a card, or answers the second step that the last one asked for. */
export interface PayInput {
  card?: unknown;
  /** approve or decline. */
  second_step?: unknown;
}

const paymentOf = ({ payment_id }: ChargeFields, { records }: Account): PaymentRecord =>
  records.get(payment, payment_id) as PaymentRecord;

interface Step {
  card: TestCard;
  result: CardResult;
}

/** A move by hand may leave everything out: a card that pays. */
function read(record: ChargeRecord, input: unknown): Step {
  const { card, second_step } = (input ?? {}) as PayInput;
  if (second_step === undefined) {
    const found = readCard(card ?? "4242424242424242");
    return { card: found, result: found.result };
  }
  if (record.second_step === null) {
    refuse("invalid_state", {
      param: "second_step",
      message: "No card of this checkout waits for a second step.",
    });
  }
  const waiting = readCard("4000002760003184");
  if (second_step === "approve") return { card: waiting, result: "paid" };
  if (second_step === "decline") return { card: waiting, result: "authentication_failed" };
  return refuse("validation_error", {
    param: "second_step",
    message: "second_step must be approve or decline.",
  });
}

export const viewCharge = (record: ChargeRecord, account: Account) => ({
  reference: record.id,
  checkout_url: `${account.baseUrl}/pay/${account.id}/${record.id}`,
  payment: { status: viewPayment(paymentOf(record, account)).status, amount: toNaira(record.amount) },
});

export const charge = machine<ChargeFields, Account>()({
  name: "charge",
  prefix: "chg_",
  moves: {
    create: { from: "new", to: "open" },
    pay: {
      from: "open",
      to: (record, input) => (read(record, input).result === "paid" ? "paid" : "open"),
      effect(record, account, input) {
        const { card, result } = read(record, input);
        const last4 = card.number.slice(-4);
        record.attempts.push({ at: account.clock.iso(), last4, result });
        record.second_step = result === "second_step" ? { last4 } : null;
        if (result === "second_step") return;
        const paid = paymentOf(record, account);
        paid.card = { last4, refund: card.refund };
        if (result === "paid") account.records.move(payment, paid, "succeed");
        else if (paid.state === "pending") account.records.move(payment, paid, "fail");
        else account.records.save(payment, paid);
      },
    },
  },
  view: viewCharge,
});
