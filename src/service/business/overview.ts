import { operation } from "../operation.js";
import { Overview } from "./schemas.js";

export const getBusinessOverview = operation({
  id: "getBusinessOverview",
  route: "GET /v1/business/overview",
  summary: "Read limit, balance and fees of the business",
  auth: "key",
  reply: { 200: Overview },
  assumptions: ["business.status", "business.payments", "business.payout"],
});
