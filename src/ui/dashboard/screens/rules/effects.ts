/** Describes what rules do. */
import type { CallReply } from "../../../../client/control-call.js";

export type ListedRule = CallReply<"listRules">["items"][number];

/** Effects on a webhook that the form offers. */
export const webhookFaults = [
  ["duplicate", "arrives twice"],
  ["delay", "arrives 30 s late"],
  ["reorder", "is overtaken by the next event"],
  ["drop", "is never sent"],
  ["signature", "has a wrong signature"],
  ["body", "has a changed body"],
  ["unsigned", "has no signature"],
  ["lose_answer", "is taken, and its answer is lost"],
] as const;

const faultTexts: Readonly<Record<string, string>> = Object.fromEntries(webhookFaults);

function describeWebhook({
  duplicate,
  delay,
  reorder,
  drop,
  tamper,
  set,
  lose_answer,
}: NonNullable<ListedRule["webhook"]>): string[] {
  return [
    duplicate && `arrives ${duplicate + 1} times`,
    delay && `arrives ${typeof delay === "string" ? delay : `${delay.min} to ${delay.max}`} late`,
    reorder && faultTexts.reorder,
    drop && faultTexts.drop,
    tamper && faultTexts[tamper],
    set && `has other values: ${Object.keys(set).join(", ")}`,
    lose_answer && faultTexts.lose_answer,
  ].filter((text) => typeof text === "string");
}

/** Describes a rule in a few words. */
export function describeEffect({
  outcome,
  fault,
  webhook,
  hold,
}: Pick<ListedRule, "outcome" | "fault" | "webhook" | "hold">): string {
  return [
    ...(outcome ? [outcome] : []),
    ...Object.entries(fault ?? {}).map(
      ([name, value]) => `${name} ${typeof value === "object" ? JSON.stringify(value) : value}`,
    ),
    ...(webhook ? describeWebhook(webhook) : []),
    ...(hold ? [`holds the ${hold}`] : []),
  ].join(", ");
}
