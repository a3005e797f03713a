import assert from "node:assert/strict";
import { once } from "node:events";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { startSandbox } from "standin";
import request from "supertest";
import { createApp } from "./app.js";

let sandbox;
let account;
let server;

before(async () => {
  sandbox = await startSandbox();
});
after(() => sandbox.close());

beforeEach(async () => {
  // A new account with NGN 20,000 settled.
  account = sandbox.account();
  await account.scenario.load({
    name: "A shop that earned",
    given: {
      payout_account: { bank_code: "058", account_number: "0123456789" },
      payments: [{ amount: 20_000, settled: true }],
    },
  });
  const service = { baseUrl: account.baseUrl, key: account.key, webhookSecret: "" };
  server = createApp(service).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${server.address().port}/webhooks`;
  const registered = await account.fetch("/v1/webhooks", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ url }),
  });
  service.webhookSecret = (await registered.json()).secret;
});
afterEach(() => server.close());

test("a rejected payout is told to the seller", async () => {
  await account.rules.add({ on: "createPayout", outcome: "rejected", times: 1 });
  const { body } = await request(server).post("/withdrawals").send({ amount: 7_000 }).expect(201);
  assert.equal(body.state, "on its way");

  await account.advance("2m");
  const { body: later } = await request(server).get(`/withdrawals/${body.id}`).expect(200);
  assert.equal(later.state, "returned to your balance");
});

test("more than there is cannot be withdrawn", async () => {
  const { body } = await request(server).post("/withdrawals").send({ amount: 50_000 }).expect(422);
  assert.equal(body.error, "insufficient_available_balance");
});

test("an outage of the service is no fault of the seller's", async () => {
  await account.rules.add({ on: "createPayout", fault: { error: "internal_error" }, times: 1 });
  await request(server).post("/withdrawals").send({ amount: 7_000 }).expect(503);
  await account.requests.expect({
    operation: "createPayout",
    body: { amount: 7_000 },
    status: 500,
    times: 1,
  });
});

test("a forged webhook is refused", async () => {
  await request(server)
    .post("/webhooks")
    .set("X-Service-Signature", "0".repeat(64))
    .set("Content-Type", "application/json")
    .send('{"event":"payout.paid","data":{}}')
    .expect(401);
});
