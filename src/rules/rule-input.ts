/** A rule as a tester writes it, for the control API and for scenario files, and what is wrong with it. */
import { closest } from "fastest-levenshtein";
import * as Type from "typebox";
import { eventKinds } from "../contract/events.js";
import { formatNearest } from "../contract/nearest.js";
import type { AnyOperation } from "../contract/operation.js";
import { Adversity, adversityProblem, everyWebhook } from "./adversity.js";
import { Fault, faultProblem } from "./faults.js";
import { toExpectation } from "./matching.js";
import { everyOperation, outcomesOf } from "./outcomes.js";
import type { RuleEffect, RuleFields } from "./rules.js";

const parts = (description: string) =>
  Type.Optional(Type.Object({}, { additionalProperties: true, description }));

export const RuleMatch = Type.Object(
  {
    path: Type.Optional(Type.String()),
    params: parts("Of the path"),
    query: parts("Texts, or arrays of them"),
    headers: Type.Optional(Type.Record(Type.String(), Type.String())),
    body: parts("JSON fields, or the text fields of a form"),
    files: parts("By field: {filename, type, size, sha256}"),
    event: Type.Optional(Type.String({ description: "Of a delivery: the event's kind" })),
    data: parts("Of a delivery: the event's data"),
    url: Type.Optional(Type.String({ description: "Of a delivery: the endpoint's" })),
  },
  {
    additionalProperties: false,
    description:
      "Every part that is present must match: objects by the fields named, arrays whole, `/…/` as a regular expression for the whole value, `<string>`, `<integer>`, `<any>`, `<absent>` and the like by type",
  },
);

const effect = {
  outcome: Type.Optional(Type.String({ examples: ["sms_failed"], description: "Of an operation" })),
  fault: Type.Optional(Fault),
  webhook: Type.Optional(Adversity),
};
const uses = {
  times: Type.Optional(Type.Integer({ minimum: 1, description: "Uses; absent: without end" })),
  probability: Type.Optional(
    Type.Number({ exclusiveMinimum: 0, maximum: 1, description: "Drawn from the account's seed; default 1" }),
  ),
};

/** One of the things that a rule becomes, one after the other. */
const Stage = Type.Object({ ...effect, ...uses }, { additionalProperties: false });

export const RuleInput = Type.Object(
  {
    on: Type.String({
      description: "Operation id, or * for each; for deliveries an event kind, or webhooks for each",
      examples: ["startPhoneVerification"],
    }),
    when: Type.Optional(RuleMatch),
    ...effect,
    ...uses,
    priority: Type.Optional(Type.Integer({ description: "Higher counts first; default 0" })),
    after: Type.Optional(Type.Integer({ minimum: 0, description: "So many matches are let pass first" })),
    next: Type.Optional(
      Type.Array(Stage, {
        description: "What the rule becomes when its times are over, one after the other",
      }),
    ),
  },
  { additionalProperties: false },
);
export type RuleInput = Type.Static<typeof RuleInput>;

export interface RuleProblem {
  /** Of the rule's fields, with dots. */
  at: string;
  code: "validation_error" | "unknown_outcome";
  message: string;
}

const problem = (at: string, message: string): RuleProblem => ({ at, code: "validation_error", message });

/** The rule's fields, or what is wrong with an input that fits its schema. */
export function toRule(
  input: RuleInput,
  operations: readonly AnyOperation[],
): { fields: RuleFields } | { problem: RuleProblem } {
  const wrong =
    subjectProblem(input, operations) ??
    matchProblem(input) ??
    stagesProblem(input, targetsOf(input, operations));
  return wrong ? { problem: wrong } : { fields: input };
}

const isAboutWebhooks = (on: string): boolean =>
  on === everyWebhook || (eventKinds as readonly string[]).includes(on);

/** The operations that a rule is about; none: it is about deliveries. */
const targetsOf = ({ on }: RuleInput, operations: readonly AnyOperation[]): readonly AnyOperation[] =>
  on === everyOperation ? operations : operations.filter(({ id }) => id === on);

