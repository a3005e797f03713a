const { once } = require("node:events");
const { Shop } = require("./shop.js");

let account;
let shop;
let server;

beforeEach(async () => {
  // A new key opens a new account, so test files can run in parallel.
  account = openAccount();
  shop = new Shop(account.baseUrl, account.key);
  server = shop.server().listen(0, "127.0.0.1");
  await once(server, "listening");
});

afterEach(() => server.close());

/** Loads the initial state of a test, starts the shop's server and registers it for webhooks. */
async function earn20k() {
  await account.scenario.load({
    name: "NGN 20,000 has settled",
    given: {
      payout_account: { bank_code: "058", account_number: "0123456789" },
      payments: [{ amount: 20_000, settled: true }],
    },
  });
  await shop.registerWebhook(`http://127.0.0.1:${server.address().port}/`);
}

test("a rejected payout comes back to the balance, and a signed webhook tells the shop", async () => {
  await earn20k();
  const before = await shop.available();
  await account.rules.add({ on: "createPayout", outcome: "rejected", times: 1 });

  const id = await shop.payOut(7_000);
  expect(await shop.available()).toBe(before - 7_000);
  // Everything due within these two minutes of the account's clock has been delivered when this resolves.
  await account.advance("2m");
  expect(await shop.available()).toBe(before);
  expect(shop.payouts.get(id)).toBe("rejected");
  await account.requests.expect({ operation: "createPayout", body: { amount: 7_000 }, times: 1 });
});

test("a webhook with a wrong signature is refused, and its retry is taken", async () => {
  await earn20k();
  await account.rules.add({ on: "payout.paid", webhook: { tamper: "signature" } });

  const id = await shop.payOut(7_000);
  await account.advance("2m");
  expect(shop.payouts.get(id)).toBe("paid");
  const [delivery] = await account.deliveries.list({ event: "payout.paid" });
  expect(delivery.attempts.map(({ status }) => status)).toEqual([401, 200]);
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
  expect(await shop.isRightCode(id, codes[0])).toBe(true);
});
