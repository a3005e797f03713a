import * as Type from "typebox";
import { nullable } from "../contract/schemas.js";
import { ruleProblem } from "../rules/check-rule.js";
import { MatchFields, RuleBody } from "../rules/rule-input.js";
import { addRule, listRules, removeRule, type StoredRule, whyStopped } from "../rules/rules.js";
import { events } from "../service/webhooks/events.js";
import { collection } from "./collection.js";
import { operation } from "./operation.js";

const effect = Type.Pick(RuleBody, ["outcome", "fault", "webhook", "hold"]).properties;

const RuleView = Type.Object({
  id: Type.String(),
  on: Type.String(),
  when: MatchFields,
  ...effect,
  priority: Type.Integer(),
  after: Type.Integer({ description: "Number of matches that still pass before the rule applies" }),
  times: nullable(Type.Integer(), { description: "Uses left. Null if unlimited" }),
  probability: Type.Number(),
  next: Type.Array(
    Type.Object({
      ...effect,
      times: Type.Optional(Type.Integer()),
      probability: Type.Optional(Type.Number()),
    }),
    { description: "Effects that apply one after the other once all uses are spent" },
  ),
  scenario: nullable(Type.String(), {
    description: "Scenario that added the rule and removes it when it ends",
  }),
  used: Type.Integer({ description: "Number of uses" }),
  stopped: Type.Optional(
    Type.String({ description: "Why the rule does not apply, such as a pattern that is no longer accepted" }),
  ),
  created_at: Type.String(),
});

function viewRule(rule: StoredRule): Type.Static<typeof RuleView> {
  const stopped = whyStopped(rule);
  return { ...(rule as Type.Static<typeof RuleView>), ...(stopped === null ? {} : { stopped }) };
}

export const { list: listRulesOperation, remove: deleteRule } = collection({
  of: RuleView,
  paging: "whole",
  items: ({ account }) => listRules(account),
  view: viewRule,
  list: {
    id: "listRules",
    summary: "List the account's rules in the order in which they apply: by priority, then newest first",
  },
  remove: { id: "deleteRule", summary: "Remove a rule", noun: "rule", remove: removeRule },
});

export const createRule = operation({
  id: "createRule",
  summary: "Add a rule that gives matching requests an outcome or a fault, or disturbs webhook deliveries",
  body: RuleBody,
  reply: { 201: RuleView },
  refuses: ["validation_error", "unknown_outcome"],

  handle({ account, body, sandbox, refuse }) {
    const problem = ruleProblem(body, { operations: sandbox.operations, events });
    if (problem) {
      const { at, code, message } = problem;
      return refuse(code, { param: at, message: `${at}: ${message}.` });
    }
    return viewRule(addRule(account, body));
  },
});
