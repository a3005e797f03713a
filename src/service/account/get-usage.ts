import * as Type from "typebox";
import { DateOnly } from "../../contract/schemas.js";
import { toNaira } from "../../world/money/money.js";
import { operation } from "../operation.js";
import { Usage } from "./schemas.js";

export const getUsage = operation({
  id: "getUsage",
  route: "GET /v1/usage",
  summary: "Get usage between two dates",
  description: "Dates are UTC and inclusive.",
  auth: "key",
  query: Type.Object({ from: DateOnly, to: DateOnly }),
  reply: { 200: Usage },
  refuses: ["validation_error"],
  assumptions: ["fields.unmarked", "usage"],

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
