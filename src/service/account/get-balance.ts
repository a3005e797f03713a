import { type Kobo, toNaira } from "../../world/money/money.js";
import { operation } from "../operation.js";
import { Balance } from "./schemas.js";

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
