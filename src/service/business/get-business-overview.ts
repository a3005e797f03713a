import { toNaira } from "../../world/money/money.js";
import { operation } from "../operation.js";
import { flatFee, percent, percentFrom, receivedBy, receiveLimit, remainingOf } from "./fees-and-limits.js";
import { findProfile } from "./save-business-profile.js";
import { Overview } from "./schemas.js";

export const getBusinessOverview = operation({
  id: "getBusinessOverview",
  route: "GET /v1/business/overview",
  summary: "Get limit, balance and fees of the business",
  description: "Amounts are in NGN. The receive limit applies until the business certificate is verified.",
  auth: "key",
  reply: { 200: Overview },
  assumptions: ["business.status", "business.payments", "business.payout"],

  handle({ account }) {
    const { ledger } = account;
    const [pending, available] = [ledger.balance("pending"), ledger.balance("available")];
    const remaining = remainingOf(account);
    return {
      status: findProfile(account) ? ("active" as const) : ("setup_required" as const),
      business_verified: account.settings.business_verified,
      limit: toNaira(receiveLimit),
      received: toNaira(receivedBy(account)),
      remaining: remaining === null ? null : toNaira(remaining),
      balance: toNaira(pending + available),
      available: toNaira(available),
      pending: toNaira(pending),
      held: toNaira(ledger.balance("held")),
      fees_charged: toNaira(ledger.balance("fees")),
      fees: { flat: toNaira(flatFee), percent_from: toNaira(percentFrom), percent },
      live: account.live,
    };
  },
});
