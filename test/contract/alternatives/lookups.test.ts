import { describe, expect, test } from "vitest";
import type { AnyOperation } from "../../../src/contract/operation.js";
import type { SandboxAccount } from "../../../src/index.js";
import { assumptionsOf } from "../../../src/service/assumptions.js";
import { call, post, useSandbox } from "../../support/sandbox.js";
import { ask, byId } from "./asking.js";
import { useContract } from "./served-contract.js";
import { useAlternative } from "./use-alternative.js";

const lookups = byId((operation) => assumptionsOf(operation).has("lookup.not_found"));

const asked = (account: SandboxAccount, operation: AnyOperation, outcome: string) =>
  ask(account, operation, { headers: { "X-Sandbox-Outcome": outcome } });
const balance = async (account: SandboxAccount): Promise<number> =>
  (await call(account, "GET", "/v1/balance")).body.balance;

test("the lookups below are the five by number", () => {
  expect(lookups.map(([id]) => id)).toEqual([
    "verifyBvn",
    "verifyNin",
    "verifyFrsc",
    "verifyBankAccount",
    "verifyBvnAccountMatch",
  ]);
});

describe("refused", () => {
  const sandbox = useAlternative("lookup.not_found", "refused");
  const contract = useContract(sandbox);

  test.each(lookups)(
    "%s refuses a number that it does not find, and does not charge",
    async (_id, operation) => {
      const account = sandbox.account();
      const before = await balance(account);
      const reply = await asked(account, operation, "not_found");
      expect(reply.status).toBe(404);
      expect(reply.body.error.code).toBe("resource_not_found");
      expect(await balance(account)).toBe(before);
      contract().expectDescribes(operation, reply);
    },
  );

  test.each(lookups)(
    "%s reports records that it finds, and its contract has no not_found result",
    async (_id, operation) => {
      const found = await asked(sandbox.account(), operation, "match");
      expect(found.body).toMatchObject({ status: "success", match: true });
      contract().expectDescribes(operation, found);
      const missing = { ...found, body: { ...found.body, status: "not_found", match: false, data: null } };
      expect(() => contract().expectDescribes(operation, missing)).toThrow();
    },
  );

  test("a bank account at another bank is not found", async () => {
    const account_number = "0143728169";
    const at = (bank_code: string) =>
      post(sandbox.account(), "/v1/verify/bank-account", { account_number, bank_code });
    expect((await at("058")).status).toBe(200);
    expect((await at("033")).status).toBe(404);
  });
});

describe("result, the default", () => {
  const sandbox = useSandbox();
  const contract = useContract(sandbox);

  test.each(lookups)("%s reports not_found, and its contract has no 404", async (_id, operation) => {
    const reply = await asked(sandbox.account(), operation, "not_found");
    expect(reply).toMatchObject({ status: 200, body: { status: "not_found", match: false, data: null } });
    contract().expectDescribes(operation, reply);
    expect(contract().statuses(operation)).not.toContain(404);
  });
});
