/** A shop that verifies phones, takes payments and pays out what it earned. It knows of the service, and of no sandbox. */
const { createHmac, timingSafeEqual } = require("node:crypto");
const { createServer } = require("node:http");

class Shop {
  /** What became of each payout, as far as the shop was told. */
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

  /** The charge's reference, and the page on which the customer pays it. Naira. */
  takePayment(amount, email) {
    const charge = { amount, customer_name: "Chidi Obi", customer_email: email, description: "Order 1042" };
    return this.#call("POST", "/v1/business/charges", charge);
  }

  /** Naira; the id of the payout. */
  async payOut(amount) {
    const { id, status } = await this.#call("POST", "/v1/business/payouts", { amount });
    this.payouts.set(id, status);
    return id;
  }

  /** Naira that can be paid out. */
  async available() {
    return (await this.#call("GET", "/v1/business/overview")).available;
  }

  async registerWebhook(url) {
    this.#secret = (await this.#call("POST", "/v1/webhooks", { url })).secret;
  }

  /** The HTTP status that the delivery deserves. */
  takeWebhook(rawBody, signature = "") {
    const expected = Buffer.from(createHmac("sha256", this.#secret).update(rawBody).digest("hex"));
    const given = Buffer.from(signature);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 401;
    const { event, data } = JSON.parse(rawBody);
    // Deliveries may overtake each other: what is over stays over.
    if (event.startsWith("payout.") && (event !== "payout.requested" || !this.payouts.has(data.id)))
      this.payouts.set(data.id, data.status);
    return 200;
  }

  /** Not listening yet. */
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
