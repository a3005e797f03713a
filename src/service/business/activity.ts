/** The activity log: the business events as sentences, newest first; assumption business.events. */
import type { Static } from "typebox";
import type { Payment, Payout, Refund, VirtualAccount } from "../../contract/resources.js";
import type { Account } from "../../world/account.js";
import { formatNaira, toKobo } from "../../world/money/money.js";
import { type BusinessEventKind, businessEventKinds } from "./schemas.js";

const say = (naira: number): string => formatNaira(toKobo(naira) ?? 0);

type Sentence<T> = (data: T) => string;

const aboutPayment =
  (what: string): Sentence<Static<typeof Payment>> =>
  ({ id, amount, method, payer_name }) =>
    `${method === "card" ? "Card payment" : "Transfer"} ${id} of ${say(amount)}${payer_name ? ` from ${payer_name}` : ""} ${what}.`;

const aboutRefund =
  (what: string): Sentence<Static<typeof Refund>> =>
  ({ reference, amount }) =>
    `Refund ${reference} of ${say(amount)} ${what}.`;

const aboutPayout =
  (what: string): Sentence<Static<typeof Payout>> =>
  ({ reference, amount, bank_name, account_number }) =>
    `Payout ${reference} of ${say(amount)} to ${bank_name} ${account_number} ${what}.`;

const sentences: Readonly<Record<BusinessEventKind, Sentence<never>>> = {
  "virtual_account.created": ({ account_number, customer_name }: Static<typeof VirtualAccount>) =>
    `Account number ${account_number} created for ${customer_name}.`,
  "payment.received": aboutPayment("received"),
  "payment.settled": aboutPayment("settled"),
  "payment.failed": aboutPayment("failed"),
  "payment.issue": aboutPayment("held: a problem was found"),
  "payment.issue_resolved": aboutPayment("cleared: the problem is resolved"),
  "refund.requested": aboutRefund("requested"),
  "refund.processed": aboutRefund("processed"),
  "refund.rejected": aboutRefund("rejected"),
  "refund.failed": aboutRefund("failed"),
  "payout.requested": aboutPayout("requested"),
  "payout.paid": aboutPayout("paid"),
  "payout.failed": aboutPayout("failed; the amount is back in the balance"),
  "payout.rejected": aboutPayout("rejected; the amount is back in the balance"),
};

const isBusiness = (kind: string): kind is BusinessEventKind =>
  (businessEventKinds as readonly string[]).includes(kind);

/** Events that a tester sent by hand tell of nothing that happened here. */
export const activity = (account: Account) =>
  account.outbox
    .events()
    .flatMap(({ event, data, created_at, by_hand }) =>
      isBusiness(event) && !by_hand
        ? [{ kind: event, message: sentences[event](data as never), created_at }]
        : [],
    );
