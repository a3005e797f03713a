/** The price list (fixtures/prices.json): what a call costs and under which type the usage counts it. */
import prices from "../../fixtures/prices.json" with { type: "json" };
import type { Kobo } from "../world/money/money.js";

export interface Price {
  key: string;
  /** Type in usage and pricing. */
  type: string;
  cost: Kobo;
  unit: string;
}

export const priceList: readonly Price[] = prices.prices.map(({ key, type, price, unit }) => ({
  key,
  type,
  cost: Math.round(price * 100),
  unit,
}));

const byKey = new Map(priceList.map((price) => [price.key, price]));

export function priceOf(key: string): Price {
  const price = byKey.get(key);
  if (!price) throw new Error(`fixtures/prices.json has no price ${key}`);
  return price;
}
