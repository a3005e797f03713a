import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { connectSandbox, type SandboxAccount } from "standin";
import { beforeEach, expect, inject, onTestFinished, test } from "vitest";
import { Shop } from "./shop.js";

let account: SandboxAccount;
let shop: Shop;

beforeEach(() => {
  // A new key opens a new account, so tests can run in parallel.
  account = connectSandbox(inject("sandboxUrl")).account();
  shop = new Shop(account.baseUrl, account.key);
});

const earned20k = {
  name: "NGN 20,000 has settled",
  given: {
    payout_account: { bank_code: "058", account_number: "0123456789" },
    payments: [{ amount: 20_000, settled: true }],
  },
};

/** Starts the shop's server and registers it for webhooks. */
async function openForWebhooks() {
  const server = shop.server().listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  await shop.registerWebhook(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

test("a rejected payout comes back to the balance", async () => {
  await account.scenario.load(earned20k);
  const before = await shop.available();
  await account.rules.add({ on: "createPayout", outcome: "rejected", times: 1 });

  await shop.payOut(7_000);
  expect(await shop.available()).toBe(before - 7_000);
  await account.advance("2m");
  expect(await shop.available()).toBe(before);
});

test("the shop learns of it by a signed webhook", async () => {
  await account.scenario.load(earned20k);
  await openForWebhooks();
  await account.rules.add({ on: "createPayout", outcome: "rejected", times: 1 });

  const id = await shop.payOut(7_000);
  // Everything due within these two minutes of the account's clock has been delivered when this resolves.
  await account.advance("2m");
  expect(shop.payouts.get(id)).toBe("rejected");
  expect(await account.deliveries.list({ event: "payout.rejected" })).toMatchObject([
    { status: "succeeded" },
  ]);
});

test("a webhook with a wrong signature is refused, and its retry is taken", async () => {
  await account.scenario.load(earned20k);
  await openForWebhooks();
  await account.rules.add({ on: "payout.paid", webhook: { tamper: "signature" } });

  const id = await shop.payOut(7_000);
  await account.advance("2m");
  expect(shop.payouts.get(id)).toBe("paid");
  const [delivery] = await account.deliveries.list({ event: "payout.paid" });
  expect(delivery?.attempts.map(({ status }) => status)).toEqual([401, 200]);
});

test("a payment is pending for a day", async () => {
  await account.scenario.load({ name: "A shop", given: { business: {} } });
  const { reference } = await shop.takePayment(5_000, "chidi@example.com");
  await account.moves.charge(reference, "pay");
  expect(await shop.available()).toBe(0);
  await account.advance("24h");
  expect(await shop.available()).toBe(4_950);
});

test("a phone is verified with the code that was sent to it", async () => {
  const id = await shop.sendCode("08031234567");
  const { codes } = await account.inbox.wait({ to: "+2348031234567" });
  expect(await shop.isRightCode(id, "000000")).toBe(false);
  expect(await shop.isRightCode(id, codes[0] ?? "")).toBe(true);
  await account.requests.expect({
    operation: "startPhoneVerification",
    body: { phone: "/0803\\d{7}/" },
    times: 1,
  });
});
