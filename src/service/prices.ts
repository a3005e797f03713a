/** The price list (fixtures/prices.json). */
import prices from "../../fixtures/prices.json" with { type: "json" };
import type { Kobo } from "../world/money/money.js";

export interface Price {
  key: string;
  /** Type under which usage and pricing list it. */
  type: string;
  cost: Kobo;
  /** Unit that the price is charged for: "check", "participant-minute". */
  unit: string;
}

export const priceList: readonly Price[] = prices.prices.map(({ key, type, price, unit }) => ({
  key,
  type,
  cost: Math.round(price * 100),
  unit,
}));

const byKey = new Map(priceList.map((price) => [price.key, price]));

/** Returns the price with this key. Throws if the list has none. */
export function priceOf(key: string): Price {
  const price = byKey.get(key);
  if (!price) throw new Error(`fixtures/prices.json has no price ${key}`);
  return price;
}
