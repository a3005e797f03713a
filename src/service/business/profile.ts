import * as Type from "typebox";
import { operation } from "../operation.js";
import { BusinessProfile, businessProfile } from "./schemas.js";

export const saveBusinessProfile = operation({
  id: "saveBusinessProfile",
  route: "PUT /v1/business/profile",
  summary: "Save the business profile",
  description: "It must be set before creating account numbers or taking payments.",
  auth: "key",
  body: Type.Object(businessProfile),
  reply: { 200: BusinessProfile },
  refuses: ["invalid_phone"],
  assumptions: ["phone.notations", "business.status"],
});
