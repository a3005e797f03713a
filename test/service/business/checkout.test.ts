import { describe, expect, test } from "vitest";
import { testCards } from "../../../src/service/business/charges.js";
import { useSandbox } from "../../support/sandbox.js";
import { customer, freshOverview, openShop, payingCard, type Shop } from "./shop.js";

const sandbox = useSandbox();
const declinedCard = "4000000000000002";
const steppedCard = "4000002760003184";

const paid = { result: "paid", decline_code: null, status: "success", kinds: ["payment.received"] };
const declined = (decline_code: string) => ({
  result: "declined",
  decline_code,
  status: "failed",
  kinds: ["payment.failed"],
});

/** Expected result of each card in fixtures/test-cards.json. */
const cards: Record<string, typeof paid | ReturnType<typeof declined>> = {
  [payingCard]: paid,
  [declinedCard]: declined("card_declined"),
  "4000000000009995": declined("insufficient_funds"),
  "4000000000000069": declined("expired_card"),
  [steppedCard]: { result: "second_step", decline_code: null, status: "pending", kinds: [] },
  "4000000000005126": paid,
};

/** State of a checkout. */
const seen = async (shop: Shop) => ({
  payments: (await shop.payments()).map(({ status }) => status),
  kinds: await shop.kinds(),
});

test("the cards below are those of fixtures/test-cards.json", () => {
  expect(Object.keys(cards)).toEqual(testCards.map(({ number }) => number));
});

describe.each(["test", "live"] as const)("on a %s key", (mode) => {
  test.each(testCards.map(({ number, note }) => [number, note]))("the card %s %s", async (card) => {
    const shop = await openShop(sandbox.account({ mode }));
    const charge = await shop.charge(5_000);
    const { status, body } = await shop.atCheckout(charge, { card });
    const { result, decline_code, ...expected } = cards[card] as typeof paid;
    expect(status).toBe(200);
    expect(body).toMatchObject({ reference: charge.reference, result, decline_code });
    expect(body.message).toMatch(/\.$/);
    expect(body.payment).toEqual(await shop.payment(body.payment.id));
    expect(await seen(shop)).toEqual({ payments: [expected.status], kinds: expected.kinds });
    const balance = result === "paid" ? 4_950 : 0;
    expect((await shop.overview()).balance).toBe(balance);
  });
});

test("spaces and hyphens in a card number are ignored", async () => {
  const shop = await openShop(sandbox.account());
  const card = "4242 4242-4242 4242";
  expect((await shop.atCheckout(await shop.charge(5_000), { card })).body.result).toBe("paid");
});

test("after a declined card another one pays, and the payment goes from failed to success with both events", async () => {
  const shop = await openShop(sandbox.account());
  const charge = await shop.charge(5_000);
  const { body } = await shop.atCheckout(charge, { card: declinedCard });
  expect(await shop.payments("?status=failed")).toHaveLength(1);
  expect((await shop.atCheckout(charge, { card: payingCard })).body.payment).toMatchObject({
    id: body.payment.id,
    status: "success",
  });
  expect(await seen(shop)).toEqual({ payments: ["success"], kinds: ["payment.failed", "payment.received"] });
  expect((await shop.overview()).balance).toBe(4_950);
});

test("a second declined card leaves the payment failed without another payment.failed", async () => {
  const shop = await openShop(sandbox.account());
  const charge = await shop.charge(5_000);
  await shop.atCheckout(charge, { card: declinedCard });
  const { body } = await shop.atCheckout(charge, { card: "4000000000000069" });
  expect(body).toMatchObject({ result: "declined", decline_code: "expired_card" });
  expect(await seen(shop)).toEqual({ payments: ["failed"], kinds: ["payment.failed"] });
});

describe("the second step", () => {
  async function atSecondStep() {
    const shop = await openShop(sandbox.account());
    const charge = await shop.charge(5_000);
    await shop.atCheckout(charge, { card: steppedCard });
    return { shop, charge };
  }

  test("approved pays", async () => {
    const { shop, charge } = await atSecondStep();
    const { body } = await shop.atCheckout(charge, { second_step: "approve" });
    expect(body).toMatchObject({ result: "paid", decline_code: null, payment: { status: "success" } });
    expect(await seen(shop)).toEqual({ payments: ["success"], kinds: ["payment.received"] });
  });

  test("declined fails, and the same card may be tried again", async () => {
    const { shop, charge } = await atSecondStep();
    const { body } = await shop.atCheckout(charge, { second_step: "decline" });
    expect(body).toMatchObject({ result: "declined", decline_code: "authentication_failed" });
    expect(await seen(shop)).toEqual({ payments: ["failed"], kinds: ["payment.failed"] });
    expect((await shop.atCheckout(charge, { card: steppedCard })).body.result).toBe("second_step");
    expect((await shop.atCheckout(charge, { second_step: "approve" })).body.result).toBe("paid");
    expect((await seen(shop)).kinds).toEqual(["payment.failed", "payment.received"]);
  });

  test("can be abandoned for another card", async () => {
    const { shop, charge } = await atSecondStep();
    await shop.atCheckout(charge, { card: declinedCard });
    const { status, body } = await shop.atCheckout(charge, { second_step: "approve" });
    expect(status).toBe(409);
    expect(body.error).toMatchObject({ code: "invalid_state", param: "second_step" });
    expect((await seen(shop)).payments).toEqual(["failed"]);
  });

  test("that no card requires is 409", async () => {
    const shop = await openShop(sandbox.account());
    const { status, body } = await shop.atCheckout(await shop.charge(5_000), { second_step: "approve" });
    expect(status).toBe(409);
    expect(body.error).toMatchObject({ code: "invalid_state", param: "second_step" });
  });
});

