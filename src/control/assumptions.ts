import * as Type from "typebox";
import { controlRoutes } from "../contract/control-routes.js";
import { nullable } from "../contract/schemas.js";
import { assumptions } from "../service/assumptions.js";
import { operation } from "./operation.js";
import { items } from "./schemas.js";

const AssumptionView = Type.Object({
  id: Type.String(),
  question: Type.String(),
  default: Type.String(),
  reason: Type.String(),
  value: Type.Union([Type.String(), Type.Null()], {
    description: "Value in force. Null if the assumption cannot be switched",
  }),
  values: Type.Array(Type.String()),
  validated: Type.Union(
    [
      Type.Object({ checked_at: Type.String(), age: Type.String(), observed: nullable(Type.String()) }),
      Type.Null(),
    ],
    { description: "When `standin drift` checked it against the service, and what it found. Null if never" },
  ),
  alternatives: Type.Record(Type.String(), Type.String(), {
    description: "Meaning of each value other than the default",
  }),
});

export const listAssumptions = operation({
  id: "listAssumptions",
  route: controlRoutes.listAssumptions,
  summary: "List the questions that the interface leaves open, and how this sandbox answers them",
  auth: "control",
  reply: { 200: items(AssumptionView) },

  async handle({ sandbox }) {
    const validationOf = await sandbox.readValidations();
    const inForce: Readonly<Record<string, string>> = sandbox.assumptions;
    return {
      items: assumptions.map(({ switch: choice, ...row }) => ({
        ...row,
        value: inForce[row.id] ?? null,
        values: choice ? [choice.default, ...Object.keys(choice.alternatives)] : [],
        validated: validationOf(row.id),
        alternatives: choice?.alternatives ?? {},
      })),
    };
  },
});
