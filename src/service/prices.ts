/** The price list, fixtures/prices.json. */
import prices from "../../fixtures/prices.json" with { type: "json" };
import type { Price } from "../contract/price.js";

export const priceList: readonly Price[] = prices.prices.map((row) => ({
  ...row,
  cost: Math.round(row.price * 100),
  channel: row.channel === "dashboard" ? "dashboard" : "api",
}));

const byKey = new Map(priceList.map((price) => [price.key, price]));

/** Returns the price with this key. Throws if the list has none. */
export function priceOf(key: string): Price {
  const price = byKey.get(key);
  if (!price) throw new Error(`fixtures/prices.json has no price ${key}`);
  return price;
}
