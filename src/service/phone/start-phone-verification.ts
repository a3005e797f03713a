import { refuse } from "../../contract/errors.js";
import type { Account } from "../../world/account.js";
import { type Kobo, toNaira } from "../../world/money/money.js";
import { toIso } from "../../world/time/time.js";
import { operation } from "../operation.js";
import { testValueOutcome } from "../test-values.js";
import { codeLifetime, phoneVerification } from "./machine.js";
import { toE164, toTestNumber } from "./phone-numbers.js";
import { PhoneStartBody, PhoneVerification } from "./schemas.js";
import { fillTemplate } from "./sms-template.js";

const outcomes = {
  sent: "the code is sent",
  sms_failed: "the SMS is not delivered and the charge comes back",
  expired: "the code has expired as soon as it is sent",
  locked: "the first check locks the id",
};
type StartOutcome = keyof typeof outcomes;

/** What a start is made of, wherever it comes from: the API at NGN 6, the dashboard at NGN 8. */
export interface PhoneStart {
  phone: string;
  template: string | undefined;
  reference: string | undefined;
  outcome: StartOutcome;
  /** Already taken from the wallet. */
  cost: Kobo;
}

/** Inside a commit. */
export function sendPhoneCode(account: Account, { phone, template, reference, outcome, cost }: PhoneStart) {
  const number = toE164(phone);
  if (number === null) {
    const message = `phone must be a local number starting with 0, such as 08031234567, or E.164, such as +2348031234567; ${JSON.stringify(phone.slice(0, 40))} is neither.`;
    return refuse("invalid_phone", { param: "phone", message });
  }
  const code = account.random.digits(6);
  const filled = fillTemplate(template, code);
  if ("problem" in filled) return refuse("invalid_template", { param: "template", message: filled.problem });

  const delivered = outcome !== "sms_failed";
  const verification = account.records.start(phoneVerification, "send", {
    phone: number,
    code,
    reference: reference ?? null,
    expires_at: account.clock.now() + (outcome === "expired" ? 0 : codeLifetime),
    cost,
    is_test: !account.live,
    attempts: 0,
    lock_at_first_check: outcome === "locked",
  });
  if (delivered)
    account.inbox.send({ channel: "sms", to: number, from: "Standin", text: filled.text, codes: [code] });
  else account.wallet.refund("phone_code", cost);
  return {
    id: verification.id,
    phone: number,
    status: "pending" as const,
    expires_at: toIso(verification.expires_at),
    reference: verification.reference,
    cost: toNaira(verification.cost),
    is_test: verification.is_test,
  };
}

export const startPhoneVerification = operation({
  id: "startPhoneVerification",
  route: "POST /v1/phone/verify/start",
  summary: "Send a one-time code by SMS",
  auth: "key",
  body: PhoneStartBody,
  reply: { 201: PhoneVerification },
  refuses: ["invalid_phone", "invalid_template", "insufficient_balance"],
  outcomes,
  price: "phone_code",
  assumptions: ["phone.notations", "phone.template"],

  testValue({ body }) {
    const phone = toTestNumber(body.phone);
    return phone === null
      ? undefined
      : (testValueOutcome("startPhoneVerification", "phone", phone) as StartOutcome);
  },
  handle: ({ account, body: { phone, template, reference }, outcome, cost }) =>
    sendPhoneCode(account, { phone, template, reference, outcome, cost }),
});
