/** Checks what the schema of a rule cannot express: names, and which effects fit what the rule is about. */
import type { TSchema } from "typebox";
import { formatNearest } from "../contract/nearest.js";
import type { AnyOperation } from "../contract/operation.js";
import { faultProblem, webhookFaultsProblem } from "./faults.js";
import { impossibleCondition, mistypedData } from "./impossible-condition.js";
import { outcomesOf } from "./outcomes.js";
import { placeholderProblem } from "./patterns.js";
import { everyOperation, everyWebhook, type RuleBody, type StageFields } from "./rule-input.js";

export interface RuleProblem {
  /** Path of the field in the rule, with dots. */
  at: string;
  code: "validation_error" | "unknown_outcome";
  message: string;
}

const problem = (at: string, message: string): RuleProblem => ({ at, code: "validation_error", message });

/** Operations and events that rules can be about. */
export interface Subjects {
  readonly operations: readonly AnyOperation[];
  /** The events by kind, with the schema of their data. */
  readonly events: Readonly<Record<string, { readonly data: TSchema }>>;
}

/** Returns what is wrong with a rule that fits its schema, or null. */
export const ruleProblem = (rule: RuleBody, subjects: Subjects): RuleProblem | null =>
  storedRuleProblem(rule, subjects) ?? patternProblem(rule) ?? conditionProblem(rule, subjects);

/**
 * Returns what is wrong with a stored rule, or null. Conditions are not checked: a pattern that is not accepted only
 * stops this rule, and a condition that is never met stops nothing.
 */
export const storedRuleProblem = (rule: RuleBody, subjects: Subjects): RuleProblem | null =>
  subjectProblem(rule, subjects) ?? matchProblem(rule, subjects) ?? stagesProblem(rule, subjects);

const isAboutWebhooks = (on: string, { events }: Subjects): boolean =>
  on === everyWebhook || Object.hasOwn(events, on);

/** Returns the operations that a rule is about. A rule about deliveries has none. */
const targetsOf = ({ on }: RuleBody, { operations }: Subjects): readonly AnyOperation[] =>
  on === everyOperation ? operations : operations.filter(({ id }) => id === on);

function subjectProblem({ on }: RuleBody, { operations, events }: Subjects): RuleProblem | null {
  const names = [...operations.map(({ id }) => id), everyOperation, everyWebhook, ...Object.keys(events)];
  if (names.includes(on)) return null;
  const name = on.slice(0, 100);
  const nearest = formatNearest(name, names);
  return problem("on", `there is no operation or event ${JSON.stringify(name)}${nearest}`);
}

const deliveryParts = ["event", "data", "url"];

function matchProblem({ on, when = {} }: RuleBody, subjects: Subjects): RuleProblem | null {
  const aboutDelivery = isAboutWebhooks(on, subjects);
  const foreign = Object.keys(when).find((part) => deliveryParts.includes(part) !== aboutDelivery);
  if (foreign) {
    const right = aboutDelivery
      ? deliveryParts.join(", ")
      : "path, params, query, headers, body, files, outcome";
    return problem(`when.${foreign}`, `a rule on ${on} matches by ${right}`);
  }
  return eventProblem(when.event, subjects);
}

function patternProblem({ when = {} }: RuleBody): RuleProblem | null {
  const found = placeholderProblem(when);
  return found && problem(`when.${found.at}`, found.reason);
}

/**
 * Returns the problem of a condition that no request can meet, or of a name in event data that is probably a typing
 * error, or null.
 */
function conditionProblem(rule: RuleBody, subjects: Subjects): RuleProblem | null {
  const { on, when = {} } = rule;
  const { events } = subjects;
  const schemas = Object.entries(events).flatMap(([kind, { data }]) =>
    on === kind || on === everyWebhook ? [data] : [],
  );
  const found = isAboutWebhooks(on, subjects)
    ? mistypedData(when, schemas)
    : impossibleCondition(when, targetsOf(rule, subjects));
  if (found) return problem(`when.${found.at}`, found.reason);
  const { outcome } = when;
  if (outcome === undefined || /^[!/<]|\$\{/.test(outcome)) return null;
  const unknown = outcomeProblem(outcome, on, targetsOf(rule, subjects));
  return unknown && { ...unknown, at: "when.outcome" };
}

/**
 * Returns the problem of an unknown event, or null. Patterns, types and references that a scenario fills in are not
 * checked.
 */
function eventProblem(event: string | undefined, { events }: Subjects): RuleProblem | null {
  const eventKinds = Object.keys(events);
  if (event === undefined || /^[/<]|\$\{/.test(event) || eventKinds.includes(event)) return null;
  const name = event.slice(0, 100);
  const nearest = formatNearest(name, eventKinds) || `; there is ${eventKinds.join(", ")}`;
  return problem("when.event", `there is no event ${JSON.stringify(name)}${nearest}`);
}

/** Checks a rule and its later stages: each must have an effect that fits what the rule is about. */
function stagesProblem(rule: RuleBody, subjects: Subjects): RuleProblem | null {
  const stages: readonly StageFields[] = [rule, ...(rule.next ?? [])];
  for (const [index, stage] of stages.entries()) {
    const at = index === 0 ? "" : `next.${index - 1}.`;
    const neverEnds = stage.times === undefined && index < stages.length - 1;
    const found = neverEnds
      ? problem("times", "is needed where another stage follows")
      : effectProblem(stage, rule, subjects);
    if (found) return { ...found, at: at + found.at };
  }
  return null;
}

function effectProblem(
  { outcome, fault, webhook, hold }: StageFields,
  rule: RuleBody,
  subjects: Subjects,
): RuleProblem | null {
  const { on } = rule;
  if (isAboutWebhooks(on, subjects)) {
    if (outcome !== undefined || fault || !(webhook || hold))
      return problem("webhook", `a rule on ${on} takes webhook or hold, and neither outcome nor fault`);
    if (hold && (hold !== "webhook" || webhook))
      return problem("hold", `of a rule on ${on} must be webhook, and excludes the field webhook`);
    const found = webhook ? webhookFaultsProblem(webhook) : null;
    return found && problem(`webhook.${found.at}`, found.message);
  }
  if (webhook) return problem("webhook", `a rule on ${on} takes outcome or fault; webhook is for deliveries`);
  if (hold === "webhook") return problem("hold", `of a rule on ${on} must be request or reply`);
  if (outcome === undefined && !fault && !hold)
    return problem(
      "outcome",
      "is needed, or a fault or hold: one of them decides what matching requests get",
    );
  if (outcome !== undefined && fault?.error !== undefined)
    return problem("fault.error", "and outcome exclude each other");
  const targets = targetsOf(rule, subjects);
  const found = fault ? faultProblem(fault, targets) : null;
  if (found) return problem(`fault.${found.at}`, found.message);
  return outcome === undefined ? null : outcomeProblem(outcome, on, targets);
}

function outcomeProblem(outcome: string, on: string, targets: readonly AnyOperation[]): RuleProblem | null {
  const [first = [], ...others] = targets.map((target) => Object.keys(outcomesOf(target)));
  const known = first.filter((name) => others.every((names) => names.includes(name)));
  if (known.includes(outcome)) return null;
  const quoted = JSON.stringify(outcome.slice(0, 100));
  const subject = on === everyOperation ? "Not every operation has the" : `${on} has no`;
  const has = on === everyOperation ? "all have" : "it has";
  return {
    at: "outcome",
    code: "unknown_outcome",
    message: `${subject} outcome ${quoted}; ${has} ${known.join(", ")}`,
  };
}
