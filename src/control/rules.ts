import { closest } from "fastest-levenshtein";
import * as Type from "typebox";
import { outcomesOf } from "../scenarios/outcomes.js";
import { addRule, listRules, removeRule } from "../scenarios/rules.js";
import { operation } from "./operation.js";
import { Anything, ById, Deleted, items } from "./schemas.js";

const Match = Type.Object(
  {
    path: Type.Optional(Type.String()),
    query: Type.Optional(Anything),
    headers: Type.Optional(Type.Record(Type.String(), Type.String())),
    body: Type.Optional(Anything),
  },
  {
    additionalProperties: false,
    description: "Every part that is present must match; objects by the fields named",
  },
);

const RuleView = Type.Object({
  id: Type.String(),
  on: Type.String(),
  when: Match,
  outcome: Type.String(),
  times: Type.Union([Type.Integer(), Type.Null()], { description: "Uses left; null: without end" }),
  probability: Type.Number(),
  used: Type.Integer(),
  created_at: Type.String(),
});

export const listRulesOperation = operation({
  id: "listRules",
  route: "GET /_sandbox/rules",
  summary: "The account's rules, newest first: the first that matches decides",
  auth: "control",
  reply: { 200: items(RuleView) },
  handle: ({ account }) => ({ items: listRules(account) }),
});

export const createRule = operation({
  id: "createRule",
  route: "POST /_sandbox/rules",
  summary: "Give requests that match an outcome",
  auth: "control",
  body: Type.Object(
    {
      on: Type.String({ description: "Operation id", examples: ["startPhoneVerification"] }),
      when: Type.Optional(Match),
      outcome: Type.String({ examples: ["sms_failed"] }),
      times: Type.Optional(Type.Integer({ minimum: 1 })),
      probability: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1 })),
    },
    { additionalProperties: false },
  ),
  reply: { 201: RuleView },
  refuses: ["validation_error", "unknown_outcome"],

  handle({ account, body, sandbox, refuse }) {
    const target = sandbox.operations.find(({ id }) => id === body.on);
    if (!target) {
      const guess = closest(
        body.on.slice(0, 100),
        sandbox.operations.map(({ id }) => id),
      );
      return refuse("validation_error", {
        param: "on",
        message: `There is no operation ${JSON.stringify(body.on.slice(0, 100))}; the nearest is ${guess}.`,
      });
    }
    const known = Object.keys(outcomesOf(target));
    if (!known.includes(body.outcome)) {
      const message = `${target.id} has no outcome ${JSON.stringify(body.outcome.slice(0, 100))}; it has ${known.join(", ")}.`;
      return refuse("unknown_outcome", { param: "outcome", message });
    }
    return addRule(account, {
      on: body.on,
      when: body.when ?? {},
      outcome: body.outcome,
      times: body.times ?? null,
      probability: body.probability ?? 1,
    });
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
