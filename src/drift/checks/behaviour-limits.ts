/**
 * Checks of the limits that no schema states: they show only after some calls, after some time or with a long video
 * (interface: "Limits").
 */
import { toNaira } from "../../contract/money.js";
import { confirmLinkLifetimeMs } from "../../service/address/check.js";
import { receiveLimit } from "../../service/business/ledger.js";
import {
  defaultLength as codeDigits,
  defaultCodeTtlMinutes as codeTtlMinutes,
  maxPerDay,
  maxPerHour,
  maxWrongTries,
} from "../../service/channels/codes.js";
import { defaultQuestionTtlMinutes as questionTtlMinutes } from "../../service/channels/identity-questions.js";
import { maxDurationSeconds } from "../../service/media/videos.js";
import { codeLength, codeLifetimeMs, maxWrongCodes } from "../../service/phone/phone.js";
import { tokenLifetimeMs } from "../../service/sessions/sessions.js";
import { fromHttpDate, fromIso, hour, minute, second } from "../../time/time.js";
import { idIn, wrongCodes } from "../probes/phone.js";
import {
  CouldNotCheck,
  isSuccess,
  type ReceivedReply,
  readerOfCodes,
  type ServiceRequest,
  valueIn,
} from "../service-client.js";
import { answerOf, type CheckedSide, type CheckRow, wordOf } from "./check.js";
import { anyAddressCheck, ask, inChannel, startPhone, validRequest, videoFile } from "./records.js";

/** A limit of the sandbox, and how a service shows it. */
export interface BehaviourLimit extends Pick<CheckRow, "calls" | "slow" | "passesMs" | "observe"> {
  /** The counted quantity, with its unit. */
  readonly about: string;
  readonly value: number;
  /** The operation that shows it. */
  readonly operation: string;
  /** Maximum number of charged calls that show it, by key of fixtures/prices.json. */
  readonly charges?: Readonly<Record<string, number>>;
}

/** Returns the minutes from the reply to its `expires_at`, by the clock of the service. */
function minutesLeft(reply: ReceivedReply): number {
  const expiresAt = fromIso(String(valueIn(reply, "expires_at")));
  const at = fromHttpDate(reply.headers.get("date") ?? "");
  if (expiresAt === null || at === null) throw new CouldNotCheck("the reply has no date or no expires_at");
  return Math.round((expiresAt - at) / minute);
}

/** Sends codes until one is refused. Returns how many were sent, and the refusal if one came. */
async function sendCodes(
  side: CheckedSide,
  request: ServiceRequest,
  max: number,
): Promise<{ sent: number; refusal: ReceivedReply | null }> {
  for (let sent = 0; sent < max; sent++) {
    const reply = await side.service.call("sendChannelCode", request);
    if (!isSuccess(reply)) return { sent, refusal: reply };
  }
  return { sent: max, refusal: null };
}

const capFacts = (sent: number, most: number, refusal: ReceivedReply | null) => ({
  sent: refusal ? sent : `${most} or more`,
  answer: refusal && answerOf(refusal),
  retry_after: refusal ? refusal.headers.has("retry-after") : null,
});

/** More codes than a service sends to one person in an hour. */
const tooManyPerHour = 6;
/** Hours in which more codes are sent than in a day, without exceeding those per hour. */
const hoursToDailyCap = Math.floor(maxPerDay / maxPerHour) + 1;
const afterHourMs = hour + 5 * second;

