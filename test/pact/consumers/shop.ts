/** An example client: a shop that takes payments. */

interface Payment {
  id: string;
  amount: number;
  status: string;
}

export interface ShopEvent {
  event: string;
  data: { id: string; amount: number; status: string };
}

/** The service refused a request; the message is its error code. */
export class Refused extends Error {}

export class Shop {
  /** Payments received, in NGN by payment id. */
  readonly received = new Map<string, number>();
  /** Final status of payouts and refunds by id. */
  readonly settled = new Map<string, string>();

  constructor(
    readonly baseUrl: string,
    readonly key: string,
  ) {}

  async open(name: string, phone: string): Promise<string> {
    const profile = { business_name: name, business_type: "registered", contact_phone: phone };
    return (await this.#call<{ business_name: string }>("PUT", "/v1/business/profile", profile))
      .business_name;
  }

  /** Resolves to the account number that the customer pays to. */
  async accountNumberFor(name: string, email: string): Promise<string> {
    const customer = { customer_name: name, customer_email: email };
    const account = await this.#call<{ account_number: string }>(
      "POST",
      "/v1/business/virtual-accounts",
      customer,
    );
    return account.account_number;
  }

  async accountNumbers(): Promise<string[]> {
    const { accounts } = await this.#call<{ accounts: { account_number: string }[] }>(
      "GET",
      "/v1/business/virtual-accounts",
    );
    return accounts.map(({ account_number }) => account_number);
  }

  /** Resolves to the checkout page. `amount` is in NGN. */
  async checkout(amount: number, email: string): Promise<string> {
    const charge = { amount, customer_name: "Chidi Obi", customer_email: email, description: "Order 1042" };
    return (await this.#call<{ checkout_url: string }>("POST", "/v1/business/charges", charge)).checkout_url;
  }

  async payments(status?: string): Promise<Payment[]> {
    const query = status === undefined ? "" : `?status=${status}`;
    return (await this.#call<{ payments: Payment[] }>("GET", `/v1/business/payments${query}`)).payments;
  }

  /** Simulates the customer's transfer. */
  async receive(virtual_account_id: string, amount: number): Promise<string> {
    const transfer = { virtual_account_id, amount };
    return (await this.#call<{ status: string }>("POST", "/v1/business/test/simulate-payment", transfer))
      .status;
  }

  /** Resolves to the balance that can be paid out, in NGN. */
  async available(): Promise<number> {
    return (await this.#call<{ available: number }>("GET", "/v1/business/overview")).available;
  }

  /** Resolves to the account holder's name at the bank. */
  async payTo(bank_code: string, account_number: string): Promise<string> {
    const account = { bank_code, account_number };
    return (await this.#call<{ account_name: string }>("PUT", "/v1/business/payout-account", account))
      .account_name;
  }

  async payOut(amount: number): Promise<string> {
    return (await this.#call<{ status: string }>("POST", "/v1/business/payouts", { amount })).status;
  }

  async refund(payment_id: string, reason: string): Promise<string> {
    return (await this.#call<{ status: string }>("POST", "/v1/business/refunds", { payment_id, reason }))
      .status;
  }

  async activity(): Promise<string[]> {
    const { events } = await this.#call<{ events: { kind: string }[] }>("GET", "/v1/business/events");
    return events.map(({ kind }) => kind);
  }

  /** Resolves to the secret that signs deliveries. */
  async listenAt(url: string): Promise<string> {
    return (await this.#call<{ secret: string }>("POST", "/v1/webhooks", { url })).secret;
  }

  /** Resolves to a PNG. */
  async cutOut(form: Buffer, type: string): Promise<Buffer> {
    const response = await this.#send("POST", "/v1/tools/remove-background", type, new Uint8Array(form));
    return Buffer.from(await response.arrayBuffer());
  }

  take({ event, data }: ShopEvent): void {
    if (event === "payment.received") this.received.set(data.id, data.amount);
    else this.settled.set(data.id, data.status);
  }

  async #call<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await this.#send(method, path, body && "application/json", body && JSON.stringify(body));
    return response.json() as Promise<T>;
  }

  async #send(method: string, path: string, type?: string, body?: string | Uint8Array): Promise<Response> {
    const headers = { "X-Service-Key": this.key, ...(type && { "Content-Type": type }) };
    const response = await fetch(this.baseUrl + path, { method, headers, ...(body && { body }) });
    if (response.ok) return response;
    throw new Refused(((await response.json()) as { error: { code: string } }).error.code);
  }
}
