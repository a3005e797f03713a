import { describe, expect, test } from "vitest";
import type { Reply } from "../../support/sandbox.js";
import { useSandbox } from "../../support/sandbox.js";
import { customer, openShop, type Shop } from "./shop.js";

const sandbox = useSandbox();

/** Requests with an amount. */
const places = ["charge", "transfer", "payout", "refund"] as const;
type Place = (typeof places)[number];

/** A verified shop with NGN 20,000,000 less the fee to pay out or refund, and the payment that it came from. */
async function richShop() {
  const shop = await openShop(sandbox.account());
  await shop.verify();
  await shop.setPayoutAccount("0143728169");
  return { shop, paid: await shop.settledTransfer(20_000_000) };
}

/** Sends the amount as JSON text, which may not be representable as a JavaScript number. */
async function send(shop: Shop, paid: string, place: Place, amount: string): Promise<Reply> {
  const requests = {
    charge: ["/charges", { ...customer, description: "Order 1042" }],
    transfer: ["/test/simulate-payment", { virtual_account_id: await shop.number }],
    payout: ["/payouts", {}],
    refund: ["/refunds", { payment_id: paid, reason: "Returned goods" }],
  } as const;
  const [path, others] = requests[place];
  return shop.ask("POST", path, JSON.stringify({ ...others, amount: "?" }).replace('"?"', amount));
}

/** Returns the resulting amount everywhere it is shown. */
async function amountsOf(shop: Shop, place: Place, body: Reply["body"]): Promise<unknown[]> {
  if (place === "transfer") return [(await shop.payment(body.payment_id)).amount];
  if (place === "charge") return [body.payment.amount, (await shop.payments())[0].amount];
  return [body.amount, (await shop.account.records.get(body.id)).record.amount];
}

const outOfRange = "amount_out_of_range";
const notInKobo = "amount_not_in_kobo";
const invalid = "validation_error";

/** JSON text of the amount, and for each request either the exact amount or the code of the refusal. */
const rows: [amount: string, charge: number | string, transfer: number | string, other: number | string][] = [
  ["4999.99", 4_999.99, 4_999.99, 4_999.99],
  ["5000", 5_000, 5_000, 5_000],
  ["5000.00", 5_000, 5_000, 5_000],
  ["5e3", 5_000, 5_000, 5_000],
  ["1234.1", 1_234.1, 1_234.1, 1_234.1],
  ["1010.29", 1_010.29, 1_010.29, 1_010.29],
  ["2000.3000000000002", 2_000.3, 2_000.3, 2_000.3],
  ["100.005", notInKobo, notInKobo, notInKobo],
  ["100.001", notInKobo, notInKobo, notInKobo],
  ["1e21", outOfRange, outOfRange, outOfRange],
  ["9007199254740993", outOfRange, outOfRange, outOfRange],
  ["-1", outOfRange, outOfRange, outOfRange],
  ["-0", outOfRange, outOfRange, outOfRange],
  ["0", outOfRange, outOfRange, outOfRange],
  ["1e-7", outOfRange, outOfRange, outOfRange],
  ['"100"', invalid, invalid, invalid],
  ["true", invalid, invalid, invalid],
  ["[100]", invalid, invalid, invalid],
  ["1e400", invalid, invalid, invalid],
  ["99.99", outOfRange, 99.99, 99.99],
  ["100", 100, 100, 100],
  ["5000000", 5_000_000, 5_000_000, 5_000_000],
  ["5000000.01", outOfRange, 5_000_000.01, 5_000_000.01],
];

describe.each(places)("the amount of a %s", (place) => {
  const expected = rows.map(([amount, charge, transfer, other]) => {
    const found = { charge, transfer, payout: other, refund: other }[place];
    return [amount, found] as const;
  });

  test.each(expected.filter(([, found]) => typeof found === "number"))(
    "%s is %d exactly",
    async (amount, found) => {
      const { shop, paid } = await richShop();
      const { status, body } = await send(shop, paid, place, amount);
      expect(status).toBe(place === "transfer" ? 200 : 201);
      for (const seen of await amountsOf(shop, place, body)) expect(seen).toBe(found);
    },
  );

  test.each(expected.filter(([, found]) => typeof found === "string"))(
    "%s is 400 %s, which names amount and changes nothing",
    async (amount, code) => {
      const { shop, paid } = await richShop();
      const seen = async () => [await shop.overview(), await shop.payments(), await shop.kinds()];
      const before = await seen();
      const { status, body } = await send(shop, paid, place, amount);
      expect({ status, ...body.error }).toMatchObject({ status: 400, code, param: "amount" });
      expect(body.error.message).toMatch(/^amount /);
      expect(await seen()).toEqual(before);
    },
  );

  test.each(["NaN", "Infinity", "0x64", "1_000", "1,000", ".5", "+100"])(
    "%s is not JSON: 400 malformed_json with the position, and nothing changes",
    async (amount) => {
      const { shop, paid } = await richShop();
      const before = await shop.overview();
      const { status, body } = await send(shop, paid, place, amount);
      expect({ status, ...body.error }).toMatchObject({ status: 400, code: "malformed_json" });
      expect(body.error.message).toMatch(/"amount":|position \d+/);
      expect(await shop.overview()).toEqual(before);
    },
  );
});

describe("the smallest and largest amounts", () => {
  test.each([
    ["charge", "100", 201],
    ["charge", "99.99", 400],
    ["charge", "5000000", 201],
    ["charge", "5000000.01", 400],
    ["transfer", "0.01", 200],
    ["transfer", "0.001", 400],
    ["transfer", "1000000000", 200],
    ["transfer", "1000000000.01", 400],
    ["payout", "50.01", 201],
    ["payout", "50", 400],
    ["refund", "0.01", 201],
    ["refund", "0.001", 400],
    ["refund", "20000000", 201],
    ["refund", "20000000.01", 422],
  ] as const)("of a %s: %s is %d", async (place, amount, status) => {
    const { shop, paid } = await richShop();
    expect((await send(shop, paid, place, amount)).status).toBe(status);
  });
});

test("a hundred transfers of NGN 100.10 are exactly 10,010, without rounding errors", async () => {
  const shop = await openShop(sandbox.account());
  await Promise.all(Array.from({ length: 100 }, () => shop.transfer(100.1)));
  expect(await shop.overview()).toMatchObject({ received: 10_010, remaining: 4_989_990, balance: 5_010 });
});
