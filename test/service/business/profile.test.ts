import { describe, expect, test } from "vitest";
import { useSandbox } from "../../support/sandbox.js";
import { customer, openShop, profile, Shop } from "./shop.js";

const sandbox = useSandbox();

/** A shop without a profile. */
const newShop = (mode: "test" | "live" = "test") => new Shop(sandbox.account({ mode }));

test.each(["registered", "individual"])(
  "the reply to the profile of a %s business is the profile as sent",
  async (business_type) => {
    const { status, body } = await newShop().ask("PUT", "/profile", { ...profile, business_type });
    expect(status).toBe(200);
    expect(body).toEqual({ ...profile, business_type });
  },
);

test("a profile that is saved again replaces the first, and new account numbers have the new name", async () => {
  const shop = await openShop(sandbox.account());
  const before = await shop.createNumber();
  await shop.got("PUT", "/profile", { ...profile, business_name: "Obi Foods" });
  const after = await shop.createNumber();
  expect([before.account_name, after.account_name]).toEqual([
    "Ada Stores / Chidi Obi",
    "Obi Foods / Chidi Obi",
  ]);
});

test("the overview is setup_required until the profile is saved, and active from then on", async () => {
  const shop = newShop();
  expect((await shop.overview()).status).toBe("setup_required");
  await shop.got("PUT", "/profile", profile);
  expect((await shop.overview()).status).toBe("active");
});

describe("Account numbers or payments before the business name is set are refused:", () => {
  const bvn = "22198765431";
  const charge = { amount: 5_000, ...customer, description: "Order 1042" };
  const simulated = { virtual_account_id: "va_0123456789abcdef", amount: 5_000 };

  test.each([
    ["an account number", "test", "/virtual-accounts", customer],
    ["an account number", "live", "/virtual-accounts", { ...customer, bvn }],
    ["a charge", "test", "/charges", charge],
    ["a charge", "live", "/charges", charge],
    ["a simulated payment", "test", "/test/simulate-payment", simulated],
  ] as const)("%s on a %s key is 422 and leaves nothing behind", async (_what, mode, path, body) => {
    const shop = newShop(mode);
    const reply = await shop.ask("POST", path, body);
    expect({ status: reply.status, code: reply.body.error?.code }).toEqual({
      status: 422,
      code: "business_profile_required",
    });
    expect(reply.body.error.message).toContain("PUT /v1/business/profile");
    expect(await shop.payments()).toEqual([]);
    expect(await shop.got("GET", "/virtual-accounts")).toEqual({ accounts: [] });
    expect(await shop.kinds()).toEqual([]);
  });

  test("once it is set, account numbers, charges and simulated payments are accepted", async () => {
    const shop = await openShop(sandbox.account());
    expect((await shop.transfer(5_000)).status).toBe("success");
    expect((await shop.charge(5_000)).payment.status).toBe("pending");
  });

  test("another account's profile does not count", async () => {
    await openShop(sandbox.account());
    expect((await newShop().ask("POST", "/charges", charge)).status).toBe(422);
  });
});

describe("contact_phone", () => {
  test.each(["08031234567", "+2348031234567", "+234 803 123 4567", "0803-123-4567", "+442079460958"])(
    "%s is accepted",
    async (contact_phone) => {
      const { status, body } = await newShop().ask("PUT", "/profile", { ...profile, contact_phone });
      expect(status).toBe(200);
      expect(body.contact_phone).toBe(contact_phone);
    },
  );

  test.each(["", "12345", "8031234567", "2348031234567", "+234803123456", "0803123456x", "call me"])(
    "%j is 400 invalid_phone, and the profile stays as it was",
    async (contact_phone) => {
      const shop = await openShop(sandbox.account());
      const changed = { ...profile, business_name: "Obi Foods", contact_phone };
      const { status, body } = await shop.ask("PUT", "/profile", changed);
      expect(status).toBe(400);
      expect(body.error).toMatchObject({ code: "invalid_phone", param: "contact_phone" });
      expect((await shop.createNumber()).account_name).toBe("Ada Stores / Chidi Obi");
    },
  );
});

describe("a profile is refused", () => {
  test.each(Object.keys(profile))("without %s", async (field) => {
    const { status, body } = await newShop().ask("PUT", "/profile", { ...profile, [field]: undefined });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: "missing_field", param: field });
  });

  test.each([
    ["business_name", ""],
    ["business_name", 7],
    ["business_type", "charity"],
    ["business_type", null],
    ["contact_phone", 8031234567],
  ])("with %s %j", async (field, value) => {
    const shop = newShop();
    const { status, body } = await shop.ask("PUT", "/profile", { ...profile, [field]: value });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: "validation_error", param: field });
    expect((await shop.overview()).status).toBe("setup_required");
  });
});
