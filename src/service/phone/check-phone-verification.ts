import * as Type from "typebox";
import type { Assumptions } from "../../contract/assumptions.js";
import { refuse } from "../../contract/errors.js";
import { coded } from "../../contract/schemas.js";
import type { Account } from "../../world/account.js";
import type { Stored } from "../../world/machine.js";
import { neededRecord } from "../account-records.js";
import { operation } from "../operation.js";
import { type PhoneVerificationFields, phoneVerification, wrongTries } from "./machine.js";
import { PhoneCheck, type PhoneStatus } from "./schemas.js";

type Verification = Stored<PhoneVerificationFields>;

/** Switch `refused` of assumption phone.ended. */
function refuseEnded({ clock }: Account, { id, state, expires_at }: Verification): void {
  const start = "POST /v1/phone/verify/start sends another code.";
  if (state === "max_attempts_reached")
    refuse("too_many_attempts", { param: "id", message: `${id} was tried too often; ${start}` });
  if (state === "expired" || (state === "pending" && clock.now() >= expires_at))
    refuse("code_expired", { param: "id", message: `The code of ${id} has expired; ${start}` });
}

/** Makes the moves that a try brings about; true when the code is right. */
function tryCode(account: Account, verification: Verification, code: string, inForce: Assumptions): boolean {
  const { records } = account;
  const right = code === verification.code;
  // assumption phone.code_reuse: the right code goes on being right once it has verified, or is used up.
  if (verification.state === "verified") return right && inForce["phone.code_reuse"] === "again";
  if (verification.state !== "pending") return false;
  if (account.clock.now() >= verification.expires_at) {
    records.move(phoneVerification, verification, "expire");
    return false;
  }
  if (verification.lock_at_first_check) {
    records.move(phoneVerification, verification, "lock");
    return false;
  }
  if (right) {
    records.move(phoneVerification, verification, "verify");
    return true;
  }
  verification.attempts++;
  if (verification.attempts >= wrongTries) records.move(phoneVerification, verification, "lock");
  else records.save(phoneVerification, verification);
  return false;
}

export const checkPhoneVerification = operation({
  id: "checkPhoneVerification",
  route: "POST /v1/phone/verify/check",
  summary: "Check the code that the user typed",
  auth: "key",
  body: Type.Object({
    id: Type.String({ description: "The id that start answered with" }),
    code: Type.String({ pattern: "^[0-9]{6}$", ...coded("validation_error", "a string of six digits") }),
  }),
  reply: { 200: PhoneCheck },
  refuses: ["resource_not_found", "code_expired", "too_many_attempts"],
  assumptions: ["phone.states", "phone.ended", "phone.code_reuse"],

  handle({ account, assumptions, body }) {
    const verification = neededRecord(account, phoneVerification, {
      id: body.id,
      param: "id",
      what: "phone verification",
      hint: "use the id that POST /v1/phone/verify/start answered with",
    });
    if (assumptions["phone.ended"] === "refused") refuseEnded(account, verification);
    const verified = tryCode(account, verification, body.code, assumptions);
    return {
      id: verification.id,
      phone: verification.phone,
      status: verification.state as PhoneStatus,
      verified,
      reference: verification.reference,
    };
  },
});
