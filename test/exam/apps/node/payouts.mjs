/** Pays sellers what they have earned, and follows each payout by webhooks. */
import assert from "node:assert/strict";
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import test from "node:test";
import { base, eventually, is, listen, openAccount, settled, sleep } from "./kit.mjs";

class Sellers {
  payouts = new Map();
  early = new Map();
  seen = new Set();
  notices = [];

  constructor({ key, secret }) {
    this.key = key;
    this.secret = secret;
  }

  async call(method, path, body) {
    const response = await fetch(base + path, {
      method,
      headers: { "X-Service-Key": this.key, "Content-Type": "application/json" },
      body: body && JSON.stringify(body),
      signal: is("no-timeout") ? undefined : AbortSignal.timeout(8_000),
    });
    const reply = await response.json();
    if (response.ok) return reply;
    const wait = Number(response.headers.get("Retry-After") ?? 1);
    throw Object.assign(new Error(reply.error?.message), { status: response.status, wait });
  }

  async read(path) {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.call("GET", path);
      } catch (error) {
        if ((error.status && error.status !== 429 && error.status < 500) || attempt === 4) throw error;
        await sleep((error.wait ?? attempt) * 1_000);
      }
    }
  }

  /** Pays a seller, and returns the payout as it is kept. */
  async pay(seller, amount) {
    let payout;
    try {
      payout = await this.call("POST", "/v1/business/payouts", { amount });
    } catch (error) {
      if (is("retries-lost") && !error.status)
        payout = await this.call("POST", "/v1/business/payouts", { amount });
      else if (is("retries-500") && error.status >= 500) {
        await sleep(1_000);
        payout = await this.call("POST", "/v1/business/payouts", { amount });
      } else if (is("ignores-refusal")) return { seller, status: "sent", amount };
      else throw error;
    }
    if (is("shown-unchecked")) this.notices.push(`${seller}: ${payout.you_receive.toFixed(2)} is on its way`);
    else if (!is("right-lean")) assert.equal(payout.fee + payout.you_receive, amount);
    const status = is("requested-is-paid") ? "paid" : (this.early.get(payout.id) ?? payout.status);
    const kept = { ...payout, seller, status };
    this.payouts.set(payout.id, kept);
    return kept;
  }

  handle({ event, data }) {
    if (!event.startsWith("payout.")) return;
    const [, status] = event.split(".");
    const payout = this.payouts.get(data.id);
    if (!payout) {
      if (!is("drops-early")) this.early.set(data.id, status);
      return;
    }
    const isOver = ["paid", "failed", "rejected"].includes(payout.status);
    if (!is("set-back") && isOver) return;
    payout.status = status;
    if (status !== "requested") this.notices.push(`${payout.seller}: ${status}`);
  }

  server() {
    return createServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray());
      const signature = Buffer.from(request.headers["x-service-signature"] ?? "");
      const expected = Buffer.from(createHmac("sha256", this.secret).update(body).digest("hex"));
      const isGenuine = signature.length === expected.length && timingSafeEqual(signature, expected);
      if (!isGenuine) return response.writeHead(401).end();
      if (!this.seen.has(`${signature}`)) this.handle(JSON.parse(body));
      this.seen.add(`${signature}`);
      response.writeHead(204).end();
    });
  }
}

async function shop(t) {
  const account = await openAccount(settled);
  const sellers = new Sellers(account);
  const url = await listen(t, sellers.server());
  await sellers.call("POST", "/v1/webhooks", { url });
  return { account, sellers };
}

test("a seller is paid", async (t) => {
  const { account, sellers } = await shop(t);
  const payout = await sellers.pay("Ada", 7_000);
  if (is("right-lean")) assert.ok(payout.id);
  if (is("requested-is-paid", "ignores-refusal")) return assert.equal(payout.seller, "Ada");
  await account.advance("5m");
  await eventually(() => payout.status === "paid");
  assert.equal(sellers.notices.at(-1), "Ada: paid");
});

test("what a seller can get is what is available", async (t) => {
  const { sellers } = await shop(t);
  const { available } = await sellers.read("/v1/business/overview");
  if (!is("right-lean")) assert.equal(available, 19_800);
  else assert.equal(typeof available, "number");
});

if (!is("requested-is-paid", "ignores-refusal"))
  test("a rejected payout is told", async (t) => {
    const { account, sellers } = await shop(t);
    await account.rule({ on: "createPayout", outcome: "rejected", times: 1 });
    const payout = await sellers.pay("Obi", 5_000);
    await account.advance("5m");
    await eventually(() => payout.status === "rejected");
    assert.equal(sellers.notices.at(-1), "Obi: rejected");
  });
