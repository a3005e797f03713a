/** Plans the deliveries of an event to an endpoint by the account's rules. */

import { parseDuration } from "../time/time.js";
import type { Account } from "../world/account/account.js";
import type { DeliveryPlan, DeliveryTarget } from "../world/webhooks/dispatch.js";
import type { SentEvent } from "../world/webhooks/sent-event.js";
import { everyWebhook } from "./rule-input.js";
import { countUse, matchingRules } from "./rules.js";
import type { WebhookFaults } from "./webhook-faults.js";

/** Inside the commit in which the event happens. Returns null when no rule matches. */
export function planDelivery(
  account: Account,
  sent: SentEvent,
  { url }: DeliveryTarget,
): DeliveryPlan | null {
  const { event, data } = sent;
  for (const rule of matchingRules(account, [event, everyWebhook], { event, data, url })) {
    if (!rule.webhook && !rule.hold) continue;
    countUse(account, rule);
    const {
      delay,
      duplicate = 0,
      reorder = false,
      drop = false,
      tamper = null,
      set = null,
      lose_answer: loseAnswer = false,
    } = rule.webhook ?? {};
    const hold = rule.hold === "webhook";
    return {
      rule: rule.id,
      copies: duplicate,
      delay: drawDelay(account, delay),
      reorder,
      drop,
      tamper,
      set,
      loseAnswer,
      hold,
    };
  }
  return null;
}

function drawDelay(account: Account, delay: WebhookFaults["delay"]): number {
  if (delay === undefined) return 0;
  if (typeof delay === "string") return parseDuration(delay) as number;
  return account.random.integer(parseDuration(delay.min) as number, parseDuration(delay.max) as number);
}
