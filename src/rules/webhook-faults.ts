/** Faults of webhook deliveries that a rule asks for, to test a receiver (interface: "Webhooks"). */
import * as Type from "typebox";
import { parseDuration } from "../time/time.js";

const duration = Type.String({ examples: ["30s"] });

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
      Type.Union([duration, Type.Object({ min: duration, max: duration }, { additionalProperties: false })], {
        description:
          "Delay of the first attempt on the account's clock. A value in a range is drawn from the account's seed",
      }),
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
      Type.Enum(["signature", "body", "unsigned"], {
        description:
          "Forges the first attempt: a wrong signature, a changed body, or no signature. Retries are genuine",
      }),
    ),
    set: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        examples: [{ "data.status": "held" }],
        minProperties: 1,
        description:
          "Values of the payload that are replaced or added before it is signed, by path: field names joined by dots, as in `data.status`",
      }),
    ),
    lose_answer: Type.Optional(
      Type.Literal(true, {
        description:
          "Loses the answer to the first attempt: the receiver has got the delivery, and gets it again with the retry",
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
