import { describe, expect, test } from "vitest";
import { accountId } from "../../../src/world/account/account-id.js";
import { useListeningSandbox } from "../../support/sandbox.js";
import { customer, openShop } from "./shop.js";

const sandbox = useListeningSandbox();
const order = { amount: 5_000, ...customer, description: "Order 1042" };

/** A charge of NGN 5,000 that is not paid yet. */
const unpaid = {
  id: expect.stringMatching(/^pay_[a-z0-9]+$/),
  method: "card",
  status: "pending",
  amount: 5_000,
  fee: 50,
  net: 4_950,
  virtual_account_id: null,
  test: true,
  paid_at: null,
};

describe("a charge", () => {
  test.each(["test", "live"] as const)(
    "on a %s key is answered with its checkout's URL and a pending payment",
    async (mode) => {
      const shop = await openShop(sandbox.account({ mode }));
      const { status, body } = await shop.ask("POST", "/charges", order);
      expect(status).toBe(201);
      expect(body).toEqual({
        reference: expect.stringMatching(/^chg_[a-z0-9]+$/),
        checkout_url: `${sandbox.url}/pay/${accountId(shop.account.key)}/${body.reference}`,
        payment: { status: "pending", amount: 5_000 },
      });
      expect(await shop.payments()).toMatchObject([{ ...unpaid, test: mode === "test" }]);
    },
  );

  test("that is unpaid is listed as pending without a status filter, and sends no event", async () => {
    const shop = await openShop(sandbox.account());
    await shop.charge(5_000);
    await shop.account.advance("72h");
    expect(await shop.payments()).toMatchObject([unpaid]);
    for (const status of ["success", "held", "failed"])
      expect(await shop.payments(`?status=${status}`)).toEqual([]);
    expect(await shop.kinds()).toEqual([]);
  });

  test("that a card has paid succeeds at that time, and settles 24 hours later", async () => {
    const shop = await openShop(sandbox.account());
    await shop.account.clock.freeze();
    const charge = await shop.charge(5_000);
    await shop.account.advance("10h");
    const { now } = await shop.account.clock.get();
    await shop.atCheckout(charge, { card: "4242424242424242" });
    const { customer_name: payer_name } = customer;
    expect(await shop.payments()).toEqual([{ ...unpaid, status: "success", payer_name, paid_at: now }]);
    expect((await shop.account.records.get(charge.reference)).record.payment).toEqual({
      status: "success",
      amount: 5_000,
    });
    await shop.account.advance("23h59m59s999ms");
    expect(await shop.overview()).toMatchObject({ pending: 4_950, available: 0 });
    await shop.account.advance("1ms");
    expect(await shop.overview()).toMatchObject({ pending: 0, available: 4_950 });
    expect(await shop.kinds()).toEqual(["payment.received", "payment.settled"]);
  });

  test("can be paid by hand, as by the card that pays", async () => {
    const shop = await openShop(sandbox.account());
    const { reference } = await shop.charge(5_000);
    await shop.move(reference, "pay");
    expect(await shop.payments()).toMatchObject([{ status: "success" }]);
    expect(await shop.kinds()).toEqual(["payment.received"]);
    await expect(shop.move(reference, "pay")).rejects.toMatchObject({ code: "invalid_state" });
  });

  test("has a unique reference", async () => {
    const shop = await openShop(sandbox.account());
    const charges = await Promise.all(Array.from({ length: 50 }, () => shop.charge(5_000)));
    expect(new Set(charges.map(({ reference }) => reference)).size).toBe(50);
    expect(new Set(charges.map(({ checkout_url }) => checkout_url)).size).toBe(50);
    expect(new Set((await shop.payments()).map(({ id }) => id)).size).toBe(50);
  });
});

describe("a charge is refused and changes nothing", () => {
  test.each(Object.keys(order))("without %s", async (field) => {
    const shop = await openShop(sandbox.account());
    const { status, body } = await shop.ask("POST", "/charges", { ...order, [field]: undefined });
    expect({ status, ...body.error }).toMatchObject({ status: 400, code: "missing_field", param: field });
    expect(await shop.payments()).toEqual([]);
  });

  test.each([
    ["customer_name", ""],
    ["customer_name", ["Chidi"]],
    ["customer_email", "chidi"],
    ["description", 1042],
  ])("with %s %j", async (field, value) => {
    const shop = await openShop(sandbox.account());
    const { status, body } = await shop.ask("POST", "/charges", { ...order, [field]: value });
    expect({ status, ...body.error }).toMatchObject({ status: 400, code: "validation_error", param: field });
    expect(await shop.payments()).toEqual([]);
  });

  test.each([
    ["internal_error", 500],
    ["provider_unavailable", 503],
    ["provider_timeout", 504],
    ["rate_limited", 429],
  ])("under the outcome %s", async (outcome, status) => {
    const shop = await openShop(sandbox.account());
    const reply = await shop.ask("POST", "/charges", order, { "X-Sandbox-Outcome": outcome });
    expect({ status: reply.status, code: reply.body.error.code }).toEqual({ status, code: outcome });
    expect(await shop.payments()).toEqual([]);
  });
});

test("a charge has no outcomes, as the card decides, so failed is refused as unknown", async () => {
  const shop = await openShop(sandbox.account());
  const { status, body } = await shop.ask("POST", "/charges", order, { "X-Sandbox-Outcome": "failed" });
  expect(status).toBe(400);
  expect(body.error.code).toBe("unknown_outcome");
});