describe("a card that is not a test card", () => {
  const real = "5555555555554444";
  test.each([
    ["given as digits", { card: real }],
    ["given as a number", { card: Number(real) }],
    ["given as the second step", { second_step: real }],
    ["given with spaces", { card: "5555 5555 5555 4444" }],
    ["given beside a second step", { card: real, second_step: "approve" }],
  ])("%s is refused without being quoted, and leaves the charge open", async (_how, body) => {
    const shop = await openShop(sandbox.account());
    const charge = await shop.charge(5_000);
    const reply = await shop.atCheckout(charge, body);
    expect(reply.status).toBe(400);
    expect(reply.body.error.code).toBe("validation_error");
    expect(JSON.stringify(reply.body).replaceAll(" ", "")).not.toContain(real);
    expect(sandbox.warnings.join()).not.toContain(real);
    expect(await seen(shop)).toEqual({ payments: ["pending"], kinds: [] });
    expect((await shop.atCheckout(charge, { card: payingCard })).body.result).toBe("paid");
  });

  test("is answered with the list of test cards", async () => {
    const shop = await openShop(sandbox.account());
    const { body } = await shop.atCheckout(await shop.charge(5_000), { card: real });
    expect(body.error.param).toBe("card");
    for (const { number } of testCards) expect(body.error.message).toContain(number);
  });
});

test.each([[{}], [{ card: payingCard, second_step: "approve" }]])(
  "%j at the checkout is 400",
  async (body) => {
    const shop = await openShop(sandbox.account());
    const reply = await shop.atCheckout(await shop.charge(5_000), body);
    expect({ status: reply.status, ...reply.body.error }).toMatchObject({
      status: 400,
      code: "validation_error",
      param: "card",
    });
    expect((await seen(shop)).payments).toEqual(["pending"]);
  },
);

describe("a charge that is paid", () => {
  test("accepts no second card: 409, and nothing is credited again", async () => {
    const shop = await openShop(sandbox.account());
    const charge = await shop.charge(5_000);
    await shop.atCheckout(charge, { card: payingCard });
    for (const card of [payingCard, declinedCard]) {
      const { status, body } = await shop.atCheckout(charge, { card });
      expect({ status, code: body.error.code }).toEqual({ status: 409, code: "invalid_state" });
    }
    expect(await seen(shop)).toEqual({ payments: ["success"], kinds: ["payment.received"] });
    expect((await shop.overview()).balance).toBe(4_950);
  });

  test("by 20 concurrent customers is paid once: one payment.received and one credit", async () => {
    const shop = await openShop(sandbox.account());
    const charge = await shop.charge(5_000);
    const attempts = Array.from({ length: 20 }, () => shop.atCheckout(charge, { card: payingCard }));
    const statuses = (await Promise.all(attempts)).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
    expect(await seen(shop)).toEqual({ payments: ["success"], kinds: ["payment.received"] });
    const credited = {
      received: 5_000,
      remaining: 4_995_000,
      balance: 4_950,
      pending: 4_950,
      fees_charged: 50,
    };
    expect(await shop.overview()).toEqual({ ...freshOverview, ...credited });
  });
});

test("a charge above the remaining limit is paid and held, and received once the business is verified", async () => {
  const shop = await openShop(sandbox.account());
  await shop.transfer(1_000);
  const { body } = await shop.atCheckout(await shop.charge(5_000_000), { card: payingCard });
  expect(body).toMatchObject({ result: "paid", payment: { status: "held" } });
  expect(await shop.overview()).toMatchObject({ received: 1_000, held: 5_000_000, balance: 950 });
  expect(await shop.kinds()).not.toContain("payment.failed");
  expect(await shop.count("payment.received")).toBe(1);
  await shop.verify();
  expect(await shop.payment(body.payment.id)).toMatchObject({
    status: "success",
    payer_name: customer.customer_name,
  });
  expect(await shop.overview()).toMatchObject({ received: 5_001_000, held: 0, balance: 4_950_950 });
  expect(await shop.count("payment.received")).toBe(2);
});

test("a charge that does not exist, or is another account's, is 404", async () => {
  const [shop, stranger] = [await openShop(sandbox.account()), await openShop(sandbox.account())];
  const charge = await shop.charge(5_000);
  for (const reference of [charge.reference, "chg_0"]) {
    const { status, body } = await stranger.atCheckout({ reference }, { card: payingCard });
    expect({ status, ...body.error }).toMatchObject({ status: 404, code: "resource_not_found" });
  }
  expect((await seen(shop)).payments).toEqual(["pending"]);
});
