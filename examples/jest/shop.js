/** A shop that verifies phones, takes payments and pays out what it earned. It knows the service, but not the sandbox. */
const { createHmac, timingSafeEqual } = require("node:crypto");
const { createServer } = require("node:http");

class Shop {
  /** Last known status of each payout. */
  payouts = new Map();
  #secret = "";

  constructor(baseUrl, key) {
    this.baseUrl = baseUrl;
    this.key = key;
  }

  async sendCode(phone) {
    return (await this.#call("POST", "/v1/phone/verify/start", { phone })).id;
  }

  async isRightCode(id, code) {
    return (await this.#call("POST", "/v1/phone/verify/check", { id, code })).verified;
  }

  /** Creates a charge in naira. Returns its reference and the page on which the customer pays it. */
  takePayment(amount, email) {
    const charge = { amount, customer_name: "Chidi Obi", customer_email: email, description: "Order 1042" };
    return this.#call("POST", "/v1/business/charges", charge);
  }

  /** Requests a payout in naira and returns its id. */
  async payOut(amount) {
    const { id, status } = await this.#call("POST", "/v1/business/payouts", { amount });
    this.payouts.set(id, status);
    return id;
  }

  /** Returns the naira available for payouts. */
  async available() {
    return (await this.#call("GET", "/v1/business/overview")).available;
  }

  async registerWebhook(url) {
    this.#secret = (await this.#call("POST", "/v1/webhooks", { url })).secret;
  }

  /** Handles a delivery and returns the HTTP status of the answer. */
  takeWebhook(rawBody, signature = "") {
    const expected = Buffer.from(createHmac("sha256", this.#secret).update(rawBody).digest("hex"));
    const given = Buffer.from(signature);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 401;
    const { event, data } = JSON.parse(rawBody);
    // Deliveries can arrive out of order; a final status stays.
    if (event.startsWith("payout.") && (event !== "payout.requested" || !this.payouts.has(data.id)))
      this.payouts.set(data.id, data.status);
    return 200;
  }

  /** Returns the shop's HTTP server, which is not listening yet. */
  server() {
    return createServer(async (request, response) => {
      const chunks = [];
      for await (const chunk of request) chunks.push(chunk);
      const signature = request.headers["x-service-signature"];
      response.writeHead(this.takeWebhook(Buffer.concat(chunks), signature)).end();
    });
  }

  async #call(method, path, body) {
    const response = await fetch(this.baseUrl + path, {
      method,
      headers: { "X-Service-Key": this.key, "Content-Type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  }
}

module.exports = { Shop };
