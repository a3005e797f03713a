/** Interface: "Account": balance, usage and pricing. The replies of usage and pricing are assumptions of the same names. */

import * as Type from "typebox";
import { type Kobo, toNaira } from "../../contract/money.js";
import { Currency, DateOnly, exactly, naira } from "../../contract/schemas.js";
import { operation } from "../operation.js";
import { priceList } from "../prices.js";

export const Balance = exactly({
  balance: naira(),
  currency: Currency,
  low_balance: Type.Boolean(),
  free_tier_remaining: Type.Integer({ minimum: 0, description: "Calls left this month" }),
});

/** Threshold of `low_balance`: NGN 1,000. */
const lowBalanceThreshold: Kobo = 100_000;

export const getBalance = operation({
  id: "getBalance",
  route: "GET /v1/balance",
  summary: "Get the wallet balance",
  description: "The wallet that pays for calls. It is separate from the business balance.",
  auth: "key",
  reply: { 200: Balance },
  assumptions: ["balance", "charging"],

  handle({ account }) {
    const { balance } = account.wallet;
    return {
      balance: toNaira(balance),
      currency: "NGN" as const,
      low_balance: balance < lowBalanceThreshold,
      free_tier_remaining: account.freeTier.left,
    };
  },
});

const UsageItem = exactly({
  date: DateOnly,
  type: Type.String(),
  count: Type.Integer({ minimum: 0 }),
  cost: naira(),
});

export const Usage = exactly(
  {
    from: DateOnly,
    to: DateOnly,
    currency: Currency,
    total_calls: Type.Integer({ minimum: 0 }),
    total_cost: naira(),
    items: Type.Array(UsageItem),
  },
  { "x-assumption": "usage" },
);

export const getUsage = operation({
  id: "getUsage",
  route: "GET /v1/usage",
  summary: "Get usage between two dates",
  description: "Dates are UTC and inclusive.",
  auth: "key",
  query: Type.Object({ from: DateOnly, to: DateOnly }),
  reply: { 200: Usage },
  refuses: ["validation_error"],

  handle({ account, query: { from, to }, refuse }) {
    if (from > to) {
      refuse("validation_error", {
        param: "from",
        message: `from must not be after to; ${from} is after ${to}.`,
      });
    }
    const items = account.wallet
      .usageDays(from, to)
      .flatMap(([date, day]) =>
        Object.entries(day).map(([type, { count, cost }]) => ({ date, type, count, cost })),
      );
    const total = (field: "count" | "cost") => items.reduce((sum, item) => sum + item[field], 0);
    return {
      from,
      to,
      currency: "NGN" as const,
      total_calls: total("count"),
      total_cost: toNaira(total("cost")),
      items: items.map((item) => ({ ...item, cost: toNaira(item.cost) })),
    };
  },
});

// Interface: "Account". The replies of usage and pricing are assumptions of the same names.

const Price = exactly({
  type: Type.String(),
  price: naira(),
  unit: Type.String({ description: "Unit that the price is charged for", examples: ["check"] }),
  channel: Type.Enum(["api", "dashboard"], { description: "Where the call is made that has this price" }),
});

export const Pricing = exactly(
  { currency: Currency, prices: Type.Array(Price) },
  { "x-assumption": "pricing" },
);

export const getPricing = operation({
  id: "getPricing",
  route: "GET /v1/pricing",
  summary: "Get the price of each verification type",
  description: "Prices are in NGN.",
  auth: "key",
  reply: { 200: Pricing },
  handle: () => ({
    currency: "NGN" as const,
    prices: priceList.map(({ type, cost, unit, channel }) => ({ type, price: toNaira(cost), unit, channel })),
  }),
});