function subjectProblem({ on }: RuleInput, operations: readonly AnyOperation[]): RuleProblem | null {
  const names = [...operations.map(({ id }) => id), everyOperation, everyWebhook, ...eventKinds];
  if (names.includes(on)) return null;
  const asked = on.slice(0, 100);
  const nearest = closest(asked, names);
  return problem("on", `there is no operation or event ${JSON.stringify(asked)}; the nearest is ${nearest}`);
}

const partsOfDelivery = ["event", "data", "url"];

function matchProblem({ on, when = {} }: RuleInput): RuleProblem | null {
  const ofDelivery = isAboutWebhooks(on);
  const foreign = Object.keys(when).find((part) => partsOfDelivery.includes(part) !== ofDelivery);
  if (foreign) {
    const right = ofDelivery ? partsOfDelivery.join(", ") : "path, params, query, headers, body, files";
    return problem(`when.${foreign}`, `a rule on ${on} matches by ${right}`);
  }
  let wrong: RuleProblem | null = eventProblem(when.event);
  try {
    toExpectation(when as Parameters<typeof toExpectation>[0], (at, reason) => {
      wrong = problem(`when.${at}`, reason);
      throw new InvalidPattern();
    });
  } catch (error) {
    if (!(error instanceof InvalidPattern)) throw error;
  }
  return wrong;
}

/** Patterns, types and what a scenario fills in are left out. */
function eventProblem(event: string | undefined): RuleProblem | null {
  if (event === undefined || /^[/<]|\$\{/.test(event)) return null;
  if ((eventKinds as readonly string[]).includes(event)) return null;
  const asked = event.slice(0, 100);
  const nearest = formatNearest(asked, eventKinds) || `; there is ${eventKinds.join(", ")}`;
  return problem("when.event", `there is no event ${JSON.stringify(asked)}${nearest}`);
}

class InvalidPattern extends Error {}

type Stage = RuleEffect & { times?: number };

/** A rule and what it becomes: each must do something that fits what the rule is about. */
function stagesProblem(input: RuleInput, targets: readonly AnyOperation[]): RuleProblem | null {
  const stages: readonly Stage[] = [input, ...(input.next ?? [])];
  for (const [index, stage] of stages.entries()) {
    const at = index === 0 ? "" : `next.${index - 1}.`;
    const endless = stage.times === undefined && index < stages.length - 1;
    const wrong = endless
      ? problem("times", "is needed where something comes next: so often until it does")
      : effectProblem(stage, input.on, targets);
    if (wrong) return { ...wrong, at: at + wrong.at };
  }
  return null;
}

function effectProblem(
  { outcome, fault, webhook }: Stage,
  on: string,
  targets: readonly AnyOperation[],
): RuleProblem | null {
  if (isAboutWebhooks(on)) {
    if (!webhook || outcome !== undefined || fault)
      return problem("webhook", `a rule on ${on} takes webhook, and neither outcome nor fault`);
    const wrong = adversityProblem(webhook);
    return wrong && problem(`webhook.${wrong.at}`, wrong.message);
  }
  if (webhook) return problem("webhook", `a rule on ${on} takes outcome or fault; webhook is for deliveries`);
  if (outcome === undefined && !fault)
    return problem("outcome", "is needed, or a fault: what the requests that match shall get");
  if (outcome !== undefined && fault?.error !== undefined)
    return problem("fault.error", "and outcome exclude each other");
  const wrong = fault ? faultProblem(fault, targets) : null;
  if (wrong) return problem(`fault.${wrong.at}`, wrong.message);
  return outcome === undefined ? null : outcomeProblem(outcome, on, targets);
}

function outcomeProblem(outcome: string, on: string, targets: readonly AnyOperation[]): RuleProblem | null {
  const [first = [], ...others] = targets.map((target) => Object.keys(outcomesOf(target)));
  const known = first.filter((name) => others.every((names) => names.includes(name)));
  if (known.includes(outcome)) return null;
  const asked = JSON.stringify(outcome.slice(0, 100));
  const who = on === everyOperation ? "Not every operation has the" : `${on} has no`;
  const has = on === everyOperation ? "all have" : "it has";
  return {
    at: "outcome",
    code: "unknown_outcome",
    message: `${who} outcome ${asked}; ${has} ${known.join(", ")}`,
  };
}
