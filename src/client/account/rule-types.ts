/** Rules: the schemas of the control API, with the names of operations, outcomes, errors and events as types. */
import type { BodyOf, ItemOf } from "../../contract/operation.js";
import type { createRule, listRulesOperation } from "../../control/rules.js";
import type { ErrorCode, EventKind, OperationId, OutcomeName } from "./names.js";

type Input = BodyOf<typeof createRule>;
type Listed = ItemOf<typeof listRulesOperation>;

/** Subject of a rule: an operation, or `*` for all; for deliveries an event kind, or `webhooks` for all. */
export type RuleSubject = OperationId | "*" | EventKind | "webhooks";

/** Conditions of a rule. Every given part must match: objects by the given fields, `/…/` by pattern. */
export interface RuleMatch extends Omit<NonNullable<Input["when"]>, "event"> {
  event?: EventKind | `/${string}/` | `<${string}>`;
}

/** A failure between client and service. `error` must be a code that the operation declares. */
export interface Fault extends Omit<NonNullable<Input["fault"]>, "error"> {
  error?: ErrorCode;
}

/** A disturbance of webhook deliveries. */
export type Adversity = NonNullable<Input["webhook"]>;

/** Effect of a rule: an outcome, a fault or both on requests, `webhook` on deliveries; or something is held. */
export interface RuleEffect {
  outcome?: OutcomeName;
  fault?: Fault;
  webhook?: Adversity;
  hold?: NonNullable<Input["hold"]>;
}

/** An effect with its number of uses (default: unlimited) and its probability (default 1). */
export interface RuleStage extends RuleEffect, Pick<Input, "times" | "probability"> {}

/**
 * A rule to add. `after` is the number of matches to let pass first, `next` the effects that follow once the uses are
 * used up.
 */
export interface RuleInput extends RuleStage, Pick<Input, "priority" | "after"> {
  on: RuleSubject;
  when?: RuleMatch;
  next?: RuleStage[];
}

/** A rule of the account. `times` is the number of uses left, null if unlimited. */
export interface Rule extends RuleEffect, Omit<Listed, keyof RuleEffect | "on" | "when" | "next"> {
  on: RuleSubject;
  when: RuleMatch;
  next: RuleStage[];
}
