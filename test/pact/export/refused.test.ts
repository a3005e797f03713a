import { beforeAll, describe, expect, test } from "vitest";
import type { ExportedPact, SandboxAccount } from "../../../src/index.js";
import type { InteractionResult } from "../../../src/pact/verify/interaction-results.js";
import { call, post, useListeningSandbox } from "../../support/sandbox.js";
import { verify } from "./verified.js";

const sandbox = useListeningSandbox();

describe("recorded refusals are given again", () => {
  const recordings: readonly [what: string, work: (account: SandboxAccount) => Promise<unknown>][] = [
    [
      "a number in another notation",
      async (account) => {
        const { id } = (await post(account, "/v1/wa/channels", { label: "Desk" })).body;
        await call(account, "POST", `/v1/wa/channels/${id}/connect`);
        await account.moves.channel(id, "scan");
        await post(account, `/v1/wa/channels/${id}/send`, { to: "+2348095551234", text: "Hi" });
        await post(account, `/v1/wa/channels/${id}/otp/verify`, { to: "+2348095551234", code: "123456" });
      },
    ],
    [
      "an id of another type",
      (account) => post(account, "/v1/phone/verify/check", { id: 123, code: "123456" }),
    ],
    [
      "a payment's id of another type",
      async (account) => {
        await post(account, "/v1/business/refunds", { payment_id: 5, amount: 500 });
        await post(account, "/v1/business/test/simulate-payment", { virtual_account_id: 5, amount: 500 });
      },
    ],
    [
      "an unknown account number",
      async (account) => {
        await account.scenario.load({ name: "ready", given: { business: {} } });
        const body = { virtual_account_id: "va_0123456789abcdef", amount: 500 };
        await post(account, "/v1/business/test/simulate-payment", body);
      },
    ],
    [
      "what was free once",
      async (account) => {
        await post(account, "/v1/audits", { url: "https://shop.example.com" });
        await post(account, "/v1/media-scan/text", { text: "I sell yams at the market. ".repeat(80) });
        await account.update({ balance: 0 });
        await post(account, "/v1/audits", { url: "https://shop.example.com" });
        await post(account, "/v1/media-scan/text", { text: "I sell yams at the market. ".repeat(80) });
        await call(account, "GET", "/v1/media-scan");
      },
    ],
    [
      "more than was paid",
      async (account) => {
        await account.scenario.load({
          name: "paid",
          given: { business: {}, payments: [{ amount: 149 }, { amount: 4_000 }] },
        });
        const { payments } = (await call(account, "GET", "/v1/business/payments")).body;
        for (const { payment_id, amount } of payments)
          await post(account, "/v1/business/refunds", { payment_id, amount: amount + 1 });
        await account.update({ balance: 0 });
      },
    ],
    [
      "payments by their status",
      async (account) => {
        await account.scenario.load({
          name: "paid",
          given: { business: {}, payments: [{ amount: 4_000 }, { amount: 6_000_000, outcome: "held" }] },
        });
        for (const status of ["success", "held", "failed", "lost"])
          await call(account, "GET", `/v1/business/payments?status=${status}`);
      },
    ],
  ];

  /** Results of the interactions of each recording, which are verified together. */
  const results = new Map<string, InteractionResult[]>();
  beforeAll(async () => {
    const pacts: ExportedPact["pact"][] = [];
    for (const [, work] of recordings) {
      const account = sandbox.account();
      await work(account);
      pacts.push((await account.pact()).pact);
    }
    const interactions = pacts.flatMap((pact) => pact.interactions);
    const report = await verify({ ...(pacts[0] as ExportedPact["pact"]), interactions });
    for (const [at, [what]] of recordings.entries())
      results.set(what, report.interactions.splice(0, pacts[at]?.interactions.length));
  });

  test.each(recordings.map(([what]) => what))("%s", (what) => {
    const interactions = results.get(what) ?? [];
    expect(interactions.length).toBeGreaterThan(0);
    for (const { result, problems } of interactions) expect([result, problems]).toEqual(["passed", []]);
  });

  test("a request for an unknown outcome is left out, with the reason", async () => {
    const account = sandbox.account();
    await post(account, "/v1/phone/verify/start", { phone: "1" }, { "X-Sandbox-Outcome": "nonesuch" });
    const { pact, left_out } = await account.pact();
    expect([pact.interactions, left_out]).toEqual([[], [expect.stringContaining("an unknown outcome")]]);
  });
});
