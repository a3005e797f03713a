import * as Type from "typebox";
import { coded, exactly, id, naira, nullable, Timestamp } from "../../contract/schemas.js";
import { whileIn } from "../assumptions.js";
import { PhoneNumber } from "../numbers.js";

export const PhoneStatus = Type.Enum(["pending", "verified", "expired", "max_attempts_reached"], {
  "x-assumption": "phone.states",
});

/** Status in the reply to a check. */
const CheckedStatus = Type.Unsafe<Type.Static<typeof PhoneStatus> | "failed">({
  ...PhoneStatus,
  ...whileIn("phone.states", "failed", Type.Enum(["pending", "verified", "failed"])),
});

const shared = {
  id: id("phv_"),
  phone: Type.String({ description: "E.164", examples: ["+2348031234567"] }),
  status: PhoneStatus,
  reference: nullable(Type.String(), {
    description: "The caller's value; null if none was sent",
    "x-assumption": "replies",
  }),
};

/** Interface: "Phone verification"; the fields of the start response. */
export const PhoneVerification = exactly({
  ...shared,
  expires_at: Timestamp,
  cost: naira(),
  is_test: Type.Boolean(),
});

/** The check response: adds `verified`, and has neither expiry nor cost. */
export const PhoneCheck = exactly({ ...shared, status: CheckedStatus, verified: Type.Boolean() });

export const PhoneStartBody = Type.Object({
  phone: PhoneNumber,
  template: Type.Optional(
    Type.String({
      pattern: "\\{code\\}",
      description: "Must contain {code}; may contain {site} and {minutes}",
      ...coded("invalid_template", "a text that contains {code}"),
      examples: ["{code} is your code for {site}."],
    }),
  ),
  reference: Type.Optional(Type.String({ description: "Returned as sent" })),
});
