import { describe, expect, test } from "vitest";
import type { SandboxAccount } from "../../../src/index.js";
import { call, post, useSandbox } from "../../support/sandbox.js";
import { useAlternative } from "./use-alternative.js";

const account_number = "0712345678";
const lookUp = (account: SandboxAccount, bank_code: string) =>
  post(account, "/v1/verify/bank-account", { account_number, bank_code });
const setPayoutAccount = (account: SandboxAccount, bank_code: string) =>
  call(account, "PUT", "/v1/business/payout-account", { bank_code, account_number });

describe("named", () => {
  const sandbox = useAlternative("banks", "named");

  test("an account at a bank with an unknown three-digit code is found, and the bank is named after its code", async () => {
    const account = sandbox.account();
    expect(await lookUp(account, "999")).toMatchObject({ status: 200, body: { data: { bank_code: "999" } } });
    expect(await setPayoutAccount(account, "999")).toMatchObject({
      status: 200,
      body: { bank_name: "Bank 999" },
    });
  });

  test("a person can be registered with an account there", async () => {
    const account = sandbox.account();
    const bank_accounts = [{ bank_code: "999", account_number }];
    await account.control("POST", "/people", { first_name: "Ngozi", last_name: "Eze", bank_accounts });
    expect((await lookUp(account, "999")).body).toMatchObject({
      match: true,
      data: { account_name: "EZE NGOZI" },
    });
    expect((await lookUp(account, "058")).body).toMatchObject({ status: "not_found" });
  });

  test("000 is not a bank code", async () => {
    expect((await lookUp(sandbox.account(), "000")).body.error.code).toBe("invalid_bank_code");
  });
});

describe("refused, the default", () => {
  const sandbox = useSandbox();

  test("an unknown three-digit code is refused", async () => {
    expect(await lookUp(sandbox.account(), "999")).toMatchObject({
      status: 400,
      body: { error: { code: "invalid_bank_code" } },
    });
  });
});
