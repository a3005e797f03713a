import { expect, test } from "vitest";
import type { SandboxAccount } from "../../../src/client/account/account.js";
import { useSandbox } from "../../support/sandbox.js";

const sandbox = useSandbox();

type Values = Record<string, string>;
const setUp = (account: SandboxAccount, state: string, params: object = {}) =>
  account.control<Values>("POST", "/pact/states", { state, params });

const phoneStates = {
  "a pending phone verification": "pending",
  "a locked phone verification": "max_attempts_reached",
  "an expired phone verification": "expired",
  "a verified phone verification": "verified",
};
const testNumbers = ["+2348000000002", "+2348000000003", "+2348000000004", "+2348000000006"];

test.each(
  Object.entries(phoneStates).flatMap(([name, state]) =>
    testNumbers.map((phone) => [name, phone, state] as const),
  ),
)("%s of the test number %s is %s", async (name, phone, expected) => {
  const account = sandbox.account();
  const { id, code } = await setUp(account, name, { phone });
  expect(code).toMatch(/^\d{6}$/);
  expect((await account.records.get(id as string)).state).toBe(expected);
});

test("a pending channel code is sent even to the test number that is not on the app", async () => {
  const { code } = await setUp(sandbox.account(), "a pending channel code", { to: "2348000000008" });
  expect(code).toMatch(/^\d{6}$/);
});
