/**
 * Checks of limits that no schema states. They show only after several calls, after some time or with a long video
 * (interface: "Limits").
 */
import { maxPerDay, maxPerHour } from "../../service/channels/codes.js";
import { fromHttpDate, fromIso, hour, minute, second } from "../../time/time.js";
import { anyAddressCheck, inChannel, startPhone, validRequest, videoFile, wrongCodes } from "../records.js";
import {
  CouldNotCheck,
  isSuccess,
  type ReceivedReply,
  type ServiceRequest,
  valueIn,
} from "../service-client.js";
import { ask, type DriftSide, idIn, readerOfCodes } from "../side.js";
import { answerOf, type CheckRow, wordOf } from "./check.js";

/** Returns the minutes from the reply to its `expires_at`, by the clock of the service. */
function minutesLeft(reply: ReceivedReply): number {
  const expiresAt = fromIso(String(valueIn(reply, "expires_at")));
  const at = fromHttpDate(reply.headers.get("date") ?? "");
  if (expiresAt === null || at === null) throw new CouldNotCheck("the reply has no date or no expires_at");
  return Math.round((expiresAt - at) / minute);
}

/** Sends codes until one is refused. Returns how many were sent, and the refusal if one came. */
async function sendCodes(
  side: DriftSide,
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
/** Number of hours after which the daily limit is exceeded while the hourly limit is kept. */
const hoursToDailyCap = Math.floor(maxPerDay / maxPerHour) + 1;
const afterHourMs = hour + 5 * second;

export const behaviourLimitChecks: readonly CheckRow[] = [
  {
    id: "limit.phone.tries",
    about: "wrong codes until a phone verification is locked",
    operations: ["checkPhoneVerification"],
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
  {
    id: "limit.phone.digits",
    about: "digits of a phone code",
    operations: ["startPhoneVerification"],
    charges: { phone_code: 1 },
    calls: 1,
    async observe(side) {
      const readCode = readerOfCodes(side);
      const id = idIn(await startPhone(side));
      return { digits: (await readCode({ id, to: side.phone })).length };
    },
  },
  {
    id: "limit.phone.minutes",
    about: "minutes for which a phone code is valid",
    operations: ["startPhoneVerification"],
    charges: { phone_code: 1 },
    calls: 1,
    observe: async (side) => ({ minutes: minutesLeft(await startPhone(side)) }),
  },
  {
    id: "limit.channel_code.tries",
    about: "wrong codes until a code of a channel is locked",
    operations: ["checkChannelCode"],
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
  {
    id: "limit.channel_code.digits",
    about: "digits of a code of a channel by default",
    operations: ["sendChannelCode"],
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
  {
    id: "limit.channel_code.per_hour",
    about: "codes that a channel sends to one person in an hour",
    operations: ["sendChannelCode"],
    calls: 1 + tooManyPerHour,
    async observe(side) {
      const { sent, refusal } = await sendCodes(side, await inChannel(side), tooManyPerHour);
      return capFacts(sent, tooManyPerHour, refusal);
    },
  },
  {
    id: "limit.channel_code.per_day",
    about: "codes that a channel sends to one person in a day",
    operations: ["sendChannelCode"],
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
  {
    id: "limit.channel_code.minutes",
    about: "minutes for which a code of a channel is valid by default",
    operations: ["sendChannelCode"],
    calls: 2,
    async observe(side) {
      const sent = await side.service.call("sendChannelCode", await validRequest(side, "sendChannelCode"));
      return { minutes: minutesLeft(sent) };
    },
  },
  {
    id: "limit.identity_check.minutes",
    about: "minutes for which an identity question waits by default",
    operations: ["startIdentityCheck"],
    calls: 2,
    async observe(side) {
      const valid = await validRequest(side, "startIdentityCheck");
      const { ttl_minutes: _, ...body } = valid.body ?? {};
      return { minutes: minutesLeft(await side.service.call("startIdentityCheck", { ...valid, body })) };
    },
  },
  {
    id: "limit.address.minutes",
    about: "minutes for which an address check can be confirmed",
    operations: ["verifyAddress"],
    charges: { address: 1 },
    calls: 1,
    observe: async (side) => ({ minutes: minutesLeft(await anyAddressCheck(side)) }),
  },
  {
    id: "limit.session.minutes",
    about: "minutes for which a token of a session is valid",
    operations: ["createStreamingToken"],
    calls: 1,
    async observe(side) {
      const valid = await validRequest(side, "createStreamingToken");
      const minutes = valueIn(await side.service.call("createStreamingToken", valid), "expires_in_minutes");
      return { minutes: typeof minutes === "number" ? minutes : "none" };
    },
  },
  {
    id: "limit.video.seconds",
    about: "seconds that a scanned video may last",
    operations: ["scanVideo"],
    calls: 1,
    slow: true,
    async observe(side) {
      const files = { file: await videoFile("long-clip.mp4") };
      return { answer_a_second_later: answerOf(await side.service.call("scanVideo", { files })) };
    },
  },
  {
    id: "limit.business.received",
    about: "naira that a business may receive before its certificate is verified",
    operations: ["getBusinessOverview"],
    calls: 1,
    async observe(side) {
      const overview = await ask(side, "getBusinessOverview");
      const limit = valueIn(overview, "limit");
      const isVerified = valueIn(overview, "business_verified") === true;
      return { naira: isVerified ? null : typeof limit === "number" ? limit : "none" };
    },
  },
];
