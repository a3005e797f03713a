import * as Type from "typebox";
import { ruleProblem } from "../rules/check-rule.js";
import { RuleInput, RuleMatch } from "../rules/rule-input.js";
import { addRule, listRules, removeRule } from "../rules/rules.js";
import { operation } from "./operation.js";
import { ById, Deleted, items } from "./schemas.js";

const stage = Type.Pick(RuleInput, ["outcome", "fault", "webhook"]).properties;

const RuleView = Type.Object({
  id: Type.String(),
  on: Type.String(),
  when: RuleMatch,
  ...stage,
  priority: Type.Integer(),
  after: Type.Integer({ description: "So many matches more are let pass" }),
  times: Type.Union([Type.Integer(), Type.Null()], { description: "Uses left; null: without end" }),
  probability: Type.Number(),
  next: Type.Array(
    Type.Object({
      ...stage,
      times: Type.Optional(Type.Integer()),
      probability: Type.Optional(Type.Number()),
    }),
    { description: "What it becomes when its times are over" },
  ),
  scenario: Type.Union([Type.String(), Type.Null()], { description: "The scenario with which it leaves" }),
  used: Type.Integer(),
  stopped: Type.Optional(
    Type.String({ description: "Why it does not count any more, such as patterns that took too long" }),
  ),
  created_at: Type.String(),
});

export const listRulesOperation = operation({
  id: "listRules",
  route: "GET /_sandbox/rules",
  summary: "The account's rules, those that count first first: by priority, then the newest",
  auth: "control",
  reply: { 200: items(RuleView) },
  handle: ({ account }) => ({ items: listRules(account) as Type.Static<typeof RuleView>[] }),
});

export const createRule = operation({
  id: "createRule",
  route: "POST /_sandbox/rules",
  summary: "Give requests that match an outcome or a fault, or make webhook deliveries go wrong",
  auth: "control",
  body: RuleInput,
  reply: { 201: RuleView },
  refuses: ["validation_error", "unknown_outcome"],

  handle({ account, body, sandbox, refuse }) {
    const problem = ruleProblem(body, sandbox.operations);
    if (problem) {
      const { at, code, message } = problem;
      return refuse(code, { param: at, message: `${at}: ${message}.` });
    }
    return addRule(account, body) as Type.Static<typeof RuleView>;
  },
});

export const deleteRule = operation({
  id: "deleteRule",
  route: "DELETE /_sandbox/rules/{id}",
  summary: "Remove a rule",
  auth: "control",
  params: ById,
  reply: { 200: Deleted },
  refuses: ["resource_not_found"],

  handle({ account, params: { id }, refuse }) {
    if (!removeRule(account, id))
      refuse("resource_not_found", { param: "id", message: `There is no rule ${id} on this account.` });
    return { id, deleted: true as const };
  },
});
