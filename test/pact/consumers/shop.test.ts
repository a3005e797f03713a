/** The consumer tests of the shop. */
import { MatchersV3 } from "@pact-foundation/pact";
import { describe, expect, test } from "vitest";
import {
  type Call,
  Consumer,
  fileFor,
  formOf,
  formType,
  fromState,
  idLike,
  key,
  refusal,
  type State,
  timestamp,
} from "./consumer.js";
import { type Refused, Shop, type ShopEvent } from "./shop.js";

const { boolean, constrainedArrayLike, eachLike, number, regex, string } = MatchersV3;

const consumer = new Consumer("shop");

/** Runs the shop against the expected answer. */
const play = <T>(call: Call, act: (shop: Shop) => Promise<T>): Promise<T | undefined> =>
  consumer.play(call, ({ url }) => act(new Shop(url, key)));

/** Resolves to the error code that the shop gets; Pact does not write an interaction whose test rejects. */
const refused = (call: Call, act: (shop: Shop) => Promise<unknown>): Promise<string | undefined> =>
  play(call, (shop) =>
    act(shop).then(
      () => "nothing",
      (error: Refused) => error.message,
    ),
  );

const business: State = ["a business profile"];
const settled: State = ["a settled balance", { amount: 20_000 }];

describe("opening", () => {
  test("the shop has a profile", async () => {
    const profile = {
      business_name: "Ada Stores",
      business_type: "registered",
      contact_phone: "+2348031234567",
    };
    const name = await play(
      {
        description: "a business profile",
        request: { method: "PUT", path: "/v1/business/profile", body: profile },
        reply: { status: 200, body: profile },
      },
      (shop) => shop.open("Ada Stores", "+2348031234567"),
    );
    expect(name).toBe("Ada Stores");
  });

  test("payouts go to the account whose holder the bank names", async () => {
    const holder = await play(
      {
        description: "an account for payouts",
        request: {
          method: "PUT",
          path: "/v1/business/payout-account",
          body: { bank_code: "058", account_number: "0123456789" },
        },
        reply: { status: 200, body: { account_name: string("ADA STORES"), account_number: "0123456789" } },
      },
      (shop) => shop.payTo("058", "0123456789"),
    );
    expect(holder).toBe("ADA STORES");
  });

  test("webhooks are signed with a secret of the shop's own", async () => {
    const secret = await play(
      {
        description: "an endpoint for webhooks",
        request: { method: "POST", path: "/v1/webhooks", body: { url: "https://shop.example.com/webhooks" } },
        reply: { status: 201, body: { secret: regex("whsec_.+", "whsec_placeholder"), status: "enabled" } },
      },
      (shop) => shop.listenAt("https://shop.example.com/webhooks"),
    );
    expect(secret).toBe("whsec_placeholder");
  });

  test("a wrong key is refused", async () => {
    const code = await refused(
      {
        description: "a call with a wrong key",
        request: {
          method: "GET",
          path: "/v1/business/overview",
          headers: { "X-Service-Key": "svc_test_invalid" },
        },
        reply: { status: 401, body: refusal("invalid_api_key", "authentication_error") },
      },
      (shop) => new Shop(shop.baseUrl, "svc_test_invalid").available(),
    );
    expect(code).toBe("invalid_api_key");
  });
});

const accountNumber = {
  id: idLike("va_"),
  account_number: regex("\\d{10}", "0123456789"),
  bank_name: string("Test Bank"),
  active: boolean(true),
};

describe("account numbers", () => {
  const customer = { customer_name: "Chidi Obi", customer_email: "chidi@example.com" };
  const request = { method: "POST", path: "/v1/business/virtual-accounts", body: customer };

  test("a customer gets one", async () => {
    const number = await play(
      {
        description: "an account number for a customer",
        given: [business],
        request,
        reply: { status: 201, body: { ...accountNumber, ...customer } },
      },
      (shop) => shop.accountNumberFor("Chidi Obi", "chidi@example.com"),
    );
    expect(number).toBe("0123456789");
  });

  test("none are created before the profile is saved", async () => {
    const code = await refused(
      {
        description: "an account number for a customer, too early",
        request,
        reply: { status: 422, body: refusal("business_profile_required", "invalid_request_error") },
      },
      (shop) => shop.accountNumberFor("Chidi Obi", "chidi@example.com"),
    );
    expect(code).toBe("business_profile_required");
  });

  test("they are listed with the sums received", async () => {
    const numbers = await play(
      {
        description: "the account numbers",
        given: [["a virtual account"]],
        request: { method: "GET", path: "/v1/business/virtual-accounts" },
        reply: {
          status: 200,
          body: { accounts: eachLike({ ...accountNumber, payments: number(0), total_received: number(0) }) },
        },
      },
      (shop) => shop.accountNumbers(),
    );
    expect(numbers).toEqual(["0123456789"]);
  });
});

