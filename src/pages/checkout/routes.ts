/** GET and POST /pay/{account}/{reference}: forms post to the page itself and lead back to it. */
import type { Request, Response, Router } from "express";
import { Refusal } from "../../contract/errors.js";
import type { Checkout } from "../../service/business/checkout.js";
import type { PayInput } from "../../service/business/machines/charge.js";
import type { Account } from "../../world/account.js";
import { leadsNowhere, sendProblem } from "../hosted/errors.js";
import { readHostedForm } from "../hosted/form.js";
import { sendHosted } from "../hosted/page.js";
import type { Problem } from "../hosted/problem.js";
import { hostedRoutes } from "../hosted/routes.js";
import { type Entry, isRight, readEntry } from "./entry.js";
import { checkoutPage, type Refused } from "./page.js";
import { stateOf } from "./state.js";
import { cardNamed } from "./test-cards.js";

export interface CheckoutOptions {
  /** Null for an account that nobody uses. */
  findAccount(id: string, baseUrl: string): Promise<Account | null>;
  /** Null where the account has no such charge. */
  findCheckout(account: Account, reference: string): Checkout | null;
  /** What a customer does, in one commit; refuses as the control API would. */
  pay(account: Account, reference: string, input: PayInput): void;
  /** What was thrown, as the API would answer it. */
  explain(error: unknown): Problem;
}

type Fields = Readonly<Record<string, unknown>>;

interface Found {
  account: Account;
  checkout: Checkout;
}

export const checkoutRoutes = (options: CheckoutOptions): Router =>
  hostedRoutes({
    root: "/pay",
    below: "/:account/:reference",
    pages: new CheckoutPages(options),
    readForm: readHostedForm,
    explain: options.explain,
  });

const ended = new Refusal("invalid_state", { message: "The charge takes no card any more." });
const unreadable = new Refusal("validation_error", { message: "The card cannot be read." });

class CheckoutPages {
  constructor(readonly options: CheckoutOptions) {}

  async show(request: Request, response: Response, refused: Refused | null = null): Promise<void> {
    const found = await this.#find(request);
    if (!found) return sendProblem(response, leadsNowhere);
    const { account, checkout } = found;
    await account.safe();
    const asked = request.query.card;
    const another = asked === undefined ? null : { card: cardNamed(asked) };
    response.set(refused?.headers ?? {});
    const page = checkoutPage(checkout, { now: account.clock.now(), another, refused });
    sendHosted(response, refused?.status ?? 200, page);
  }

  async submit(request: Request, response: Response): Promise<void> {
    const found = await this.#find(request);
    if (!found) return sendProblem(response, leadsNowhere);
    const refused = await this.#pay(found, request.body as Fields);
    if (refused) return this.show(request, response, refused);
    response.redirect(303, `./${encodeURIComponent(found.checkout.charge.id)}`);
  }

  async #pay({ account, checkout }: Found, fields: Fields): Promise<Refused | null> {
    if (stateOf(checkout) in endings) return this.options.explain(ended);
    const entry = fields.second_step === undefined ? readEntry(fields, account.clock.now()) : null;
    if (entry && !isRight(entry)) return { ...this.options.explain(unreadable), entry };
    try {
      // Of two at once the second is refused in there.
      this.options.pay(account, checkout.charge.id, inputOf(entry, fields));
      await account.safe();
      return null;
    } catch (error) {
      return this.options.explain(error);
    }
  }

  async #find({ params, context }: Request): Promise<Found | null> {
    const account = await this.options.findAccount(String(params.account), context.baseUrl);
    const checkout = account && this.options.findCheckout(account, String(params.reference));
    return account && checkout ? { account, checkout } : null;
  }
}

/** States in which nothing is taken. */
const endings = { paid: true, returned: true, closed: true };

/** What a second step may be is for the operation to say. */
const inputOf = (entry: Entry | null, { second_step }: Fields): PayInput =>
  entry?.card ? { card: entry.card.number } : ({ second_step } as PayInput);
