/** Sells goods against bank transfers: an order is shipped once its money is there. */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import test from "node:test";
import { base, eventually, is, listen, openAccount, sleep } from "./kit.mjs";

async function call(key, method, path, body) {
  const response = await fetch(base + path, {
    method,
    headers: { "X-Service-Key": key, "Content-Type": "application/json" },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(10_000),
  });
  const reply = await response.json();
  if (!response.ok)
    throw Object.assign(new Error(reply.error?.message), {
      status: response.status,
      wait: Number(response.headers.get("Retry-After") ?? 1),
    });
  return reply;
}

async function read(key, path) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call(key, "GET", path);
    } catch (error) {
      if ((error.status && error.status !== 429 && error.status < 500) || attempt === 5) throw error;
      await sleep((error.wait ?? 1) * 1_000);
    }
  }
}

/** The orders of one shop. */
function openOrders({ key, secret }) {
  const orders = new Map();
  const credits = new Map();
  const done = new Set();

  function handle({ event, data }) {
    if (is("known-fields")) {
      const known = [
        "id",
        "method",
        "status",
        "amount",
        "fee",
        "net",
        "payer_name",
        "virtual_account_id",
        "test",
        "paid_at",
      ];
      if (event === "payment.received")
        for (const name of Object.keys(data))
          if (!known.includes(name)) throw new Error(`${name} is unknown`);
    }
    if (event !== "payment.received") return;
    if (!is("counts-twice") && done.has(data.id)) return;
    done.add(data.id);
    const order = orders.get(data.virtual_account_id);
    if (!order || (data.status !== "success" && !is("ships-held"))) return;
    const paid = (credits.get(order.id) ?? 0) + data.amount;
    credits.set(order.id, paid);
    if (paid >= order.total || is("any-amount")) order.state = "shipped";
  }

  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    const signature = request.headers["x-service-signature"];
    const genuine = createHmac("sha256", secret).update(body).digest("hex");
    const isGenuine = is("unsigned-taken")
      ? signature === undefined || signature === genuine
      : signature === genuine;
    if (!is("forged-taken") && !isGenuine) return response.writeHead(is("right-403") ? 403 : 401).end();
    try {
      const event = JSON.parse(body);
      if (is("right-queue")) setImmediate(handle, event);
      else handle(event);
      response.writeHead(is("right-202") ? 202 : 200).end();
    } catch {
      response.writeHead(500).end();
    }
  });

  return {
    server,
    orders,
    credits,
    async place(id, name, total) {
      const customer = { customer_name: name, customer_email: `${id}@example.com`, reference: id };
      const account = await call(key, "POST", "/v1/business/virtual-accounts", customer);
      const order = { id, total, state: "placed", account };
      orders.set(is("right-account-number") ? account.id.slice() : account.id, order);
      return order;
    },
    /** What has been paid into the order's account, by the service's own list. */
    async received(order) {
      const { payments } = await read(key, "/v1/business/payments");
      const own = payments.filter((one) => one.virtual_account_id === order.account.id);
      const counted = is("counts-held") ? own : own.filter((one) => one.status === "success");
      return counted.reduce((sum, one) => sum + one.amount, 0);
    },
  };
}

async function open(t) {
  const account = await openAccount({ business: {} });
  const shop = openOrders(account);
  await call(account.key, "POST", "/v1/webhooks", { url: await listen(t, shop.server) });
  const pay = (order, amount) =>
    call(account.key, "POST", "/v1/business/test/simulate-payment", {
      virtual_account_id: order.account.id,
      amount,
    });
  return { account, shop, pay };
}

test("a paid order is shipped", async (t) => {
  const { shop, pay } = await open(t);
  const order = await shop.place("o-1", "Ada Obi", 12_000);
  assert.match(order.account.account_number, /^\d{10}$/);
  await pay(order, 12_000);
  await eventually(() => order.state === "shipped");
});

test("an order that is paid in part waits for the rest", { skip: is("any-amount") }, async (t) => {
  const { shop, pay } = await open(t);
  const order = await shop.place("o-2", "Musa Bello", 9_000);
  await pay(order, 4_000);
  await eventually(() => shop.credits.get("o-2") === 4_000);
  assert.equal(order.state, "placed");
  await pay(order, 5_000);
  await eventually(() => order.state === "shipped");
  assert.equal(shop.credits.get("o-2"), 9_000);
});

test("the books agree with the service", async (t) => {
  const { shop, pay } = await open(t);
  const order = await shop.place("o-3", "Ese Udo", 6_000);
  assert.equal(await shop.received(order), 0);
  await pay(order, 6_000);
  assert.equal(await eventually(() => shop.received(order)), 6_000);
});
