/** Payments that have come in, whatever their amount. */

import type { Given } from "../../scenarios/given.js";
import { payment } from "../../service/business/machines/payment.js";
import { amountIn, fitsLimit } from "../../service/business/money.js";
import { leastTransfer, mostTransfer } from "../../service/business/schemas.js";
import type { Account } from "../../world/account.js";

/**
 * A successful payment of so much naira: its kobo ask for nothing, and where it is above the receive limit the business
 * is verified first. Throws what the amount would have to be.
 */
export function received(state: string, account: Account, naira: number, more: object = {}): Given {
  const amount = amountIn(naira, leastTransfer, mostTransfer);
  const paid = { payments: [{ amount: naira, outcome: "success", ...more }] };
  if (fitsLimit(account, amount)) return paid;
  if (isLimitHolding(account)) {
    const why = "so much is above the receive limit, and verifying the business releases what is held";
    throw new Error(`${why}; name ${state} before a held payment`);
  }
  return { account: { business_verified: true }, ...paid };
}

const isLimitHolding = ({ records }: Account): boolean =>
  [...records.newest(payment, '"state":"held"')].some(({ holds }) => holds.includes("limit"));
