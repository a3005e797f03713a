/** Faults that rules ask for: latency, errors and broken replies, and disturbed webhook deliveries (interface: "Webhooks"). */
import * as Type from "typebox";
import type { ErrorCode } from "../contract/errors.js";
import { type FaultyReply, faultyReplies } from "../contract/faulty-replies.js";
import { toHeaderValue } from "../contract/headers.js";
import type { AnyOperation, Latency } from "../contract/operation.js";
import { errorCodesOf } from "../contract/refusals.js";
import { day, minute, parseDuration, second } from "../time/time.js";
import { tamperings } from "../world/webhooks/delivery.js";

const duration = (description: string) => Type.String({ examples: ["2s"], description });

export const FaultFields = Type.Object(
  {
    latency: Type.Optional(
      Type.Union(
        [
          Type.String({ examples: ["500ms", "documented"] }),
          Type.Object(
            { min: duration("Minimum"), max: duration("Maximum") },
            {
              additionalProperties: false,
              description: "A range; the value is drawn from the account's seed",
            },
          ),
        ],
        {
          description:
            "Delay of the reply in real time, at most 10m: a duration, a range, or `documented` for the response time that the interface states",
        },
      ),
    ),
    error: Type.Optional(
      Type.String({
        examples: ["otp_hourly_limit"],
        description: "An error code that the operation declares",
      }),
    ),
    retry_after: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: day / second,
        description: "Retry-After of the error in seconds, at most a day. Default: 60 for a 429",
      }),
    ),
    reply: Type.Optional(
      Type.Enum(Object.keys(faultyReplies) as FaultyReply[], {
        description: Object.entries(faultyReplies)
          .map(([name, what]) => `${name}: ${what}`)
          .join("; "),
      }),
    ),
    set: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        examples: [{ verified: true }],
        minProperties: 1,
        description:
          "Values of a successful JSON reply that are replaced or added, by path: field names joined by dots, `*` for every element of a list, as in `payments.*.status`. `<absent>` removes a field",
      }),
    ),
    where: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]), {
        examples: [{ "payments.*.status": "success" }],
        minProperties: 1,
        description:
          "Values that the reply must have for `set` to change it, by path. A path through a list concerns the element that is changed",
      }),
    ),
    over: Type.Optional(
      duration(
        "Real time over which a trickling body is sent (default: 5s), or for which a stalled one is left open (default: 10m). At most 10m",
      ),
    ),
    reply_after: Type.Optional(
      Type.String({
        examples: ["webhook", "2s"],
        description:
          "How long the reply waits after the request has taken effect: `webhook` until the first attempt of each of its webhooks has ended, at most 30s of real time, or a duration of at most 10m",
      }),
    ),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    "x-rule": "a latency, an error, a reply, a reply_after or a set",
  },
);
export type FaultFields = Type.Static<typeof FaultFields>;

/** A fault, and which part of the exchange the rule stops. */
export type PlannedFault = FaultFields & { hold?: "request" | "reply" };

/** Returns whether the fault concerns the connection, rather than the answer alone. */
export const isOnWire = ({ latency, reply, reply_after, set, hold }: PlannedFault): boolean =>
  [latency, reply, reply_after, set, hold].some((part) => part !== undefined);

const maxDurationMs = 10 * minute;
const defaultTrickleMs = 5 * second;

/** Returns the range, in ms of real time, by which the fault delays a reply, or null when it does not. */
export function latencyOf({ latency }: FaultFields, documented: () => Latency | null): Latency | null {
  if (latency === undefined) return null;
  if (latency === "documented") return documented();
  const [min, max] = typeof latency === "string" ? [latency, latency] : [latency.min, latency.max];
  return [parseDuration(min) as number, parseDuration(max) as number];
}

/** Returns what the reply waits for after the commit: its webhooks, a time in ms, or nothing. */
export const holdOf = ({ reply_after }: FaultFields): "webhook" | number | null => {
  if (reply_after === undefined) return null;
  return reply_after === "webhook" ? reply_after : (parseDuration(reply_after) as number);
};

/** Returns the ms of real time that the body of a trickling reply takes, or for which a stalled reply stays open. */
export const bodyTime = ({ reply, over }: FaultFields): number => {
  if (over !== undefined) return parseDuration(over) as number;
  return reply === "stalled" ? maxDurationMs : defaultTrickleMs;
};

/** Maximum number of characters of the paths that a header names. */
const maxShownPaths = 200;

