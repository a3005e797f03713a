import { toNaira } from "../../world/money/money.js";
import { operation } from "../operation.js";
import { priceList } from "../prices.js";
import { Pricing } from "./schemas.js";

export const getPricing = operation({
  id: "getPricing",
  route: "GET /v1/pricing",
  summary: "Get the price of each verification type",
  description: "Prices are in NGN.",
  auth: "key",
  reply: { 200: Pricing },
  assumptions: ["pricing"],
  handle: () => ({
    currency: "NGN" as const,
    prices: priceList.map(({ type, cost, unit, channel }) => ({ type, price: toNaira(cost), unit, channel })),
  }),
});
