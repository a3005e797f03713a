import { expect, test } from "vitest";
import type { RuleInput, SandboxAccount } from "../../src/index.js";
import { startSandbox } from "../../src/index.js";
import { freshFolder } from "../support/folder.js";
import { post, useSandbox } from "../support/sandbox.js";
import { forgedAt } from "../support/snapshots.js";

const sandbox = useSandbox();
const on = "startPhoneVerification";

/** A rule of each kind, the last of which is partly used. */
const rules: readonly RuleInput[] = [
  { on: "*", when: { headers: { "X-Tenant": "/a|b/" } }, fault: { latency: { min: "1ms", max: "2ms" } } },
  { on, fault: { reply: "trickle", over: "1s" }, probability: 0.5, priority: -1, after: 100 },
  { on: "payout.paid", when: { data: { id: "<string>" } }, webhook: { tamper: "body", duplicate: 2 } },
  {
    on: "webhooks",
    webhook: { delay: { min: "1s", max: "2s" } },
    times: 1,
    next: [{ webhook: { drop: true } }],
  },
  { on, outcome: "provider_unavailable", times: 2, next: [{ fault: { error: "rate_limited" }, times: 1 }] },
];

const start = async (account: SandboxAccount): Promise<number> =>
  (await post(account, "/v1/phone/verify/start", { phone: "+2348031234567" })).status;

async function withRules(account: SandboxAccount): Promise<SandboxAccount> {
  for (const rule of rules) await account.rules.add(rule);
  expect(await start(account)).toBe(503);
  return account;
}

test("rules are in a snapshot, and continue in the copy where they were", async () => {
  const account = await withRules(sandbox.account());
  const copy = sandbox.account();
  await copy.restore(await account.snapshot());
  expect(await copy.rules.list()).toEqual(await account.rules.list());
  for (const going of [account, copy]) {
    expect([await start(going), await start(going), await start(going)]).toEqual([503, 429, 201]);
  }
});

test("a copy draws the same probabilities as the account itself", async () => {
  // The key decides what is drawn: with this one, the rule applies to some of the 20 requests.
  const account = sandbox.account({ key: "svc_test_dice_of_copies" });
  await account.rules.add({ on, outcome: "provider_unavailable", probability: 0.5 });
  for (let i = 0; i < 5; i++) await start(account);
  const copy = sandbox.account();
  await copy.restore(await account.snapshot());
  const draws = async (drawing: SandboxAccount) => {
    const seen: number[] = [];
    while (seen.length < 20) seen.push(await start(drawing));
    return seen;
  };
  const drawn = await draws(account);
  expect(new Set(drawn).size).toBe(2);
  expect(await draws(copy)).toEqual(drawn);
});

test.each<[object, string]>([
  [{ outcome: "paid" }, "outcome"],
  [{ on: "nothing" }, "on"],
  [{ outcome: undefined, fault: { latency: "soon" } }, "fault.latency"],
  [{ next: [{ outcome: "paid" }] }, "next.0.outcome"],
])("a snapshot whose rule was forged as %j is refused", async (change, says) => {
  const account = await withRules(sandbox.account());
  const snapshot = await account.snapshot();
  const [id, rule] = Object.entries(snapshot.state.rules ?? {}).at(-1) as [string, object];
  const forged = forgedAt(snapshot, `state.rules.${id}`, { ...rule, next: [], ...change });
  await expect(account.restore(forged)).rejects.toThrow(`state.rules.${id}: ${says} `);
});

test("rules survive a restart", async () => {
  const options = { data: freshFolder(), validateReplies: true };
  const key = "svc_test_rules_restart";
  const first = await startSandbox(options);
  const before = await (await withRules(first.account({ key }))).rules.list();
  await first.close();
  const second = await startSandbox(options);
  const account = second.account({ key });
  expect(await account.rules.list()).toEqual(before);
  expect([await start(account), await start(account), await start(account)]).toEqual([503, 429, 201]);
  await second.close();
});

test("a reset removes all rules", async () => {
  const account = await withRules(sandbox.account());
  await account.reset();
  expect(await account.rules.list()).toEqual([]);
  expect(await start(account)).toBe(201);
});
