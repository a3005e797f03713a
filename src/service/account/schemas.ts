/** Interface: "Account". The replies of usage and pricing are assumptions of the same names. */
import * as Type from "typebox";
import { Currency, DateOnly, exactly, naira } from "../../contract/schemas.js";

export const Balance = exactly({
  balance: naira(),
  currency: Currency,
  low_balance: Type.Boolean(),
  free_tier_remaining: Type.Integer({ minimum: 0, description: "Calls left this month" }),
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
