import * as Type from "typebox";
import { refuse } from "../../contract/errors.js";
import type { Account } from "../../world/account/account.js";
import { operation } from "../operation.js";
import { requireE164 } from "../phone/phone-numbers.js";
import { BusinessProfile, businessProfile, businessRecords } from "./schemas.js";

type Profile = Type.Static<typeof BusinessProfile>;

export const findProfile = ({ state }: Account): Profile | null =>
  state.get(businessRecords, "profile") ?? null;

/** Returns the profile, which account numbers and payments need. Refuses with business_profile_required if there is none. */
export const requireProfile = (account: Account): Profile =>
  findProfile(account) ??
  refuse("business_profile_required", {
    message:
      "Save the business profile first: PUT /v1/business/profile {business_name, business_type, contact_phone}.",
  });

export const saveBusinessProfile = operation({
  id: "saveBusinessProfile",
  route: "PUT /v1/business/profile",
  summary: "Save the business profile",
  description: "The profile must be set before creating account numbers or taking payments.",
  auth: "key",
  body: Type.Object(businessProfile),
  reply: { 200: BusinessProfile },
  refuses: ["invalid_phone"],
  assumptions: ["phone.notations", "business.status", "business.profile"],

  handle({ account, body: { business_name, business_type, contact_phone } }) {
    requireE164("contact_phone", contact_phone);
    const profile: Profile = { business_name, business_type, contact_phone };
    account.state.put(businessRecords, "profile", profile);
    return profile;
  },
});
