/** A right client of the service, and a suite of it whose tests take as long as they are told to, for the bench `exam`. */
import assert from "node:assert/strict";
import { createHmac, randomUUID, scryptSync } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";

const base = process.env.SERVICE_BASE_URL;
const attempts = 3;

/** Makes one request. Rejects with an error with `status` and `retryAfter`; without a status if there was no whole reply. */
async function send(key, method, path, body) {
  const reply = await fetch(base + path, {
    method,
    headers: { "X-Service-Key": key, "Content-Type": "application/json" },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(8_000),
  });
  const { status, headers } = reply;
  const value = JSON.parse(await reply.text());
  if (reply.ok) return value;
  throw Object.assign(new Error(`${path}: ${status}`), {
    status,
    retryAfter: Number(headers.get("retry-after")),
  });
}

async function read(key, path) {
  for (let left = attempts - 1; ; left--) {
    try {
      return await send(key, "GET", path);
    } catch (error) {
      if (left === 0 || error.status < 500 !== (error.status === 429)) throw error;
      await pause(1_000 * (error.retryAfter || 1));
    }
  }
}

/** Receives the webhooks of an account. Resolves to a function that waits for the event of a kind. */
async function receive(t, key) {
  const { webhook_secret: secret } = await read(key, "/_sandbox/account");
  const events = new Map();
  const server = createServer(async (request, response) => {
    const chunks = await request.toArray().catch(() => null);
    if (chunks === null) return;
    const body = Buffer.concat(chunks);
    const isGenuine =
      createHmac("sha256", secret).update(body).digest("hex") === request.headers["x-service-signature"];
    if (isGenuine) {
      const { event, data } = JSON.parse(body);
      events.set(event, data);
    }
    response.writeHead(isGenuine ? 204 : 401).end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  await send(key, "POST", "/v1/webhooks", { url: `http://127.0.0.1:${server.address().port}/` });
  return async (kind) => {
    for (let left = 400; left > 0 && !events.has(kind); left--) await pause(10);
    assert.ok(events.has(kind), `${kind} has not come`);
    return events.get(kind);
  };
}

const give = (key, given) => send(key, "POST", "/_sandbox/scenarios", { name: "set-up", given });
const bank = { bank_code: "058", account_number: "0123456789" };

const kinds = {
  async "a payout is paid"(t, key) {
    await give(key, { payout_account: bank, payments: [{ amount: 20_000, settled: true }] });
    const arrival = await receive(t, key);
    const payout = await send(key, "POST", "/v1/business/payouts", { amount: 7_000 });
    assert.deepEqual([payout.amount, payout.fee, payout.you_receive], [7_000, 50, 6_950]);
    await send(key, "POST", "/_sandbox/clock/advance", { by: "5m" });
    assert.equal((await arrival("payout.paid")).id, payout.id);
  },
  async "what customers have paid is added up"(_t, key) {
    await give(key, { payments: [{ amount: 20_000 }, { amount: 500 }] });
    const { payments } = await read(key, "/v1/business/payments");
    const paid = payments.filter(({ status }) => status === "success");
    assert.equal(
      paid.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0),
      2_050_000,
    );
  },
  async "a customer has the name of the record"(_t, key) {
    const person = { bvn: "22222222220", first_name: "Ada", last_name: "Obi" };
    assert.equal((await send(key, "POST", "/v1/verify/bvn", person)).match, true);
  },
  async "a phone is verified by its code"(_t, key) {
    await give(key, { account: { code: "123456" } });
    const { id } = await send(key, "POST", "/v1/phone/verify/start", { phone: "08031234567" });
    const check = (code) => send(key, "POST", "/v1/phone/verify/check", { id, code });
    assert.equal((await check("123456")).verified, true);
  },
  async "a transfer to an order's account is told"(t, key) {
    await give(key, { business: {} });
    const arrival = await receive(t, key);
    const order = { customer_name: "Ada", customer_email: "ada@shop.example" };
    const { id } = await send(key, "POST", "/v1/business/virtual-accounts", order);
    await send(key, "POST", "/v1/business/test/simulate-payment", { virtual_account_id: id, amount: 5_000 });
    assert.equal((await arrival("payment.received")).amount, 5_000);
  },
};

/** Takes time as other tests do: half of it on the CPU. */
async function work(ms) {
  const end = performance.now() + ms / 2;
  while (performance.now() < end) scryptSync("a password", "a salt", 32);
  await pause(ms / 2);
}

/** Adds tests of each kind in turn, each with an account of its own. */
export function addTests(count, ms) {
  const all = Object.entries(kinds);
  for (let number = 0; number < count; number++) {
    const [title, run] = all[number % all.length];
    test(`${number}: ${title}`, async (t) => {
      await run(t, `svc_test_${randomUUID().replaceAll("-", "")}`);
      await work(ms);
    });
  }
}