describe("payments", () => {
  const request = { method: "GET", path: "/v1/business/payments" };
  const payment = {
    id: idLike("pay_"),
    amount: number(20_000),
    fee: number(200),
    net: number(19_800),
    status: "success",
  };

  test("a card payment happens on the service's page", async () => {
    const page = await play(
      {
        description: "a checkout",
        given: [business],
        request: {
          method: "POST",
          path: "/v1/business/charges",
          body: {
            amount: 5_000,
            customer_name: "Chidi Obi",
            customer_email: "chidi@example.com",
            description: "Order 1042",
          },
        },
        reply: {
          status: 201,
          body: {
            reference: string("chg_0123456789"),
            checkout_url: regex("https?://.+", "https://pay.example.com/checkout/chg_0123456789"),
            payment: { status: "pending", amount: 5_000 },
          },
        },
      },
      (shop) => shop.checkout(5_000, "chidi@example.com"),
    );
    expect(page).toMatch(/^https:/);
  });

  test("amounts below NGN 100 are refused", async () => {
    const code = await refused(
      {
        description: "a checkout of too little",
        given: [business],
        request: {
          method: "POST",
          path: "/v1/business/charges",
          body: {
            amount: 99,
            customer_name: "Chidi Obi",
            customer_email: "chidi@example.com",
            description: "Order 1042",
          },
        },
        reply: { status: 400, body: refusal("amount_out_of_range", "invalid_request_error") },
      },
      (shop) => shop.checkout(99, "chidi@example.com"),
    );
    expect(code).toBe("amount_out_of_range");
  });

  test("a transfer can be simulated", async () => {
    const status = await play(
      {
        description: "a transfer to try out",
        given: [["a virtual account"]],
        request: {
          method: "POST",
          path: "/v1/business/test/simulate-payment",
          body: { virtual_account_id: fromState("virtual_account_id", "va_0"), amount: 20_000 },
        },
        reply: { status: 200, body: { status: "success", payment_id: idLike("pay_") } },
      },
      (shop) => shop.receive("va_0", 20_000),
    );
    expect(status).toBe("success");
  });

  test("payments are listed with their fees", async () => {
    const payments = await play(
      {
        description: "the payments",
        given: [["a received payment", { amount: 20_000 }]],
        request,
        reply: { status: 200, body: { payments: eachLike(payment) } },
      },
      (shop) => shop.payments(),
    );
    expect(payments).toMatchObject([{ amount: 20_000 }]);
  });

  test("held payments can be listed alone", async () => {
    const payments = await play(
      {
        description: "the held payments",
        given: [["a held payment"]],
        request: { ...request, query: { status: "held" } },
        reply: {
          status: 200,
          body: { payments: constrainedArrayLike({ ...payment, status: "held" }, 1, 1) },
        },
      },
      (shop) => shop.payments("held"),
    );
    expect(payments).toMatchObject([{ status: "held" }]);
  });

  test("a new shop has none", async () => {
    const payments = await play(
      { description: "no payments", request, reply: { status: 200, body: { payments: [] } } },
      (shop) => shop.payments(),
    );
    expect(payments).toEqual([]);
  });
});

