/** Interface: "Phone verification": its record, its states and transitions, and its two operations. */
import * as Type from "typebox";
import { refuse } from "../../contract/errors.js";
import { coded, e164, exactly, id, naira, nullable, Timestamp } from "../../contract/schemas.js";
import { minute } from "../../time/time.js";
import type { Account } from "../../world/account/account.js";
import type { RecordIn } from "../../world/records/machine.js";
import { expireIfDue, requireRecord } from "../account-records.js";
import { type Assumptions, whileIn } from "../assumptions.js";
import { machine, record } from "../machine.js";
import { PhoneNumber, requireE164, toTestNumber } from "../numbers.js";
import { oneTimeCode } from "../one-time-code.js";
import { operation } from "../operation.js";
import { testValueOutcome } from "../test-values.js";

const PhoneStatus = Type.Enum(["pending", "verified", "expired", "max_attempts_reached"], {
  "x-assumption": "phone.states",
});

/** Status in the reply to a check. */
const CheckedStatus = Type.Unsafe<Type.Static<typeof PhoneStatus> | "failed">({
  ...PhoneStatus,
  ...whileIn("phone.states", "failed", Type.Enum(["pending", "verified", "failed"])),
});

const shared = {
  id: id("phv_"),
  phone: e164,
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

// Interface: "Phone verification" in States and transitions. Names of the final states: assumption phone.states.

/** Number of digits of a code. */
export const codeLength = 6;
export const codeLifetimeMs = 10 * minute;
/** Number of wrong codes that lock a verification. */
export const maxWrongCodes = 5;

export const phoneRecord = record(PhoneVerification, {
  first: ["id", "phone", "status", "expires_at"],
  hidden: {
    code: Type.String(),
    /** Number of wrong codes so far. */
    attempts: Type.Integer(),
    /** Whether the first check locks the id, whatever the code: outcome `locked`. */
    lock_at_first_check: Type.Boolean(),
  },
});
export type PhoneVerificationRecord = RecordIn<typeof phoneRecord>;

export const phoneVerification = machine(phoneRecord, {
  name: "phone_verification",
  prefix: "phv_",
  moves: {
    send: { from: "new", to: "pending", says: ({ phone }) => `A code was sent to ${phone}.` },
    verify: {
      from: "pending",
      to: "verified",
      says: ({ phone }) => `The phone number ${phone} was verified.`,
    },
    expire: {
      from: "pending",
      to: "expired",
      at: (record) => record.expires_at,
      due: ({ phone }) => `The code for ${phone} expires.`,
      says: ({ phone }) => `The code for ${phone} expired.`,
    },
    lock: {
      from: "pending",
      to: "max_attempts_reached",
      says: ({ phone }) => `The verification of ${phone} was locked: too many wrong codes.`,
    },
  },
});

const defaultTemplate = "{code} is your {site} code. It expires in {minutes} minutes.";
const site = "Standin";

/** Returns the text of the message; assumption phone.template. The schema of the request requires a template with `{code}`. */
const fillTemplate = (template: string, code: string): string =>
  template
    .replaceAll("{site}", site)
    .replaceAll("{minutes}", String(codeLifetimeMs / minute))
    .replaceAll("{code}", code);

const outcomes = {
  sent: "the code is sent",
  sms_failed: "the SMS is not delivered and the charge is refunded",
  expired: "the code expires immediately",
  locked: "the first check locks the id",
};

/** Expires the pending verifications of a phone number. Call inside a commit. */
function expirePending({ clock, records }: Account, phone: string): void {
  for (const verification of records.newest(phoneVerification)) {
    // A code that expired immediately, by its outcome, may be newer than one that is still pending.
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
  refuses: ["invalid_phone", "invalid_template"],
  outcomes,
  price: "phone_code",
  assumptions: ["phone.notations", "phone.template", "phone.second_code"],

  testValue({ body }) {
    const phone = toTestNumber(body.phone);
    return phone === null ? undefined : testValueOutcome("startPhoneVerification", "phone", phone);
  },

  handle({
    account,
    assumptions,
    body: { phone, template = defaultTemplate, reference = null },
    outcome,
    cost,
  }) {
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
        from: site,
        text: fillTemplate(template, code),
        codes: [code],
      });
    return phoneVerification.view(sent);
  },
});

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
  refuses: ["resource_not_found"],
  refusesWhile: [
    { assumption: "phone.ended", value: "refused", codes: ["code_expired", "too_many_attempts"] },
  ],
  assumptions: ["phone.code_reuse"],

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
