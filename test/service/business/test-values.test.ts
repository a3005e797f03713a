import { describe, expect, test } from "vitest";
import { testValues } from "../../../src/service/test-values.js";
import type { Reply } from "../../support/sandbox.js";
import { useSandbox } from "../../support/sandbox.js";
import { openShop, type Shop } from "./shop.js";

const sandbox = useSandbox();

const modes = ["test", "live"] as const;
type Mode = (typeof modes)[number];

/** A settled payment of NGN 100,000, by transfer or, on live keys, by card. */
async function settled(shop: Shop, mode: Mode): Promise<string> {
  if (mode === "test") return shop.settledTransfer(100_000);
  const id = await shop.cardPayment(100_000);
  await shop.account.advance("24h");
  return id;
}

const recordStatus = async (shop: Shop, id: string) => (await shop.account.records.get(id)).record.status;

/** Sends a request with the test value and returns the reply and the record's state after a minute. */
const senders: Record<
  string,
  (shop: Shop, value: string, mode: Mode) => Promise<{ reply: Reply; left: unknown }>
> = {
  "simulatePayment kobo": async (shop, value) => {
    const body = { virtual_account_id: await shop.number, amount: Number(`10200${value}`) };
    const reply = await shop.ask("POST", "/test/simulate-payment", body);
    await shop.account.advance("1m");
    return { reply, left: (await shop.payment(reply.body.payment_id)).status };
  },
  "createPayout kobo": async (shop, value, mode) => {
    await settled(shop, mode);
    await shop.setPayoutAccount("0143728169");
    const reply = await shop.ask("POST", "/payouts", { amount: Number(`10200${value}`) });
    await shop.account.advance("1m");
    return { reply, left: await recordStatus(shop, reply.body.id) };
  },
  "createPayout payout account": async (shop, value, mode) => {
    await settled(shop, mode);
    await shop.setPayoutAccount(value);
    const reply = await shop.ask("POST", "/payouts", { amount: 10_200 });
    await shop.account.advance("1m");
    return { reply, left: await recordStatus(shop, reply.body.id) };
  },
  "createRefund kobo": async (shop, value, mode) => {
    const body = {
      payment_id: await settled(shop, mode),
      amount: Number(`10200${value}`),
      reason: "Returned",
    };
    const reply = await shop.ask("POST", "/refunds", body);
    await shop.account.advance("1m");
    return { reply, left: await recordStatus(shop, reply.body.id) };
  },
  "setPayoutAccount account number": async (shop, value) => {
    const body = { bank_code: "058", account_number: value };
    const reply = await shop.ask("PUT", "/payout-account", body);
    return {
      reply,
      left: reply.status === 200 ? reply.body.account_number === value : reply.body.error.code,
    };
  },
};

/** Result of each value: the record's status, an error code, or true for an account that is set. */
const designed: Record<string, Record<string, unknown>> = {
  "simulatePayment kobo": { ".05": "failed", ".59": "held", ".68": "pending" },
  "createPayout kobo": { ".05": "failed", ".57": "rejected", ".68": "requested" },
  "createPayout payout account": {
    "1111111111": "paid",
    "3333333333": "failed",
    "4444444444": "failed",
    "6666666666": "rejected",
  },
  "createRefund kobo": { ".05": "failed", ".57": "rejected", ".68": "requested" },
  "setPayoutAccount account number": {
    "0000000000": true,
    "0000000001": "account_not_resolved",
    "0000000002": true,
    "0000000003": "provider_unavailable",
    "0000000004": true,
    "0000000007": "provider_timeout",
    "0000000008": "rate_limited",
    "0000000009": "internal_error",
  },
};

const operations = ["createPayout", "createRefund", "simulatePayment", "setPayoutAccount"];

const values = testValues.flatMap(({ where, value, operations: all, outcome }) =>
  all
    .filter((operation) => operations.includes(operation))
    .map((operation) => ({ place: `${operation} ${where}`, value, outcome })),
);

test("the table above has exactly the values of fixtures/test-values.json", () => {
  const inFixture: Record<string, string[]> = {};
  for (const { place, value } of values) inFixture[place] = [...(inFixture[place] ?? []), value];
  const inTable = Object.entries(designed).map(([place, byValue]) => [place, Object.keys(byValue).sort()]);
  expect(Object.fromEntries(Object.entries(inFixture).map(([place, all]) => [place, all.sort()]))).toEqual(
    Object.fromEntries(inTable),
  );
});

describe.each(modes)("on a %s key", (mode) => {
  const there = values.filter(({ place }) => mode === "test" || !place.startsWith("simulatePayment"));

  test.each(there.map(({ place, value, outcome }) => [place, value, outcome] as const))(
    "%s %s asks for %s",
    async (place, value, outcome) => {
      const shop = await openShop(sandbox.account({ mode }));
      const { reply, left } = (await senders[place]?.(shop, value, mode)) ?? {};
      expect(reply?.headers.get("X-Sandbox-Outcome")).toBe(`${outcome}; by=test-value`);
      expect(left).toBe(designed[place]?.[value]);
    },
  );
});

describe("the kobo of an amount select nothing", () => {
  test.each([
    ["of no multiple of NGN 100", 10_250.05],
    ["one naira off a multiple", 10_201.05],
    ["of other kobo", 10_200.06],
    ["of five kobo read as fifty", 10_200.5],
    ["of a payout's or refund's value", 10_200.57],
  ])("%s", async (_which, amount) => {
    const shop = await openShop(sandbox.account());
    expect((await shop.transfer(amount)).status).toBe("success");
  });

  test("of a transfer's value in a payout", async () => {
    const shop = await openShop(sandbox.account());
    const { reply, left } = (await senders["createPayout kobo"]?.(shop, ".59", "test")) ?? {};
    expect(reply?.headers.get("X-Sandbox-Outcome")).toBe("paid; by=default");
    expect(left).toBe("paid");
  });
});

test("a rule takes precedence over the kobo of a transfer, and the header over the rule", async () => {
  const shop = await openShop(sandbox.account());
  await shop.account.rules.add({ on: "simulatePayment", outcome: "success" });
  expect((await shop.transfer(10_200.05)).status).toBe("success");
  expect((await shop.transfer(10_200.05, "pending")).status).toBe("pending");
});
