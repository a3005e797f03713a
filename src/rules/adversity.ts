/** What a rule does to webhook deliveries, so that a receiver can prove itself (interface: "Webhooks"). */
import * as Type from "typebox";
import type { Account } from "../world/account.js";
import type { DeliveryPlan, DeliveryTarget } from "../world/outbox/dispatch.js";
import type { SentEvent } from "../world/outbox/sent-event.js";
import { parseDuration } from "../world/time/time.js";
import { matchingRules, use } from "./rules.js";

const duration = Type.String({ examples: ["30s"] });

export const Adversity = Type.Object(
  {
    duplicate: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 10, description: "So many more deliveries of the same event" }),
    ),
    delay: Type.Optional(
      Type.Union([duration, Type.Object({ min: duration, max: duration }, { additionalProperties: false })], {
        description: "Of the first attempt, on the account's clock; a range is drawn from the account's seed",
      }),
    ),
    reorder: Type.Optional(
      Type.Literal(true, {
        description: "Held back until the next event has overtaken it, at most 2 minutes",
      }),
    ),
    drop: Type.Optional(Type.Literal(true, { description: "Never sent; a retry by hand sends it" })),
    tamper: Type.Optional(
      Type.Enum(["signature", "body", "unsigned"], {
        description:
          "Of the first attempt: a wrong signature, a changed body, or no signature; retries are genuine",
      }),
    ),
  },
  { additionalProperties: false, minProperties: 1 },
);
export type Adversity = Type.Static<typeof Adversity>;

/** What `on` names for the deliveries of every event. */
export const everyWebhook = "webhooks";

/** What is wrong with one that fits its schema; null when nothing is. */
export function adversityProblem({
  delay,
  drop,
  ...others
}: Adversity): { at: string; message: string } | null {
  if (drop && (delay !== undefined || Object.keys(others).length > 0))
    return { at: "drop", message: "stands alone: what is never sent cannot be changed" };
  if (delay !== undefined && others.reorder)
    return { at: "delay", message: "and reorder exclude each other: the next event says when it goes" };
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

/** Inside the commit in which the event happens. Null: it goes as the interface says. */
export function planDelivery(
  account: Account,
  sent: SentEvent,
  { url }: DeliveryTarget,
): DeliveryPlan | null {
  const { event, data } = sent;
  for (const rule of matchingRules(account, [event, everyWebhook], { event, data, url })) {
    if (!rule.webhook) continue;
    use(account, rule);
    const { delay, duplicate = 0, reorder = false, drop = false, tamper = null } = rule.webhook;
    return { rule: rule.id, copies: duplicate, delay: drawDelay(account, delay), reorder, drop, tamper };
  }
  return null;
}

function drawDelay(account: Account, delay: Adversity["delay"]): number {
  if (delay === undefined) return 0;
  if (typeof delay === "string") return parseDuration(delay) as number;
  return account.random.integer(parseDuration(delay.min) as number, parseDuration(delay.max) as number);
}
