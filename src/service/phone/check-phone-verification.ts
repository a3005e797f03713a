import * as Type from "typebox";
import { refuse } from "../../contract/errors.js";
import { coded } from "../../contract/schemas.js";
import type { Account } from "../../world/account/account.js";
import { expireIfDue, requireRecord } from "../account-records.js";
import type { Assumptions } from "../assumptions.js";
import { operation } from "../operation.js";
import { maxWrongCodes, type PhoneVerificationRecord, phoneVerification } from "./machine.js";
import { PhoneCheck } from "./schemas.js";

/** Refuses an expired or locked id, under the switch `refused` of assumption phone.ended. */
function refuseEnded({ clock }: Account, { id, state, expires_at }: PhoneVerificationRecord): void {
  const hint = "request a new code with POST /v1/phone/verify/start.";
  if (state === "max_attempts_reached")
    refuse("too_many_attempts", {
      param: "id",
      message: `${id} is locked after too many wrong codes; ${hint}`,
    });
  if (state === "expired" || (state === "pending" && clock.now() >= expires_at))
    refuse("code_expired", { param: "id", message: `The code of ${id} has expired; ${hint}` });
}

/** Applies one attempt and returns whether it verifies the phone. Call inside a commit. */
function tryCode(
  account: Account,
  verification: PhoneVerificationRecord,
  code: string,
  assumptions: Assumptions,
): boolean {
  const { records } = account;
  const isCorrect = code === verification.code;
  // assumption phone.code_reuse: whether the code stays correct after it has verified the phone.
  if (verification.state === "verified") return isCorrect && assumptions["phone.code_reuse"] === "again";
  if (expireIfDue(account, phoneVerification, verification).state !== "pending") return false;
  if (verification.lock_at_first_check) {
    records.move(phoneVerification, verification, "lock");
    return false;
  }
  if (isCorrect) {
    records.move(phoneVerification, verification, "verify");
    return true;
  }
  verification.attempts++;
  if (verification.attempts >= maxWrongCodes) records.move(phoneVerification, verification, "lock");
  else records.save(phoneVerification, verification);
  return false;
}

export const checkPhoneVerification = operation({
  id: "checkPhoneVerification",
  route: "POST /v1/phone/verify/check",
  summary: "Check the code that the user typed",
  description: "Free. A wrong code is not an error: verified is false.",
  auth: "key",
  isHarmless: true,
  body: Type.Object({
    id: Type.String({
      description: "Id returned by POST /v1/phone/verify/start",
      examples: ["phv_0123456789abcdef"],
    }),
    code: Type.String({
      pattern: "^[0-9]{6}$",
      examples: ["482913"],
      ...coded("validation_error", "a string of six digits"),
    }),
  }),
  reply: { 200: PhoneCheck },
  refuses: ["resource_not_found", "code_expired", "too_many_attempts"],
  refusesWhile: [
    { assumption: "phone.ended", value: "refused", codes: ["code_expired", "too_many_attempts"] },
  ],
  assumptions: ["phone.states", "phone.code_reuse"],

  handle({ account, assumptions, body }) {
    const verification = requireRecord(account, phoneVerification, {
      id: body.id,
      param: "id",
      noun: "phone verification",
      hint: "use the id returned by POST /v1/phone/verify/start",
    });
    if (assumptions["phone.ended"] === "refused") refuseEnded(account, verification);
    const verified = tryCode(account, verification, body.code, assumptions);
    const { id, phone, status, reference } = phoneVerification.view(verification);
    const isRenamed =
      assumptions["phone.states"] === "failed" && status !== "pending" && status !== "verified";
    return { id, phone, status: isRenamed ? "failed" : status, verified, reference };
  },
});
