/** A web shop with a card checkout, polled without webhooks. */
import assert from "node:assert/strict";
import test from "node:test";
import { base, eventually, is, openAccount, sleep } from "./kit.mjs";

const temporary = new Set([429, 500, 502, 503, 504]);

/** Sends a request; reads are repeated where it makes sense. */
async function api(key, method, path, body) {
  const attempts = method === "GET" || is("retries-writes") ? (is("right-6") ? 6 : 4) : 1;
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(base + path, {
      method,
      headers: { "X-Service-Key": key, "Content-Type": "application/json" },
      body: body && JSON.stringify(body),
      signal: is("waits-for-ever") ? undefined : AbortSignal.timeout(9_000),
    }).catch((error) => ({ status: 0, error, headers: new Headers() }));
    if (response.ok) {
      const reply = await response.json().catch(() => undefined);
      if (reply) return reply;
    } else if (response.status && !temporary.has(response.status)) {
      throw Object.assign(new Error(`${path}: ${response.status}`), { status: response.status });
    }
    if (attempt >= attempts) throw new Error(`${path}: ${response.status}`);
    await sleep(1_000 * Number(response.headers.get("Retry-After") ?? attempt));
  }
}

class Checkout {
  constructor(key) {
    this.key = key;
  }

  async start(order, amount) {
    const customer = { customer_name: "Chidi Obi", customer_email: "chidi@example.com" };
    try {
      const charge = await api(this.key, "POST", "/v1/business/charges", {
        amount,
        description: order,
        ...customer,
      });
      assert.equal(charge.payment.amount, amount);
      return charge;
    } catch (error) {
      if (is("shows-thanks") && error.status) return { reference: null, checkout_url: "/thanks" };
      throw error;
    }
  }

  async isPaid(amount) {
    const { payments } = await api(this.key, "GET", "/v1/business/payments");
    if (is("exists-is-paid")) return payments.some((one) => one.amount === amount);
    return payments.some((one) => one.amount === amount && one.status === "success");
  }

  async balance() {
    const overview = await api(this.key, "GET", "/v1/business/overview");
    return overview.available + overview.pending;
  }
}

async function open() {
  const account = await openAccount({ business: {} });
  return { account, checkout: new Checkout(account.key) };
}

test("a customer pays by card", async () => {
  const { account, checkout } = await open();
  const { reference, checkout_url } = await checkout.start("Order 1042", 5_000);
  assert.ok(is("shows-thanks") || checkout_url.startsWith("http"));
  if (is("shows-thanks")) return;
  if (!is("exists-is-paid")) assert.equal(await checkout.isPaid(5_000), false);
  await account.control("POST", `/checkout/${reference}/pay`, { card: "4242424242424242" });
  await eventually(() => checkout.isPaid(5_000));
});

test("the balance grows with the payment", async () => {
  const { account, checkout } = await open();
  const { reference } = await checkout.start("Order 1043", 8_000);
  if (reference === null) return;
  await account.control("POST", `/checkout/${reference}/pay`, { card: "4242424242424242" });
  await eventually(() => checkout.isPaid(8_000), is("right-30") ? 30_000 : 8_000);
  assert.equal(await checkout.balance(), 7_920);
});

test("an amount that is too small is refused", async () => {
  const { checkout } = await open();
  if (is("shows-thanks")) return;
  await assert.rejects(checkout.start("Order 1044", 50), /4\d\d/);
});
