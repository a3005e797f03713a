import { controlRoutes } from "../contract/control-routes.js";
import { PhoneStartBody, PhoneVerification } from "../service/phone/schemas.js";
import { startPhoneVerification } from "../service/phone/start-phone-verification.js";
import { operation } from "./operation.js";

export const startPhoneFromDashboard = operation({
  id: "startPhoneFromDashboard",
  route: controlRoutes.startPhoneFromDashboard,
  summary: "Send a phone code as the dashboard does, for NGN 8",
  auth: "control",
  body: PhoneStartBody,
  reply: { 201: PhoneVerification },
  refuses: [
    "invalid_phone",
    "invalid_template",
    "insufficient_balance",
    "internal_error",
    "provider_unavailable",
    "provider_timeout",
    "rate_limited",
  ],
  handle: ({ account, body, sandbox }) =>
    sandbox.call(account, startPhoneVerification, {
      body,
      actor: "control",
      priceKey: "phone_code_dashboard",
    }),
});
