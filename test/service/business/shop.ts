/** A business under test: actions of its owner and its customers, and its visible state. */
import type { SandboxAccount } from "../../../src/index.js";
import { call, type Reply } from "../../support/sandbox.js";

export const profile = {
  business_name: "Ada Stores",
  business_type: "registered",
  contact_phone: "+2348031234567",
};

export const customer = { customer_name: "Chidi Obi", customer_email: "chidi@example.com" };

/** The card that always pays. */
export const payingCard = "4242424242424242";

/** Overview of a test business with a profile and no payments, in naira. */
export const freshOverview = {
  status: "active",
  business_verified: false,
  limit: 5_000_000,
  received: 0,
  remaining: 5_000_000,
  balance: 0,
  available: 0,
  pending: 0,
  held: 0,
  fees_charged: 0,
  fees: { flat: 50, percent_from: 5_000, percent: 1 },
  live: false,
};

export class Shop {
  /** Id of the virtual account that receives transfers. */
  #number: Promise<string> | undefined;

  constructor(readonly account: SandboxAccount) {}

  /** Calls a path below /v1/business. */
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply> {
    return call(this.account, method, `/v1/business${path}`, body, headers);
  }

  /** Returns the body of a call and expects success. */
  async got(...request: Parameters<Shop["ask"]>): Promise<Reply["body"]> {
    const { status, body } = await this.ask(...request);
    if (status >= 300) throw new Error(`${request[0]} ${request[1]}: ${status} ${JSON.stringify(body)}`);
    return body;
  }

  createNumber(more: object = {}): Promise<Reply["body"]> {
    return this.got("POST", "/virtual-accounts", { ...customer, ...more });
  }

  get number(): Promise<string> {
    this.#number ??= this.createNumber().then(({ id }) => id);
    return this.#number;
  }

  /** Transfers `amount` naira to the shop's account number; returns `{status, payment_id}`. */
  async transfer(amount: number, outcome?: string): Promise<Reply["body"]> {
    const body = { virtual_account_id: await this.number, amount };
    return this.got("POST", "/test/simulate-payment", body, asking(outcome));
  }

  /** Makes a transfer and settles it; returns the payment's id. */
  async settledTransfer(amount: number): Promise<string> {
    const { payment_id } = await this.transfer(amount);
    await this.account.advance("24h");
    return payment_id;
  }

  charge(amount: number): Promise<Reply["body"]> {
    return this.got("POST", "/charges", { amount, ...customer, description: "Order 1042" });
  }

  /** Performs the customer's action at the checkout over the control API. */
  atCheckout({ reference }: { reference: string }, body: unknown): Promise<Reply> {
    return call(this.account, "POST", `/_sandbox/checkout/${reference}/pay`, body);
  }

  /** Creates a charge and pays it by card; returns the payment's id. */
  async cardPayment(amount: number, card = payingCard): Promise<string> {
    const { status, body } = await this.atCheckout(await this.charge(amount), { card });
    if (status !== 200 || body.result !== "paid") throw new Error(`not paid: ${JSON.stringify(body)}`);
    return body.payment.id;
  }

  async payments(query = ""): Promise<Reply["body"][]> {
    return (await this.got("GET", `/payments${query}`)).payments;
  }

  async payment(id: string): Promise<Reply["body"]> {
    return (await this.payments()).find((payment) => payment.id === id);
  }

  move(id: string, move: string) {
    return this.account.records.move(id, move);
  }

  setPayoutAccount(account_number = "1111111111"): Promise<Reply["body"]> {
    return this.got("PUT", "/payout-account", { bank_code: "058", account_number });
  }

  payout(amount: number, outcome?: string): Promise<Reply["body"]> {
    return this.got("POST", "/payouts", { amount }, asking(outcome));
  }

  refund(payment_id: string, amount?: number, outcome?: string): Promise<Reply["body"]> {
    return this.got("POST", "/refunds", { payment_id, amount, reason: "Returned goods" }, asking(outcome));
  }

  overview(): Promise<Reply["body"]> {
    return this.got("GET", "/overview");
  }

  /** Returns the kinds in the activity log, oldest first. */
  async kinds(): Promise<string[]> {
    const { events } = await this.got("GET", "/events");
    return events.map(({ kind }: { kind: string }) => kind).reverse();
  }

  /** Returns the number of events of this kind in the activity log. */
  async count(kind: string): Promise<number> {
    return (await this.kinds()).filter((seen) => seen === kind).length;
  }

  verify(): Promise<unknown> {
    return this.account.update({ business_verified: true });
  }
}

export const asking = (outcome: string | undefined): Record<string, string> =>
  outcome === undefined ? {} : { "X-Sandbox-Outcome": outcome };

/** Creates a business with a saved profile. */
export async function openShop(account: SandboxAccount): Promise<Shop> {
  const shop = new Shop(account);
  await shop.got("PUT", "/profile", profile);
  return shop;
}
