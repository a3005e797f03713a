/** The sandbox as a part of your own Express application: below a path, on your port, behind your middleware. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import express from "express";
import { createSandbox } from "standin";
import request from "supertest";

let sandbox;
let shop;

before(async () => {
  sandbox = await createSandbox();
  shop = express();
  shop.use(express.json());
  // In production this path would lead to the real service.
  shop.use("/service", sandbox.app);
  shop.get("/orders", (_request, response) => response.json([]));
});
after(() => sandbox.close());

test("calls of the service below the path, and your own routes beside it", async () => {
  const account = sandbox.account();
  const { body } = await request(shop)
    .post("/service/v1/phone/verify/start")
    .set("X-Service-Key", account.key)
    .send({ phone: "08031234567" })
    .expect(201);
  assert.equal(body.phone, "+2348031234567");
  await request(shop).get("/orders").expect(200, []);
});

test("the account reads the inbox and moves the clock, although nothing listens on a port", async () => {
  const account = sandbox.account();
  await request(sandbox.app)
    .post("/v1/phone/verify/start")
    .set("X-Service-Key", account.key)
    .send({ phone: "08031234567" })
    .expect(201);
  const { codes } = await account.inbox.wait({ to: "08031234567" });
  assert.match(codes[0], /^\d{6}$/);
  const { now } = await account.advance("24h");
  assert.ok(Date.parse(now) > Date.now());
});
