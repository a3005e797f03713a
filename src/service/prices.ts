/** The price list, fixtures/prices.json. */
import prices from "../../fixtures/prices.json" with { type: "json" };

/** An entry of the price list, fixtures/prices.json. */
export interface Price {
  readonly key: string;
  /** Type of call in usage and pricing. */
  readonly type: string;
  /** Price in naira. */
  readonly price: number;
  /** Price in kobo. */
  readonly cost: number;
  readonly unit: string;
  /** Where the call that has this price is made: by API key, or in the dashboard. */
  readonly channel: "api" | "dashboard";
  /** Source of the price: `interface` or `assumption`. */
  readonly source: string;
}

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
