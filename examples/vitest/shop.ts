/** A shop that verifies phones, takes payments and pays out what it earned. It knows the service, but not the sandbox. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type Server } from "node:http";

export class Shop {
  /** Last known status of each payout. */
  readonly payouts = new Map<string, string>();
  #secret = "";

  constructor(
    readonly baseUrl: string,
    readonly key: string,
  ) {}

  async sendCode(phone: string): Promise<string> {
    const { id } = await this.#call<{ id: string }>("POST", "/v1/phone/verify/start", { phone });
    return id;
  }

  async isRightCode(id: string, code: string): Promise<boolean> {
    const check = { id, code };
    return (await this.#call<{ verified: boolean }>("POST", "/v1/phone/verify/check", check)).verified;
  }

  /** Creates a charge in naira. Returns its reference and the page on which the customer pays it. */
  takePayment(amount: number, email: string): Promise<{ reference: string; checkout_url: string }> {
    const charge = { amount, customer_name: "Chidi Obi", customer_email: email, description: "Order 1042" };
    return this.#call("POST", "/v1/business/charges", charge);
  }

  /** Requests a payout in naira and returns its id. */
  async payOut(amount: number): Promise<string> {
    const payout = await this.#call<{ id: string; status: string }>("POST", "/v1/business/payouts", {
      amount,
    });
    this.payouts.set(payout.id, payout.status);
    return payout.id;
  }

  /** Returns the naira available for payouts. */
  async available(): Promise<number> {
    return (await this.#call<{ available: number }>("GET", "/v1/business/overview")).available;
  }

  async registerWebhook(url: string): Promise<void> {
    this.#secret = (await this.#call<{ secret: string }>("POST", "/v1/webhooks", { url })).secret;
  }

  /** Handles a delivery and returns the HTTP status of the answer. */
  takeWebhook(rawBody: Buffer, signature: string | undefined): number {
    const expected = Buffer.from(createHmac("sha256", this.#secret).update(rawBody).digest("hex"));
    const given = Buffer.from(signature ?? "");
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 401;
    const { event, data } = JSON.parse(rawBody.toString());
    // Deliveries can arrive out of order; a final status stays.
    if (event.startsWith("payout.") && (event !== "payout.requested" || !this.payouts.has(data.id)))
      this.payouts.set(data.id, data.status);
    return 200;
  }

  /** Returns the shop's HTTP server, which is not listening yet. */
  server(): Server {
    return createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const signature = request.headers["x-service-signature"] as string | undefined;
      response.writeHead(this.takeWebhook(Buffer.concat(chunks), signature)).end();
    });
  }

  async #call<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(this.baseUrl + path, {
      method,
      headers: { "X-Service-Key": this.key, "Content-Type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json() as Promise<T>;
  }
}
