/** A client of the service, as an app would write it: a base URL, a key, and a method for each call that the app makes. */

export interface PhoneCheck {
  id: string;
  status: "pending" | "verified" | "expired" | "max_attempts_reached";
  verified: boolean;
}

export interface Overview {
  balance: number;
  available: number;
  pending: number;
  held: number;
  fees_charged: number;
}

export class ServiceError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

export class Service {
  constructor(
    readonly baseUrl: string,
    readonly key: string,
  ) {}

  async sendPhoneCode(phone: string, reference: string): Promise<string> {
    return (await this.#call<PhoneCheck>("POST", "/v1/phone/verify/start", { phone, reference })).id;
  }

  checkPhoneCode(id: string, code: string): Promise<PhoneCheck> {
    return this.#call("POST", "/v1/phone/verify/check", { id, code });
  }

  verifyBvn(bvn: string, first_name: string, last_name: string): Promise<{ status: string; match: boolean }> {
    return this.#call("POST", "/v1/verify/bvn", { bvn, first_name, last_name });
  }

  async walletBalance(): Promise<number> {
    return (await this.#call<{ balance: number }>("GET", "/v1/balance")).balance;
  }

  saveProfile(business_name: string, contact_phone: string): Promise<unknown> {
    const profile = { business_name, business_type: "registered", contact_phone };
    return this.#call("PUT", "/v1/business/profile", profile);
  }

  async openAccountNumber(customer_name: string, customer_email: string): Promise<string> {
    const customer = { customer_name, customer_email };
    return (await this.#call<{ id: string }>("POST", "/v1/business/virtual-accounts", customer)).id;
  }

  /** Simulates a transfer of this many naira to the account number. */
  async receiveTransfer(virtual_account_id: string, amount: number): Promise<string> {
    const transfer = { virtual_account_id, amount };
    const { payment_id } = await this.#call<{ payment_id: string }>(
      "POST",
      "/v1/business/test/simulate-payment",
      transfer,
    );
    return payment_id;
  }

  async payOut(bank_code: string, account_number: string, amount: number): Promise<string> {
    await this.#call("PUT", "/v1/business/payout-account", { bank_code, account_number });
    return (await this.#call<{ id: string }>("POST", "/v1/business/payouts", { amount })).id;
  }

  overview(): Promise<Overview> {
    return this.#call("GET", "/v1/business/overview");
  }

  /** Registers the URL and returns the secret that signs its deliveries. */
  async registerWebhook(url: string): Promise<string> {
    return (await this.#call<{ secret: string }>("POST", "/v1/webhooks", { url })).secret;
  }

  async #call<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(this.baseUrl + path, {
      method,
      headers: { "X-Service-Key": this.key, "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const reply = (await response.json()) as T & { error?: { code: string; message: string } };
    if (response.ok) return reply;
    const { code, message } = reply.error ?? { code: "", message: response.statusText };
    throw new ServiceError(response.status, code, message);
  }
}
