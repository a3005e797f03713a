/** What can go wrong between a client and the service, whatever the service would have answered. */
import * as Type from "typebox";
import type { ErrorCode } from "../contract/errors.js";
import type { AnyOperation, Latency } from "../contract/operation.js";
import { errorCodesOf } from "../contract/refusals.js";
import { day, minute, parseDuration, second } from "../world/time/time.js";

export const faultyReplies = {
  reset_before: "the connection is reset, and nothing has happened",
  reset_after: "all happens as it would, and the connection is reset before a byte of the reply",
  reset_during: "the connection is reset in the middle of the reply",
  truncated: "the reply ends in the middle of its body",
  malformed: "the reply's body is whole and is no JSON",
  trickle: "the reply comes in small pieces",
} as const;
export type FaultyReply = keyof typeof faultyReplies;

const duration = (description: string) => Type.String({ examples: ["2s"], description });

export const Fault = Type.Object(
  {
    latency: Type.Optional(
      Type.Union(
        [
          Type.String({ examples: ["500ms", "documented"] }),
          Type.Object(
            { min: duration("Least"), max: duration("Most") },
            { additionalProperties: false, description: "Drawn from the account's seed" },
          ),
        ],
        {
          description:
            "Real time until the reply, at most 10m: a duration, a range, or documented: the time that the interface gives",
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
        description: "Seconds, in the Retry-After of the error, at most a day; 60 for a 429",
      }),
    ),
    reply: Type.Optional(
      Type.Enum(Object.keys(faultyReplies) as FaultyReply[], {
        description: Object.entries(faultyReplies)
          .map(([name, what]) => `${name}: ${what}`)
          .join("; "),
      }),
    ),
    over: Type.Optional(duration("Real time that a trickling body takes, at most 10m; default 5s")),
  },
  { additionalProperties: false, minProperties: 1, "x-rule": "a latency, an error or a reply" },
);
export type Fault = Type.Static<typeof Fault>;

/** Whether more goes wrong than that an error is answered. */
export const isOnWire = ({ latency, reply }: Fault): boolean => latency !== undefined || reply !== undefined;

const longest = 10 * minute;
const trickles = 5 * second;

/** Least and most real ms by which the fault delays the operation's reply; null: not at all. */
export function latencyOf({ latency }: Fault, documented: () => Latency | null): Latency | null {
  if (latency === undefined) return null;
  if (latency === "documented") return documented();
  const [min, max] = typeof latency === "string" ? [latency, latency] : [latency.min, latency.max];
  return [parseDuration(min) as number, parseDuration(max) as number];
}

/** Real ms that the body of a trickling reply takes. */
export const trickleTime = ({ over }: Fault): number =>
  over === undefined ? trickles : (parseDuration(over) as number);

/** `latency=2s, reply=truncated`, for the header of a reply and the journal. */
export const formatFault = ({ latency, error, reply }: Fault): string =>
  Object.entries({
    latency: typeof latency === "object" ? `${latency.min}-${latency.max}` : latency,
    error,
    reply,
  })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${value}`)
    .join(", ");

/** What is wrong with a fault that fits its schema: which field, and what would be right; null when nothing is. */
export function faultProblem(
  { latency, error, retry_after, reply, over }: Fault,
  operations: readonly AnyOperation[],
): { at: string; message: string } | null {
  const range = typeof latency === "object" ? latency : null;
  const times = { over, ...(range ? { "latency.min": range.min, "latency.max": range.max } : { latency }) };
  for (const [at, text] of Object.entries(times)) {
    if (text === undefined || (at === "latency" && text === "documented")) continue;
    const ms = parseDuration(text as string);
    if (ms === null || ms > longest) {
      const right = at === "latency" ? ", or documented" : "";
      return { at, message: `must be a duration of at most 10m such as 500ms${right}` };
    }
  }
  if (range && (parseDuration(range.min) as number) > (parseDuration(range.max) as number))
    return { at: "latency.min", message: `must not be above max, ${range.max}` };
  if (over !== undefined && reply !== "trickle")
    return { at: "over", message: "needs reply: trickle; latency delays the whole reply" };
  if (retry_after !== undefined && error === undefined)
    return { at: "retry_after", message: "needs an error" };
  const codes = commonCodes(operations);
  if (error === undefined || codes.includes(error as ErrorCode)) return null;
  return { at: "error", message: `must be one of ${codes.join(", ")}` };
}

/** Codes that each of the operations may refuse with. */
const commonCodes = (operations: readonly AnyOperation[]): ErrorCode[] => {
  const [first = [], ...others] = operations.map((one) => errorCodesOf(one, { serviceOnly: true }));
  return first.filter((code) => others.every((codes) => codes.includes(code)));
};
