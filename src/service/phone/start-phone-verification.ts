import { minute } from "../../time/time.js";
import type { Account } from "../../world/account/account.js";
import { oneTimeCode } from "../one-time-code.js";
import { operation } from "../operation.js";
import { testValueOutcome } from "../test-values.js";
import { codeLength, codeLifetimeMs, phoneVerification } from "./machine.js";
import { requireE164, toTestNumber } from "./phone-numbers.js";
import { PhoneStartBody, PhoneVerification } from "./schemas.js";

const defaultTemplate = "{code} is your {site} code. It expires in {minutes} minutes.";
const site = "Standin";

const withSiteAndMinutes = (form: string): string =>
  form.replaceAll("{site}", site).replaceAll("{minutes}", String(codeLifetimeMs / minute));
const defaultForm = withSiteAndMinutes(defaultTemplate);

/** Returns the text of the message; assumption phone.template. The schema of the request requires a template with `{code}`. */
const fillTemplate = (template: string | undefined, code: string): string =>
  (template === undefined ? defaultForm : withSiteAndMinutes(template)).replaceAll("{code}", code);

const outcomes = {
  sent: "the code is sent",
  sms_failed: "the SMS is not delivered and the charge is refunded",
  expired: "the code expires immediately",
  locked: "the first check locks the id",
};

/** Expires the pending verifications of a phone number. Call inside a commit. */
function expirePending({ clock, records }: Account, phone: string): void {
  for (const verification of records.newest(phoneVerification)) {
    // One that expired at once, by its outcome, may be newer than one that has not.
    if (verification.expires_at <= clock.now() - codeLifetimeMs) return;
    if (verification.phone === phone && verification.state === "pending")
      records.move(phoneVerification, verification, "expire");
  }
}

export const startPhoneVerification = operation({
  id: "startPhoneVerification",
  route: "POST /v1/phone/verify/start",
  summary: "Send a one-time code by SMS",
  description:
    "Charged when the message goes out, and refunded in full if its delivery fails. Test keys send nothing.",
  auth: "key",
  body: PhoneStartBody,
  reply: { 201: PhoneVerification },
  refuses: ["invalid_phone", "invalid_template", "insufficient_balance"],
  outcomes,
  price: "phone_code",
  assumptions: ["phone.notations", "phone.template", "phone.second_code"],

  testValue({ body }) {
    const phone = toTestNumber(body.phone);
    return phone === null ? undefined : testValueOutcome("startPhoneVerification", "phone", phone);
  },

  handle({ account, assumptions, body: { phone, template, reference = null }, outcome, cost }) {
    const number = requireE164("phone", phone);
    if (assumptions["phone.second_code"] === "replaced") expirePending(account, number);
    const code = oneTimeCode(account, number, codeLength);
    const sent = account.records.start(phoneVerification, "send", {
      phone: number,
      code,
      reference,
      expires_at: account.clock.now() + (outcome === "expired" ? 0 : codeLifetimeMs),
      cost,
      is_test: !account.live,
      attempts: 0,
      lock_at_first_check: outcome === "locked",
    });
    if (outcome === "sms_failed") account.wallet.refund("phone_code", cost);
    else
      account.inbox.send({
        channel: "sms",
        to: number,
        from: "Standin",
        text: fillTemplate(template, code),
        codes: [code],
      });
    return phoneVerification.view(sent);
  },
});
