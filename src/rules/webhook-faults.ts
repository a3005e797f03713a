/** Faults of webhook deliveries that a rule asks for, to test a receiver (interface: "Webhooks"). */
import * as Type from "typebox";
import { parseDuration } from "../world/time/time.js";

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
          "Delay of the first attempt, on the account's clock; a value in a range is drawn from the account's seed",
      }),
    ),
    reorder: Type.Optional(
      Type.Literal(true, {
        description: "Holds the delivery back until the next event has overtaken it, at most 2 minutes",
      }),
    ),
    drop: Type.Optional(Type.Literal(true, { description: "Never sent; a retry by hand sends it" })),
    tamper: Type.Optional(
      Type.Enum(["signature", "body", "unsigned"], {
        description:
          "Forges the first attempt: a wrong signature, a changed body, or no signature; retries are genuine",
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
    return { at: "drop", message: "must stand alone: a delivery that is never sent cannot be changed" };
  if (delay !== undefined && others.reorder)
    return { at: "delay", message: "and reorder exclude each other: the next event decides when it is sent" };
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
