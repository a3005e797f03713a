import { operation } from "../operation.js";
import { Pricing } from "./schemas.js";

export const getPricing = operation({
  id: "getPricing",
  route: "GET /v1/pricing",
  summary: "Read what each verification type costs",
  auth: "key",
  reply: { 200: Pricing },
});
