import { describe, expect, test } from "vitest";
import people from "../../../fixtures/people.json" with { type: "json" };
import { bankOf } from "../../../src/service/banks.js";
import { useSandbox } from "../../support/sandbox.js";
import { openShop, Shop } from "./shop.js";

const sandbox = useSandbox();
const path = "/payout-account";
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** A new shop without a profile, which a payout account does not need. */
const newShop = (mode: "test" | "live" = "test") => new Shop(sandbox.account({ mode }));

const accounts = people.people.flatMap(({ bank_accounts }) => bank_accounts);

describe("a payout account", () => {
  test.each(accounts.map(({ account_name, ...account }) => [account_name, account] as const))(
    "of %s, whom the bank knows, is answered with the name that the bank has",
    async (account_name, account) => {
      const { status, body } = await newShop().ask("PUT", path, account);
      expect(status).toBe(200);
      expect(body).toEqual({
        ...account,
        bank_name: bankOf(account.bank_code).name,
        account_name,
        updated_at: expect.stringMatching(timestamp),
      });
    },
  );

  test.each(["test", "live"] as const)(
    "of an unknown person gets the same name each time, on a %s key",
    async (mode) => {
      const account = { bank_code: "058", account_number: "0123456789" };
      const [first, second] = [newShop(mode), newShop(mode)];
      const name = (await first.got("PUT", path, account)).account_name;
      expect(name).toMatch(/\S+ \S+/);
      expect((await second.got("PUT", path, account)).account_name).toBe(name);
    },
  );

  test("can be given with the bank's inter-bank code", async () => {
    const account = { bank_code: "000013", account_number: "0143728169" };
    expect(await newShop().got("PUT", path, account)).toMatchObject({
      ...account,
      bank_name: "Guaranty Trust Bank",
      account_name: "OKAFOR ADAEZE NGOZI",
    });
  });

  test("of a registered person has that person's name", async () => {
    const shop = newShop();
    const bank_accounts = [{ bank_code: "057", account_number: "1234500011", account_name: "BELLO AMINA" }];
    await shop.account.control("POST", "/people", { first_name: "Amina", last_name: "Bello", bank_accounts });
    const account = { bank_code: "057", account_number: "1234500011" };
    expect((await shop.got("PUT", path, account)).account_name).toBe("BELLO AMINA");
  });

  test("that is set again applies to the next payout and not to requested ones", async () => {
    const shop = await openShop(sandbox.account());
    await shop.settledTransfer(10_000);
    await shop.setPayoutAccount("0143728169");
    const first = await shop.payout(1_000);
    await shop.got("PUT", path, { bank_code: "057", account_number: "2081345979" });
    const second = await shop.payout(1_000);
    expect(first).toMatchObject({ bank_name: "Guaranty Trust Bank", account_number: "0143728169" });
    expect(second).toMatchObject({ bank_name: "Zenith Bank", account_number: "2081345979" });
    expect((await shop.account.records.get(first.id)).record).toMatchObject({ account_number: "0143728169" });
  });
});

describe("a payout account is refused", () => {
  test.each(accounts.map(({ account_name, ...account }) => [account_name, account] as const))(
    "for %s at another bank: 422 account_not_resolved",
    async (_name, { account_number }) => {
      const { status, body } = await newShop().ask("PUT", path, { bank_code: "301", account_number });
      expect({ status, ...body.error }).toMatchObject({
        status: 422,
        code: "account_not_resolved",
        param: "account_number",
      });
      expect(body.error.message).toContain("Jaiz Bank");
    },
  );

  test.each([
    [{ bank_code: "999" }, "invalid_bank_code", "bank_code"],
    [{ bank_code: "58" }, "invalid_bank_code", "bank_code"],
    [{ bank_code: "GTB" }, "invalid_bank_code", "bank_code"],
    [{ bank_code: 58 }, "validation_error", "bank_code"],
    [{ bank_code: undefined }, "missing_field", "bank_code"],
    [{ account_number: "014372816" }, "invalid_account_number", "account_number"],
    [{ account_number: "01437281690" }, "invalid_account_number", "account_number"],
    [{ account_number: "01437 28169" }, "invalid_account_number", "account_number"],
    [{ account_number: 143728169 }, "validation_error", "account_number"],
    [{ account_number: undefined }, "missing_field", "account_number"],
  ])("with %j: 400 %s", async (change, code, param) => {
    const right = { bank_code: "058", account_number: "0143728169" };
    const { status, body } = await newShop().ask("PUT", path, { ...right, ...change });
    expect({ status, ...body.error }).toMatchObject({ status: 400, code, param });
  });

  test("and the previous one is kept", async () => {
    const shop = await openShop(sandbox.account());
    await shop.settledTransfer(10_000);
    await shop.setPayoutAccount("0143728169");
    const refused = await shop.ask("PUT", path, { bank_code: "058", account_number: "0000000001" });
    expect(refused.status).toBe(422);
    expect((await shop.payout(1_000)).account_number).toBe("0143728169");
  });
});

describe("the outcome", () => {
  const known = { bank_code: "058", account_number: "0143728169" };

  test("not_found, by header or rule, refuses even a known account", async () => {
    const shop = newShop();
    const byHeader = await shop.ask("PUT", path, known, { "X-Sandbox-Outcome": "not_found" });
    await shop.account.rules.add({ on: "setPayoutAccount", outcome: "not_found", times: 1 });
    const byRule = await shop.ask("PUT", path, known);
    for (const { status, body } of [byHeader, byRule])
      expect({ status, code: body.error.code }).toEqual({ status: 422, code: "account_not_resolved" });
    expect((await shop.ask("PUT", path, known)).status).toBe(200);
  });

  test("resolved, by header, accepts an unknown number", async () => {
    const elsewhere = { ...known, bank_code: "301" };
    const headers = { "X-Sandbox-Outcome": "resolved" };
    const { status, body } = await newShop().ask("PUT", path, elsewhere, headers);
    expect(status).toBe(200);
    expect(body.account_name).toMatch(/\S+ \S+/);
  });
});
