import { toNaira } from "../../world/money/money.js";
import { operation } from "../operation.js";
import { Balance } from "./schemas.js";

/** Below NGN 1,000 the balance is low. */
const lowBelow = 100_000;

export const getBalance = operation({
  id: "getBalance",
  route: "GET /v1/balance",
  summary: "Read the wallet that calls are paid from",
  auth: "key",
  reply: { 200: Balance },

  handle({ account }) {
    const { balance } = account.wallet;
    return {
      balance: toNaira(balance),
      currency: "NGN" as const,
      low_balance: balance < lowBelow,
      free_tier_remaining: account.freeTier.left,
    };
  },
});