export const behaviourLimits: Readonly<Record<string, BehaviourLimit>> = {
  "phone.tries": {
    about: "wrong codes until a phone verification is locked",
    value: maxWrongCodes,
    operation: "checkPhoneVerification",
    charges: { phone_code: 1 },
    calls: 1 + wrongCodes.length,
    async observe(side) {
      const id = idIn(await startPhone(side));
      for (const [index, code] of wrongCodes.entries()) {
        const reply = await side.service.call("checkPhoneVerification", { body: { id, code } });
        if (!isSuccess(reply) || valueIn(reply, "status") !== "pending") return { tries: index + 1 };
      }
      return { tries: `more than ${wrongCodes.length}` };
    },
  },
  "phone.digits": {
    about: "digits of a phone code",
    value: codeLength,
    operation: "startPhoneVerification",
    charges: { phone_code: 1 },
    calls: 1,
    async observe(side) {
      const readCode = readerOfCodes(side);
      const id = idIn(await startPhone(side));
      return { digits: (await readCode({ id, to: side.phone })).length };
    },
  },
  "phone.minutes": {
    about: "minutes for which a phone code is valid",
    value: codeLifetimeMs / minute,
    operation: "startPhoneVerification",
    charges: { phone_code: 1 },
    calls: 1,
    observe: async (side) => ({ minutes: minutesLeft(await startPhone(side)) }),
  },
  "channel_code.tries": {
    about: "wrong codes until a code of a channel is locked",
    value: maxWrongTries,
    operation: "checkChannelCode",
    calls: 2 + wrongCodes.length,
    async observe(side) {
      const request = await inChannel(side);
      await ask(side, "sendChannelCode", request);
      for (const [index, code] of wrongCodes.entries()) {
        const body = { ...request.body, code };
        const reply = await ask(side, "checkChannelCode", { ...request, body });
        const reason = valueIn(reply, "reason");
        if (reason !== "wrong_code") return { tries: index, reason: wordOf(reason) };
      }
      return { tries: `${wrongCodes.length} or more`, reason: null };
    },
  },
  "channel_code.digits": {
    about: "digits of a code of a channel by default",
    value: codeDigits,
    operation: "sendChannelCode",
    calls: 3,
    async observe(side) {
      const readCode = readerOfCodes(side);
      const digits = async (length?: number) => {
        const { params = {}, body = {} } = await inChannel(side);
        const asked = length === undefined ? body : { ...body, length };
        const id = idIn(await ask(side, "sendChannelCode", { params, body: asked }));
        return (await readCode({ id, to: String(body.to) })).length;
      };
      return { digits: await digits(), digits_of_8: await digits(8) };
    },
  },
  "channel_code.per_hour": {
    about: "codes that a channel sends to one person in an hour",
    value: maxPerHour,
    operation: "sendChannelCode",
    calls: 1 + tooManyPerHour,
    async observe(side) {
      const { sent, refusal } = await sendCodes(side, await inChannel(side), tooManyPerHour);
      return capFacts(sent, tooManyPerHour, refusal);
    },
  },
  "channel_code.per_day": {
    about: "codes that a channel sends to one person in a day",
    value: maxPerDay,
    operation: "sendChannelCode",
    calls: 1 + maxPerHour * hoursToDailyCap,
    slow: true,
    passesMs: (hoursToDailyCap - 1) * afterHourMs,
    async observe(side) {
      const request = await inChannel(side);
      let sent = 0;
      for (let hours = 1; ; hours++) {
        const inHour = await sendCodes(side, request, maxPerHour);
        sent += inHour.sent;
        if (hours === hoursToDailyCap) return capFacts(sent, sent, inHour.refusal);
        if (inHour.refusal) throw new CouldNotCheck(`after ${sent} codes: ${answerOf(inHour.refusal)}`);
        await side.pass(afterHourMs);
      }
    },
  },
  "channel_code.minutes": {
    about: "minutes for which a code of a channel is valid by default",
    value: codeTtlMinutes,
    operation: "sendChannelCode",
    calls: 2,
    async observe(side) {
      const sent = await side.service.call("sendChannelCode", await validRequest(side, "sendChannelCode"));
      return { minutes: minutesLeft(sent) };
    },
  },
  "identity_check.minutes": {
    about: "minutes for which an identity question waits by default",
    value: questionTtlMinutes,
    operation: "startIdentityCheck",
    calls: 2,
    async observe(side) {
      const valid = await validRequest(side, "startIdentityCheck");
      const { ttl_minutes: _, ...body } = valid.body ?? {};
      return { minutes: minutesLeft(await side.service.call("startIdentityCheck", { ...valid, body })) };
    },
  },
  "address.minutes": {
    about: "minutes for which an address check can be confirmed",
    value: confirmLinkLifetimeMs / minute,
    operation: "verifyAddress",
    charges: { address: 1 },
    calls: 1,
    observe: async (side) => ({ minutes: minutesLeft(await anyAddressCheck(side)) }),
  },
  "session.minutes": {
    about: "minutes for which a token of a session is valid",
    value: tokenLifetimeMs / minute,
    operation: "createStreamingToken",
    calls: 1,
    async observe(side) {
      const valid = await validRequest(side, "createStreamingToken");
      const minutes = valueIn(await side.service.call("createStreamingToken", valid), "expires_in_minutes");
      return { minutes: typeof minutes === "number" ? minutes : "none" };
    },
  },
  "video.seconds": {
    about: "seconds that a scanned video may last",
    value: maxDurationSeconds,
    operation: "scanVideo",
    calls: 1,
    slow: true,
    async observe(side) {
      const files = { file: await videoFile("long-clip.mp4") };
      return { answer_a_second_later: answerOf(await side.service.call("scanVideo", { files })) };
    },
  },
  "business.received": {
    about: "naira that a business may receive before its certificate is verified",
    value: toNaira(receiveLimit),
    operation: "getBusinessOverview",
    calls: 1,
    async observe(side) {
      const overview = await ask(side, "getBusinessOverview");
      const limit = valueIn(overview, "limit");
      const isVerified = valueIn(overview, "business_verified") === true;
      return { naira: isVerified ? null : typeof limit === "number" ? limit : "none" };
    },
  },
};

const toCheck = ([id, { value, operation, ...row }]: [string, BehaviourLimit]): CheckRow => ({
  id: `limit.${id}`,
  operations: [operation],
  ...row,
});

export const behaviourLimitChecks: readonly CheckRow[] = Object.entries(behaviourLimits).map(toCheck);