describe("money out", () => {
  const payout = { id: idLike("po_"), amount: 5_000, status: "requested", you_receive: number(5_000) };

  test("the overview has the available balance", async () => {
    const available = await play(
      {
        description: "the overview",
        given: [settled],
        request: { method: "GET", path: "/v1/business/overview" },
        reply: { status: 200, body: { available: number(19_800), held: number(0), status: "active" } },
      },
      (shop) => shop.available(),
    );
    expect(available).toBe(19_800);
  });

  test("a payout is requested", async () => {
    const status = await play(
      {
        description: "a payout",
        given: [settled],
        request: { method: "POST", path: "/v1/business/payouts", body: { amount: 5_000 } },
        reply: { status: 201, body: payout },
      },
      (shop) => shop.payOut(5_000),
    );
    expect(status).toBe("requested");
  });

  test("a payout above the settled balance is refused", async () => {
    const code = await refused(
      {
        description: "a payout of too much",
        given: [settled],
        request: { method: "POST", path: "/v1/business/payouts", body: { amount: 20_000 } },
        reply: { status: 422, body: refusal("insufficient_available_balance", "invalid_request_error") },
      },
      (shop) => shop.payOut(20_000),
    );
    expect(code).toBe("insufficient_available_balance");
  });

  test("a payment can be refunded", async () => {
    const status = await play(
      {
        description: "a refund",
        given: [["a received payment"]],
        request: {
          method: "POST",
          path: "/v1/business/refunds",
          body: { payment_id: fromState("payment_id", "pay_0"), reason: "Out of stock" },
        },
        reply: { status: 201, body: { id: idLike("rf_"), status: "requested", reason: "Out of stock" } },
      },
      (shop) => shop.refund("pay_0", "Out of stock"),
    );
    expect(status).toBe("requested");
  });

  test("an unknown payment cannot be refunded", async () => {
    const code = await refused(
      {
        description: "a refund of nothing",
        given: [business],
        request: {
          method: "POST",
          path: "/v1/business/refunds",
          body: { payment_id: "pay_none", reason: "Out of stock" },
        },
        reply: { status: 404, body: refusal("resource_not_found", "invalid_request_error") },
      },
      (shop) => shop.refund("pay_none", "Out of stock"),
    );
    expect(code).toBe("resource_not_found");
  });

  test("the activity log lists what happened", async () => {
    const kinds = await play(
      {
        description: "the activity",
        given: [["a paid payout"]],
        request: { method: "GET", path: "/v1/business/events" },
        reply: {
          status: 200,
          body: {
            events: eachLike({
              kind: regex("[a-z]+\\.[a-z_]+|virtual_account\\.created", "payout.paid"),
              message: string("A payout was paid."),
              created_at: timestamp,
            }),
          },
        },
      },
      (shop) => shop.activity(),
    );
    expect(kinds).toEqual(["payout.paid"]);
  });
});

test("the background of a product photo is removed", async () => {
  const form = formOf({ field: "file", filename: "selfie.jpg", contentType: "image/jpeg" });
  const picture = await play(
    {
      description: "a photo whose background goes",
      request: { method: "POST", path: "/v1/tools/remove-background", form },
      reply: { status: 200, file: { type: "image/png", example: fileFor("id-card.png") } },
    },
    (shop) => shop.cutOut(form, formType),
  );
  expect(picture?.subarray(1, 4).toString()).toBe("PNG");
});

describe("webhooks", () => {
  const payment = { id: idLike("pay_"), amount: number(20_000) };
  const payout = { id: idLike("po_"), amount: number(5_000) };
  const refund = { id: idLike("rf_"), amount: number(20_000) };

  test.each<[string, object, ...State]>([
    ["payment.settled", { ...payment, status: "success" }, "a settled balance"],
    ["payment.issue", { ...payment, status: "held" }, "a payment with an issue"],
    ["payout.requested", { ...payout, status: "requested" }, "a requested payout"],
    ["payout.paid", { ...payout, status: "paid" }, "a paid payout"],
    ["payout.rejected", { ...payout, status: "rejected" }, "a rejected payout"],
    ["payout.failed", { ...payout, status: "failed" }, "a failed payout"],
    ["refund.processed", { ...refund, status: "processed" }, "a processed refund"],
    ["refund.failed", { ...refund, status: "failed" }, "a failed refund"],
  ])("the shop listens to %s", async (event, data, state) => {
    const shop = new Shop("", key);
    await consumer.hearing(event, data, [state]).executeTest(async ({ contents }) => {
      shop.take(contents.content as unknown as ShopEvent);
    });
    expect([...shop.settled.values()]).toEqual([(data as { status: string }).status]);
  });

  test("the shop counts its payments", async () => {
    const shop = new Shop("", key);
    await consumer
      .hearing("payment.received", { ...payment, status: "success" }, ["a received payment"])
      .executeTest(async ({ contents }) => shop.take(contents.content as unknown as ShopEvent));
    expect([...shop.received.values()]).toEqual([20_000]);
  });
});

consumer.testCommitted();
