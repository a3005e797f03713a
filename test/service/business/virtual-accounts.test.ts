import { describe, expect, test } from "vitest";
import { isNuban } from "../../../src/service/banks.js";
import { useSandbox } from "../../support/sandbox.js";
import { customer, openShop, type Shop } from "./shop.js";

const sandbox = useSandbox();
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const path = "/virtual-accounts";

const listed = async (shop: Shop) => (await shop.got("GET", path)).accounts;

describe("an account number", () => {
  test.each([
    ["test", {}],
    ["live", { bvn: "22198765431" }],
    ["live", { nin: "70198765432" }],
  ] as const)("on a %s key, created with %j, is returned with exactly its fields", async (mode, identity) => {
    const shop = await openShop(sandbox.account({ mode }));
    const { status, body } = await shop.ask("POST", path, { ...customer, ...identity });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^va_[a-z0-9]+$/),
      reference: expect.stringMatching(/^va-[a-z0-9]+$/),
      account_number: expect.stringMatching(/^\d{10}$/),
      bank_name: "Sandbox Bank",
      account_name: "Ada Stores / Chidi Obi",
      ...customer,
      test: mode === "test",
      active: true,
      created_at: expect.stringMatching(timestamp),
    });
    expect(await listed(shop)).toEqual([{ ...body, payments: 0, total_received: 0 }]);
    expect(await shop.kinds()).toEqual(["virtual_account.created"]);
  });

  test("is unique among 200, as is its reference, and has the bank's check digit", async () => {
    const shop = await openShop(sandbox.account());
    const created = await Promise.all(Array.from({ length: 200 }, () => shop.createNumber()));
    for (const field of ["id", "account_number", "reference"])
      expect(new Set(created.map((one) => one[field])).size, field).toBe(200);
    const wrong = created.filter(({ account_number }) => !isNuban("999", account_number));
    expect(wrong).toEqual([]);
    const checkDigits = new Set(created.map(({ account_number }) => account_number.at(-1)));
    expect(checkDigits.size).toBe(10);
  });

  test("keeps the given reference", async () => {
    const shop = await openShop(sandbox.account());
    expect((await shop.createNumber({ reference: "customer 7/Ọ̀ṣun" })).reference).toBe("customer 7/Ọ̀ṣun");
  });
});

describe("a reference that is in use", () => {
  test("is 409 duplicate_reference, and nothing is created", async () => {
    const shop = await openShop(sandbox.account());
    await shop.createNumber({ reference: "customer-7" });
    const { status, body } = await shop.ask("POST", path, { ...customer, reference: "customer-7" });
    expect(status).toBe(409);
    expect(body.error).toMatchObject({ code: "duplicate_reference", param: "reference" });
    expect(body.error.message).toContain("customer-7");
    expect(await listed(shop)).toHaveLength(1);
    expect(await shop.kinds()).toEqual(["virtual_account.created"]);
  });

  test("stays in use when its account number is deactivated", async () => {
    const shop = await openShop(sandbox.account());
    const { id } = await shop.createNumber({ reference: "customer-7" });
    await shop.move(id, "deactivate");
    expect((await shop.ask("POST", path, { ...customer, reference: "customer-7" })).status).toBe(409);
  });

  test("is free on another account", async () => {
    const [one, other] = [await openShop(sandbox.account()), await openShop(sandbox.account())];
    await one.createNumber({ reference: "customer-7" });
    expect((await other.createNumber({ reference: "customer-7" })).reference).toBe("customer-7");
  });

  test("is free again if the request that named it was refused", async () => {
    const shop = await openShop(sandbox.account());
    const body = { ...customer, reference: "customer-7" };
    const headers = { "X-Sandbox-Outcome": "provider_unavailable" };
    expect((await shop.ask("POST", path, body, headers)).status).toBe(503);
    expect((await shop.ask("POST", path, body)).status).toBe(201);
  });
});

