/** Limits that no schema states: they show only after some calls, after some time or with a long video (interface: "Limits"). */

import { toNaira } from "../contract/money.js";
import { minute } from "../time/time.js";
import { confirmLinkLifetimeMs } from "./address/check.js";
import { receiveLimit } from "./business/ledger.js";
import {
  defaultLength as codeDigits,
  defaultCodeTtlMinutes as codeTtlMinutes,
  maxPerDay,
  maxPerHour,
  maxWrongTries,
} from "./channels/codes.js";
import { defaultQuestionTtlMinutes as questionTtlMinutes } from "./channels/identity-questions.js";
import { maxDurationSeconds } from "./media/videos.js";
import { codeLength, codeLifetimeMs, maxWrongCodes } from "./phone/phone.js";
import { tokenLifetimeMs } from "./sessions/sessions.js";

export interface BehaviourLimit {
  /** The counted quantity, with its unit. */
  readonly about: string;
  readonly value: number;
  /** The operation that shows it. */
  readonly operation: string;
  /** Maximum number of charged calls that show it, by key of fixtures/prices.json. */
  readonly charges?: Readonly<Record<string, number>>;
}

export const behaviourLimits = {
  "phone.tries": {
    about: "wrong codes until a phone verification is locked",
    value: maxWrongCodes,
    operation: "checkPhoneVerification",
    charges: { phone_code: 1 },
  },
  "phone.digits": {
    about: "digits of a phone code",
    value: codeLength,
    operation: "startPhoneVerification",
    charges: { phone_code: 1 },
  },
  "phone.minutes": {
    about: "minutes for which a phone code is valid",
    value: codeLifetimeMs / minute,
    operation: "startPhoneVerification",
    charges: { phone_code: 1 },
  },
  "channel_code.tries": {
    about: "wrong codes until a code of a channel is locked",
    value: maxWrongTries,
    operation: "checkChannelCode",
  },
  "channel_code.digits": {
    about: "digits of a code of a channel by default",
    value: codeDigits,
    operation: "sendChannelCode",
  },
  "channel_code.per_hour": {
    about: "codes that a channel sends to one person in an hour",
    value: maxPerHour,
    operation: "sendChannelCode",
  },
  "channel_code.per_day": {
    about: "codes that a channel sends to one person in a day",
    value: maxPerDay,
    operation: "sendChannelCode",
  },
  "channel_code.minutes": {
    about: "minutes for which a code of a channel is valid by default",
    value: codeTtlMinutes,
    operation: "sendChannelCode",
  },
  "identity_check.minutes": {
    about: "minutes for which an identity question waits by default",
    value: questionTtlMinutes,
    operation: "startIdentityCheck",
  },
  "address.minutes": {
    about: "minutes for which an address check can be confirmed",
    value: confirmLinkLifetimeMs / minute,
    operation: "verifyAddress",
    charges: { address: 1 },
  },
  "session.minutes": {
    about: "minutes for which a token of a session is valid",
    value: tokenLifetimeMs / minute,
    operation: "createStreamingToken",
  },
  "video.seconds": {
    about: "seconds that a scanned video may last",
    value: maxDurationSeconds,
    operation: "scanVideo",
  },
  "business.received": {
    about: "naira that a business may receive before its certificate is verified",
    value: toNaira(receiveLimit),
    operation: "getBusinessOverview",
  },
} as const satisfies Record<string, BehaviourLimit>;

export type BehaviourLimitId = keyof typeof behaviourLimits;
