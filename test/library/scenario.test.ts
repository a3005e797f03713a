import { expect, test } from "vitest";
import { ControlError } from "../../src/index.js";
import { useSandbox } from "../support/sandbox.js";

const sandbox = useSandbox();

test("a test loads a scenario by name and continues from there", async () => {
  const account = sandbox.account();
  const { name, title, given, timeline } = await account.scenario.load("payout-rejected");
  expect([name, title, timeline]).toEqual(["payout-rejected", "Payout rejected", []]);
  expect(given).toMatchObject({ payout_account: { bank_code: "058" }, payments: [{ amount: 20_000 }] });
  expect(await account.rules.list()).toMatchObject([{ on: "createPayout", scenario: "payout-rejected" }]);
});

test("a test runs a scenario by name and sees each step", async () => {
  const seen: string[] = [];
  const result = await sandbox.account().scenario.run("payout-rejected", {
    onStep: ({ title }) => seen.push(title),
  });
  expect(result).toMatchObject({ name: "Payout rejected", passed: true, skipped: 0 });
  expect(result.steps.map(({ title }) => title)).toEqual(seen);
  expect(seen.length).toBeGreaterThan(3);
});

test("an invalid scenario rejects with the place and the reason", async () => {
  const run = sandbox.account().scenario.run({ name: "X", steps: [{ call: "GET /v1/balances" }] });
  await expect(run).rejects.toBeInstanceOf(ControlError);
  await expect(run).rejects.toThrow(
    "steps.0.call: the service has no GET /v1/balances; the nearest is GET /v1/balance.",
  );
  await expect(sandbox.account().scenario.run("payout-rejectd")).rejects.toThrow(
    "the nearest is payout-rejected",
  );
});

test("an account is kept, emptied and left as the test requests", async () => {
  const account = sandbox.account();
  await account.events.trigger("payout.paid");
  await account.scenario.load({ name: "Kept" }, { keep: true });
  expect(await account.events.list()).toHaveLength(1);
  await account.scenario.load({ name: "Emptied" });
  expect(await account.events.list()).toHaveLength(0);
  await account.scenario.leave("emptied");
  await expect(account.scenario.leave("emptied")).rejects.toMatchObject({ status: 404 });
});
