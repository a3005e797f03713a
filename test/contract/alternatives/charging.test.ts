import { expect, test } from "vitest";
import { call, post, type useSandbox } from "../../support/sandbox.js";
import { useAlternative } from "./use-alternative.js";

const sandbox = useAlternative("charging.test_keys", "free");
type Account = ReturnType<ReturnType<typeof useSandbox>["account"]>;

const balanceOf = async (account: Account): Promise<number> =>
  (await call(account, "GET", "/v1/balance")).body.balance;
const sendCode = (account: Account) => post(account, "/v1/phone/verify/start", { phone: "08031234567" });

test("a test key's calls show their cost, and its empty wallet refuses none", async () => {
  const account = sandbox.account();
  await account.control("PATCH", "/account", { balance: 0 });
  const { status, body } = await sendCode(account);
  expect([status, body.cost]).toEqual([201, 6]);
  expect(await balanceOf(account)).toBe(0);
  const { body: usage } = await call(account, "GET", "/v1/usage?from=2020-01-01&to=2099-12-31");
  expect(usage).toMatchObject({ total_calls: 1, total_cost: 6 });
});

test("a refund does not raise the wallet of a test key", async () => {
  const account = sandbox.account();
  const before = await balanceOf(account);
  await post(
    account,
    "/v1/phone/verify/start",
    { phone: "08031234567" },
    { "X-Sandbox-Outcome": "sms_failed" },
  );
  expect(await balanceOf(account)).toBe(before);
});

test("a live key pays", async () => {
  const account = sandbox.account({ mode: "live" });
  const before = await balanceOf(account);
  await post(account, "/v1/verify/bvn", { bvn: "22301948576", phone_number: "+2348031234567" });
  expect(await balanceOf(account)).toBe(before - 50);
});

test("a rule still refuses a call for an empty wallet", async () => {
  const account = sandbox.account();
  await account.rules.add({
    on: "startPhoneVerification",
    fault: { error: "insufficient_balance" },
    times: 1,
  });
  expect((await sendCode(account)).body.error.code).toBe("insufficient_balance");
  expect((await sendCode(account)).status).toBe(201);
});
