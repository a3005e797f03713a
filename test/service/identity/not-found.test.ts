import { describe, expect, test } from "vitest";
import { call, useSandbox } from "../../support/sandbox.js";
import { type CheckId, checks, costOf, lookupIds, modes, send, storedChecks } from "./checks.js";

const sandbox = useSandbox({ assumptions: { "lookup.not_found": "refused" } });

/** Requests with a test value that is not found, and a known account at another bank. */
const missing: [id: CheckId, why: string, change: object][] = [
  ["verifyBvn", "22222222221", { bvn: "22222222221" }],
  ["verifyNin", "70000000001", { nin: "70000000001" }],
  ["verifyFrsc", "ABC000000001", { licence_number: "ABC000000001" }],
  ["verifyBankAccount", "0000000001", { account_number: "0000000001" }],
  ["verifyBvnAccountMatch", "0000000001", { account_number: "0000000001" }],
  ["verifyBvnAccountMatch", "22222222221", { bvn: "22222222221" }],
  ["verifyBankAccount", "another bank", { account_number: "0143728169", bank_code: "044" }],
  ["verifyBvnAccountMatch", "another bank", { account_number: "0143728169", bank_code: "044" }],
];

describe.each(modes)("with lookup.not_found=refused, on a %s key", (mode) => {
  test.each(missing)("%s of %s is 404, costs nothing and leaves no record", async (id, _why, change) => {
    const account = sandbox.account({ mode });
    const { reply, cost } = await costOf(account, () => send(account, id, { ...change }));
    expect(reply.status).toBe(404);
    expect(reply.body.error.code).toBe("resource_not_found");
    expect(reply.headers.get("X-Sandbox-Outcome")).toMatch(/^not_found; by=(test-value|people)$/);
    expect(cost).toBe(0);
    expect(await storedChecks(account)).toEqual([]);
  });

  test.each(lookupIds)("%s with not_found by header is 404", async (id) => {
    const account = sandbox.account({ mode });
    const reply = await send(account, id, {}, { "X-Sandbox-Outcome": "not_found" });
    expect(reply).toMatchObject({ status: 404, body: { error: { code: "resource_not_found" } } });
  });

  test.each(lookupIds)("%s that finds something is unchanged", async (id) => {
    const account = sandbox.account({ mode });
    for (const outcome of ["match", "partial_match", "no_match"]) {
      const { reply, cost } = await costOf(account, () =>
        send(account, id, {}, { "X-Sandbox-Outcome": outcome }),
      );
      expect(reply).toMatchObject({ status: 200, body: { status: "success" } });
      expect(cost).toBe(checks[id].price);
    }
  });
});

test("a refused lookup returns its free call", async () => {
  const account = sandbox.account();
  await account.update({ free_tier: 1 });
  await send(account, "verifyNin", { nin: "70000000001" });
  expect((await call(account, "GET", "/v1/balance")).body.free_tier_remaining).toBe(1);
});
