/** Routes of /pay/{account}/{reference}. */
import type { Router } from "express";
import { Refusal } from "../../contract/errors.js";
import type { Checkout, PayInput } from "../../service/business/charges.js";
import type { Account } from "../../world/account/account.js";
import { type PageProblem, readHostedForm } from "../hosted/problem.js";
import { hostedRoutes } from "../hosted/routes.js";
import { type CardEntry, findTestCard, isValid, readEntry } from "./cards.js";
import { checkoutPage, checkoutState, type RefusedPayment } from "./page.js";

export interface CheckoutOptions {
  /** Returns null for an account that does not exist. */
  findAccount(id: string, baseUrl: string): Promise<Account | null>;
  /** Returns null if the account has no such charge. */
  findCheckout(account: Account, reference: string): Checkout | null;
  /** Pays in one commit, as the control API does. Throws a Refusal. */
  pay(account: Account, reference: string, input: PayInput): void;
  /** Returns an error as the API would answer it. */
  explain(error: unknown): PageProblem;
}

type Fields = Readonly<Record<string, unknown>>;

interface Found {
  account: Account;
  id: string;
  checkout: Checkout;
}

const closed = new Refusal("invalid_state", { message: "The charge does not accept cards any more." });
const invalidCard = new Refusal("validation_error", { message: "The card is not valid." });
const closedStates = { paid: true, returned: true, closed: true };

export const checkoutRoutes = (options: CheckoutOptions): Router =>
  hostedRoutes<Found, RefusedPayment>({
    root: "/pay",
    params: "/:account/:reference",
    readForm: readHostedForm,
    explain: options.explain,

    async find({ params, context }) {
      const account = await options.findAccount(String(params.account), context.baseUrl);
      const checkout = account && options.findCheckout(account, String(params.reference));
      return account && checkout ? { account, id: checkout.charge.id, checkout } : null;
    },

    render({ account, checkout }, { query: { card } }, refused) {
      const another = card === undefined ? null : { card: findTestCard(card) };
      return { page: checkoutPage(checkout, { now: account.clock.now(), another, refused }) };
    },

    async submit({ account, id, checkout }, request) {
      const fields = request.body as Fields;
      if (checkoutState(checkout) in closedStates) return options.explain(closed);
      const entry = fields.second_step === undefined ? readEntry(fields, account.clock.now()) : null;
      if (entry && !isValid(entry)) return { ...options.explain(invalidCard), entry };
      try {
        // Refuses the second of two simultaneous payments.
        options.pay(account, id, payInput(entry, fields));
        await account.safe();
        return null;
      } catch (error) {
        return options.explain(error);
      }
    },
  });

/** Leaves the validation of `second_step` to the operation. */
const payInput = (entry: CardEntry | null, { second_step }: Fields): PayInput =>
  entry?.card ? { card: entry.card.number } : ({ second_step } as PayInput);
