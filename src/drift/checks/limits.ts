/** Checks of limits at their edges: those of the schemas, and those that show only after some calls or some time. */
import type { AnyOperation } from "../../contract/operation.js";
import { priceOf } from "../../service/prices.js";
import { fromHttpDate, fromIso, minute } from "../../time/time.js";
import { groupOf } from "../groups.js";
import { CouldNotCheck } from "../outcome.js";
import { idIn, wrongCodes } from "../probes/phone.js";
import { errorCodeOf, isSuccess, type ReceivedReply, valueIn } from "../service-client.js";
import { type Check, type CheckedSide, type Facts, wordOf } from "./check.js";
import { addressCheck, connectedChannel, made, newNumber, startPhone, validRequest } from "./records.js";
import { type SchemaLimit, schemaLimits } from "./schema-limits.js";
import { uploadLimits } from "./upload-limits.js";

/** Highest price of a call that is made only to see that a value at its limit is taken, in naira. */
const maxPriceInside = 150;

/** Operations of which no request at a limit is sent: it would move much money or register an address. */
const neverInside: readonly string[] = ["simulatePayment maximum", "registerWebhook", "createAudit"];

/** Operations whose calls are expensive, so that their limits are asked with --slow alone. */
const expensive: readonly string[] = ["scanVideo"];

function priceInside({ price }: AnyOperation): number {
  return typeof price === "string" ? priceOf(price).price : 0;
}

const describeEnd: Readonly<Record<SchemaLimit["end"], (field: string) => string>> = {
  minimum: (field) => `the smallest ${field}`,
  exclusiveMinimum: (field) => `the value above which ${field} is`,
  maximum: (field) => `the largest ${field}`,
  minLength: (field) => `the length of the shortest ${field}`,
  maxLength: (field) => `the length of the longest ${field}`,
};

function toCheck(one: SchemaLimit): Check {
  const { operation, field, end, limit } = one;
  const { id, price } = operation;
  const isExpensive = expensive.includes(id);
  const sendsInside =
    !one.isOnly &&
    !neverInside.includes(id) &&
    !neverInside.includes(`${id} ${end}`) &&
    (isExpensive || priceInside(operation) <= maxPriceInside);
  const charges = typeof price === "string" && sendsInside ? { [price]: 1 } : undefined;
  return {
    id: `limit.${id}.${field}.${end}`,
    kind: "limit",
    group: groupOf(operation),
    about: `${describeEnd[end](field)}, ${limit}`,
    operations: [id],
    calls: sendsInside ? 3 : 1,
    charges,
    slow: isExpensive,
    observe: (side) => observeLimit(side, one, sendsInside),
  };
}

/**
 * Sends the first value beyond the limit, the last one within it and, if that is refused, the one before. A value counts
 * as taken if the service does not refuse it as it refuses the one beyond.
 */
async function observeLimit(side: CheckedSide, limit: SchemaLimit, sendsInside: boolean): Promise<Facts> {
  const { operation, place, field } = limit;
  const send = async (value: unknown): Promise<ReceivedReply> => {
    const valid = await validRequest(side, operation.id);
    return side.service.call(operation.id, { ...valid, [place]: { ...valid[place], [field]: value } });
  };
  const outside = await send(limit.outside);
  const beyond_it = isSuccess(outside) ? "taken" : "refused";
  if (!sendsInside || beyond_it === "taken") return { beyond_it };
  const isRefusedToo = ({ status, body }: ReceivedReply) =>
    status === outside.status && errorCodeOf(body) === errorCodeOf(outside.body);
  if (!isRefusedToo(await send(limit.inside))) return { at_it: "taken", beyond_it };
  const before_it = isRefusedToo(await send(limit.further)) ? "refused" : "taken";
  return { at_it: "refused", beyond_it, before_it };
}

/** Returns the minutes from the reply to its `expires_at`, by the clock of the service. */
function minutesLeft(reply: ReceivedReply): number {
  const expiresAt = fromIso(String(valueIn(reply, "expires_at")));
  const at = fromHttpDate(reply.headers.get("date") ?? "");
  if (expiresAt === null || at === null) throw new CouldNotCheck("the reply has no date or no expires_at");
  return Math.round((expiresAt - at) / minute);
}

/** More codes than a service sends to one person in an hour. */
const maxCodesPerHour = 6;

/** Limits that no schema states: tries, codes per hour and times. */
const others: readonly Check[] = [
  {
    id: "limit.phone.tries",
    kind: "limit",
    group: "phone",
    about: "wrong codes until a phone verification is locked",
    operations: ["checkPhoneVerification"],
    calls: 1 + wrongCodes.length,
    charges: { phone_code: 1 },
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
    id: "limit.phone.minutes",
    kind: "limit",
    group: "phone",
    about: "minutes for which a phone code is valid",
    operations: ["startPhoneVerification"],
    calls: 1,
    charges: { phone_code: 1 },
    async observe(side) {
      const started = await startPhone(side);
      return { minutes: minutesLeft(started) };
    },
  },
  {
    id: "limit.channel_code.tries",
    kind: "limit",
    group: "channels",
    about: "wrong codes until a code of a channel is locked",
    operations: ["checkChannelCode"],
    calls: 2 + wrongCodes.length,
    async observe(side) {
      const params = { channel_id: await connectedChannel(side) };
      const to = newNumber(side);
      await made(side.service.call("sendChannelCode", { params, body: { to } }));
      for (const [index, code] of wrongCodes.entries()) {
        const reply = await made(side.service.call("checkChannelCode", { params, body: { to, code } }));
        const reason = valueIn(reply, "reason");
        if (reason !== "wrong_code") return { tries: index, reason: wordOf(reason) };
      }
      return { tries: `${wrongCodes.length} or more`, reason: null };
    },
  },
  {
    id: "limit.channel_code.per_hour",
    kind: "limit",
    group: "channels",
    about: "codes that a channel sends to one person in an hour",
    operations: ["sendChannelCode"],
    calls: 1 + maxCodesPerHour,
    async observe(side) {
      const params = { channel_id: await connectedChannel(side) };
      const body = { to: newNumber(side) };
      for (let sent = 0; sent < maxCodesPerHour; sent++) {
        const reply = await side.service.call("sendChannelCode", { params, body });
        if (!isSuccess(reply))
          return {
            sent,
            answer: `${reply.status} ${errorCodeOf(reply.body)}`,
            retry_after: reply.headers.has("retry-after"),
          };
      }
      return { sent: `${maxCodesPerHour} or more`, answer: null, retry_after: null };
    },
  },
  {
    id: "limit.channel_code.minutes",
    kind: "limit",
    group: "channels",
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
    kind: "limit",
    group: "channels",
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
    kind: "limit",
    group: "identity",
    about: "minutes for which an address check can be confirmed",
    operations: ["verifyAddress"],
    calls: 1,
    charges: { address: 1 },
    observe: async (side) => ({ minutes: minutesLeft(await addressCheck(side)) }),
  },
  {
    id: "limit.session.minutes",
    kind: "limit",
    group: "sessions",
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
    id: "limit.business.received",
    kind: "limit",
    group: "business",
    about: "naira that a business may receive before its certificate is verified",
    operations: ["getBusinessOverview"],
    calls: 1,
    async observe(side) {
      const overview = await made(side.service.call("getBusinessOverview"));
      const limit = valueIn(overview, "limit");
      const isVerified = valueIn(overview, "business_verified") === true;
      return { naira: isVerified ? null : typeof limit === "number" ? limit : "none" };
    },
  },
];

export const limitChecks = (): Check[] => [...schemaLimits().map(toCheck), ...others, ...uploadLimits()];
