import { expect, test } from "vitest";
import { call, post } from "../../support/sandbox.js";
import { useAlternative } from "./use-alternative.js";

const sandbox = useAlternative("audits.failed", "refunded");

test("refunded: a deep audit that fails is refunded once, and costs 0 wherever its cost is shown", async () => {
  const account = sandbox.account();
  const balance = async () => (await call(account, "GET", "/v1/balance")).body.balance;
  const before = await balance();
  const { id, created_at } = (await post(account, "/v1/audits", { url: "deepfail.test", tier: "deep" })).body;
  expect(await balance()).toBe(before - 5000);
  await account.advance("1h");
  expect(await balance()).toBe(before);
  expect((await call(account, "GET", `/v1/audits/${id}`)).body).toMatchObject({ status: "failed", cost: 0 });
  expect((await call(account, "GET", "/v1/audits")).body).toMatchObject([{ status: "failed", cost: 0 }]);
  const day = created_at.slice(0, 10);
  const usage = (await call(account, "GET", `/v1/usage?from=${day}&to=${day}`)).body;
  expect(usage.items).toEqual([{ date: day, type: "audit_deep", count: 1, cost: 0 }]);
  const [email] = await account.inbox.list({ channel: "email" });
  expect(email?.text).toContain("refunded");
});

test("refunded: a deep audit that is ready stays billed", async () => {
  const account = sandbox.account();
  const { id } = (await post(account, "/v1/audits", { url: "shop.example", tier: "deep" })).body;
  await account.advance("1h");
  expect((await call(account, "GET", `/v1/audits/${id}`)).body).toMatchObject({
    status: "ready",
    cost: 5000,
  });
});