/** Formats a fault for a reply's header and the journal: `latency=2s, reply=truncated`. */
export const formatFault = ({ latency, error, reply, reply_after, set, hold }: PlannedFault): string =>
  Object.entries({
    latency: typeof latency === "object" ? `${latency.min}-${latency.max}` : latency,
    error,
    reply,
    reply_after,
    set: set && toHeaderValue(Object.keys(set).join(" ")).slice(0, maxShownPaths),
    hold,
  })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${value}`)
    .join(", ");

/** Words that are accepted instead of a duration, by field. */
const wordsForDurations: Readonly<Record<string, string>> = {
  latency: "documented",
  reply_after: "webhook",
};

/** Returns which field of a fault that fits its schema is wrong and why, or null. */
export function faultProblem(
  { latency, error, retry_after, reply, set, where, over, reply_after }: FaultFields,
  operations: readonly AnyOperation[],
): { at: string; message: string } | null {
  const range = typeof latency === "object" ? latency : null;
  const latencies = range ? { "latency.min": range.min, "latency.max": range.max } : { latency };
  for (const [at, text] of Object.entries({ over, ...latencies, reply_after })) {
    const word = wordsForDurations[at];
    if (text === undefined || text === word) continue;
    const ms = parseDuration(text as string);
    if (ms === null || ms > maxDurationMs) {
      const right = word === undefined ? "" : `, or ${word}`;
      return { at, message: `must be a duration of at most 10m such as 500ms${right}` };
    }
  }
  if (range && (parseDuration(range.min) as number) > (parseDuration(range.max) as number))
    return { at: "latency.min", message: `must not be above max, ${range.max}` };
  if (over !== undefined && reply !== "trickle" && reply !== "stalled")
    return { at: "over", message: "needs reply: trickle or stalled; latency delays the whole reply" };
  if (where && !set) return { at: "where", message: "needs a set, whose values it is about" };
  if (retry_after !== undefined && error === undefined)
    return { at: "retry_after", message: "needs an error" };
  const codes = commonCodes(operations);
  if (error === undefined || codes.includes(error as ErrorCode)) return null;
  return { at: "error", message: `must be one of ${codes.join(", ")}` };
}

/** Returns the codes with which every one of the operations may refuse. */
const commonCodes = (operations: readonly AnyOperation[]): ErrorCode[] => {
  const [first = [], ...others] = operations.map((operation) =>
    errorCodesOf(operation, { serviceOnly: true }),
  );
  return first.filter((code) => others.every((codes) => codes.includes(code)));
};

const deliveryDelay = Type.String({ examples: ["30s"] });

const payloadValues = (status: string, description: string) =>
  Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      examples: [{ "data.status": status }],
      minProperties: 1,
      description,
    }),
  );

export const WebhookFaults = Type.Object(
  {
    duplicate: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10,
        description: "Number of further deliveries of the same event",
      }),
    ),
    delay: Type.Optional(
      Type.Union(
        [
          deliveryDelay,
          Type.Object({ min: deliveryDelay, max: deliveryDelay }, { additionalProperties: false }),
        ],
        {
          description:
            "Delay of the first attempt on the account's clock. A value in a range is drawn from the account's seed",
        },
      ),
    ),
    reorder: Type.Optional(
      Type.Literal(true, {
        description: "Holds the delivery back until the next event has been sent, at most 2 minutes",
      }),
    ),
    drop: Type.Optional(
      Type.Literal(true, { description: "The delivery is never sent, except by a manual retry" }),
    ),
    tamper: Type.Optional(
      Type.Enum([...tamperings], {
        description:
          "Forges the first attempt: a wrong signature, half of one, a changed body, or no signature. Retries are genuine",
      }),
    ),
    set: payloadValues(
      "held",
      "Values of the payload that are replaced or added before it is signed, by path: field names joined by dots, as in `data.status`",
    ),
    earlier: payloadValues(
      "review",
      "Values of an event of the same kind that is a minute older, and arrives after this one as well, by path as in `set`",
    ),
    lose_answer: Type.Optional(
      Type.Literal(true, {
        description:
          "Loses the answer to the first attempt: the receiver has got the delivery, and gets it again with the retry",
      }),
    ),
    cut_off: Type.Optional(
      Type.Literal(true, {
        description:
          "Closes the connection in the middle of the body of the first attempt. The receiver gets the whole delivery with the retry",
      }),
    ),
  },
  { additionalProperties: false, minProperties: 1 },
);
export type WebhookFaults = Type.Static<typeof WebhookFaults>;

/** Returns what is wrong with faults that fit their schema, or null. */
export function webhookFaultsProblem({
  delay,
  drop,
  ...others
}: WebhookFaults): { at: string; message: string } | null {
  if (drop && (delay !== undefined || Object.keys(others).length > 0))
    return {
      at: "drop",
      message: "cannot be combined with other faults, because the delivery is never sent",
    };
  if (delay !== undefined && others.reorder)
    return {
      at: "delay",
      message: "cannot be combined with reorder, which sends the delivery after the next event",
    };
  const range = typeof delay === "object";
  const times = range ? { "delay.min": delay.min, "delay.max": delay.max } : { delay };
  for (const [at, text] of Object.entries(times)) {
    if (text !== undefined && parseDuration(text) === null)
      return { at, message: "must be a duration such as 30s or 2h" };
  }
  if (range && (parseDuration(delay.min) as number) > (parseDuration(delay.max) as number))
    return { at: "delay.min", message: `must not be above max, ${delay.max}` };
  return null;
}