describe("bvn or nin", () => {
  test("is required on live keys: 400 missing_field without either, and nothing is created", async () => {
    const shop = await openShop(sandbox.account({ mode: "live" }));
    const { status, body } = await shop.ask("POST", path, customer);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: "missing_field", param: "bvn" });
    expect(body.error.message).toMatch(/bvn or nin/);
    expect(await listed(shop)).toEqual([]);
  });

  test.each([
    ["bvn", "2219876543", "invalid_bvn"],
    ["bvn", "221987654310", "invalid_bvn"],
    ["bvn", 22198765431, "validation_error"],
    ["nin", "7019876543x", "invalid_nin"],
    ["nin", "", "invalid_nin"],
  ])("%s %j is 400 %s on test keys and on live ones", async (field, value, code) => {
    for (const mode of ["test", "live"] as const) {
      const shop = await openShop(sandbox.account({ mode }));
      const { status, body } = await shop.ask("POST", path, { ...customer, [field]: value });
      expect({ status, ...body.error }).toMatchObject({ status: 400, code, param: field });
      expect(await listed(shop)).toEqual([]);
    }
  });
});

test.each([
  ["customer_name", undefined, "missing_field"],
  ["customer_email", undefined, "missing_field"],
  ["customer_name", "", "validation_error"],
  ["customer_email", "chidi at example.com", "validation_error"],
  ["reference", "", "validation_error"],
  ["reference", 7, "validation_error"],
])("a customer whose %s is %j is refused with 400 %s", async (field, value, code) => {
  const shop = await openShop(sandbox.account());
  const { status, body } = await shop.ask("POST", path, { ...customer, [field]: value });
  expect({ status, ...body.error }).toMatchObject({ status: 400, code, param: field });
});

describe("the list", () => {
  test("is newest first, with the count and gross of each account number's successful payments", async () => {
    const shop = await openShop(sandbox.account());
    const [first, second] = [await shop.createNumber(), await shop.createNumber()];
    const pay = (virtual_account_id: string, amount: number, outcome = "success") =>
      shop.got(
        "POST",
        "/test/simulate-payment",
        { virtual_account_id, amount },
        {
          "X-Sandbox-Outcome": outcome,
        },
      );
    await pay(first.id, 5_000);
    await pay(first.id, 100.5);
    await pay(second.id, 250.25);
    for (const outcome of ["failed", "held", "issue", "pending"]) await pay(first.id, 700, outcome);
    await shop.cardPayment(900);
    expect(await listed(shop)).toEqual([
      { ...second, payments: 1, total_received: 250.25 },
      { ...first, payments: 2, total_received: 5_100.5 },
    ]);
  });

  test("counts a held payment once it is released", async () => {
    const shop = await openShop(sandbox.account());
    await shop.transfer(5_000_000.01);
    expect(await listed(shop)).toMatchObject([{ payments: 0, total_received: 0 }]);
    await shop.verify();
    expect(await listed(shop)).toMatchObject([{ payments: 1, total_received: 5_000_000.01 }]);
  });

  test("is empty on an account that has none", async () => {
    expect(await listed(await openShop(sandbox.account()))).toEqual([]);
  });
});

test("a deactivated account number accepts no payments until it is reactivated", async () => {
  const shop = await openShop(sandbox.account());
  const id = await shop.number;
  await shop.move(id, "deactivate");
  expect(await listed(shop)).toMatchObject([{ active: false }]);
  const pay = () => shop.ask("POST", "/test/simulate-payment", { virtual_account_id: id, amount: 5_000 });
  const { status, body } = await pay();
  expect(status).toBe(409);
  expect(body.error).toMatchObject({ code: "invalid_state", param: "virtual_account_id" });
  expect(await shop.payments()).toEqual([]);
  await shop.move(id, "activate");
  expect((await pay()).body.status).toBe("success");
  expect(await listed(shop)).toMatchObject([{ active: true, payments: 1 }]);
});

test("deactivating twice is refused and names the legal move", async () => {
  const shop = await openShop(sandbox.account());
  const id = await shop.number;
  await shop.move(id, "deactivate");
  await expect(shop.move(id, "deactivate")).rejects.toMatchObject({
    code: "invalid_state",
    message: expect.stringContaining("activate"),
  });
});
