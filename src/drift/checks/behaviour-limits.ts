/** Checks of the limits that no schema states: how a service shows each. */
import { type BehaviourLimit, type BehaviourLimitId, behaviourLimits } from "../../service/limits.js";
import { fromHttpDate, fromIso, hour, minute, second } from "../../time/time.js";
import { idIn, wrongCodes } from "../probes/phone.js";
import {
  CouldNotCheck,
  isSuccess,
  NotTestable,
  type ReceivedReply,
  type ServiceRequest,
  valueIn,
} from "../service-client.js";
import { answerOf, type CheckedSide, type CheckRow, wordOf } from "./check.js";
import { anyAddressCheck, inChannel, made, startPhone, validRequest, videoFile } from "./records.js";

type Shown = Pick<CheckRow, "calls" | "slow" | "passesMs" | "observe">;

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
const { value: perHour } = behaviourLimits["channel_code.per_hour"];
const { value: perDay } = behaviourLimits["channel_code.per_day"];
/** Hours in which more codes are sent than in a day, without exceeding those per hour. */
const hoursToDailyCap = Math.floor(perDay / perHour) + 1;
const afterHourMs = hour + 5 * second;

const shown: Readonly<Record<BehaviourLimitId, Shown>> = {
  "phone.tries": {
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
    calls: 1,
    async observe(side) {
      if (!side.readCode) throw new NotTestable("needs the code that was sent; pass --otp-cmd");
      const id = idIn(await startPhone(side));
      return { digits: (await side.readCode({ id, to: side.phone })).length };
    },
  },
  "phone.minutes": {
    calls: 1,
    observe: async (side) => ({ minutes: minutesLeft(await startPhone(side)) }),
  },
  "channel_code.tries": {
    calls: 2 + wrongCodes.length,
    async observe(side) {
      const request = await inChannel(side);
      await made(side.service.call("sendChannelCode", request));
      for (const [index, code] of wrongCodes.entries()) {
        const body = { ...request.body, code };
        const reply = await made(side.service.call("checkChannelCode", { ...request, body }));
        const reason = valueIn(reply, "reason");
        if (reason !== "wrong_code") return { tries: index, reason: wordOf(reason) };
      }
      return { tries: `${wrongCodes.length} or more`, reason: null };
    },
  },
  "channel_code.digits": {
    calls: 3,
    async observe(side) {
      const { readCode } = side;
      if (!readCode) throw new NotTestable("needs the code that was sent; pass --otp-cmd");
      const digits = async (length?: number) => {
        const { params = {}, body = {} } = await inChannel(side);
        const asked = length === undefined ? body : { ...body, length };
        const id = idIn(await made(side.service.call("sendChannelCode", { params, body: asked })));
        return (await readCode({ id, to: String(body.to) })).length;
      };
      return { digits: await digits(), digits_of_8: await digits(8) };
    },
  },
  "channel_code.per_hour": {
    calls: 1 + tooManyPerHour,
    async observe(side) {
      const { sent, refusal } = await sendCodes(side, await inChannel(side), tooManyPerHour);
      return capFacts(sent, tooManyPerHour, refusal);
    },
  },
  "channel_code.per_day": {
    calls: 1 + perHour * hoursToDailyCap,
    slow: true,
    passesMs: (hoursToDailyCap - 1) * afterHourMs,
    async observe(side) {
      const request = await inChannel(side);
      let sent = 0;
      for (let hours = 1; ; hours++) {
        const inHour = await sendCodes(side, request, perHour);
        sent += inHour.sent;
        if (hours === hoursToDailyCap) return capFacts(sent, sent, inHour.refusal);
        if (inHour.refusal) throw new CouldNotCheck(`after ${sent} codes: ${answerOf(inHour.refusal)}`);
        await side.pass(afterHourMs);
      }
    },
  },
  "channel_code.minutes": {
    calls: 2,
    async observe(side) {
      const sent = await side.service.call("sendChannelCode", await validRequest(side, "sendChannelCode"));
      return { minutes: minutesLeft(sent) };
    },
  },
  "identity_check.minutes": {
    calls: 2,
    async observe(side) {
      const valid = await validRequest(side, "startIdentityCheck");
      const { ttl_minutes: _, ...body } = valid.body ?? {};
      return { minutes: minutesLeft(await side.service.call("startIdentityCheck", { ...valid, body })) };
    },
  },
  "address.minutes": {
    calls: 1,
    observe: async (side) => ({ minutes: minutesLeft(await anyAddressCheck(side)) }),
  },
  "session.minutes": {
    calls: 1,
    async observe(side) {
      const valid = await validRequest(side, "createStreamingToken");
      const minutes = valueIn(await side.service.call("createStreamingToken", valid), "expires_in_minutes");
      return { minutes: typeof minutes === "number" ? minutes : "none" };
    },
  },
  "video.seconds": {
    calls: 1,
    slow: true,
    async observe(side) {
      const files = { file: await videoFile("long-clip.mp4") };
      return { answer_a_second_later: answerOf(await side.service.call("scanVideo", { files })) };
    },
  },
  "business.received": {
    calls: 1,
    async observe(side) {
      const overview = await made(side.service.call("getBusinessOverview"));
      const limit = valueIn(overview, "limit");
      const isVerified = valueIn(overview, "business_verified") === true;
      return { naira: isVerified ? null : typeof limit === "number" ? limit : "none" };
    },
  },
};

function toCheck([id, { about, operation, charges }]: [string, BehaviourLimit]): CheckRow {
  return {
    id: `limit.${id}`,
    about,
    operations: [operation],
    charges,
    ...shown[id as BehaviourLimitId],
  };
}

export const behaviourLimitChecks: readonly CheckRow[] = Object.entries(behaviourLimits).map(toCheck);
