import * as Type from "typebox";
import { controlRoutes } from "../contract/control-routes.js";
import { methodOf, pathOf } from "../contract/operation.js";
import { defaultOutcome, outcomesOf } from "../rules/outcomes.js";
import { testValues } from "../service/test-values.js";
import { operation } from "./operation.js";
import { items, NullableString } from "./schemas.js";

const OperationOutcomes = Type.Object({
  operation: Type.String(),
  method: Type.String(),
  path: Type.String(),
  default: NullableString,
  outcomes: Type.Array(Type.Object({ name: Type.String(), description: Type.String() })),
  test_values: Type.Array(
    Type.Object({ where: Type.String(), value: Type.String(), outcome: Type.String(), note: Type.String() }),
  ),
});

export const listOutcomes = operation({
  id: "listOutcomes",
  route: controlRoutes.listOutcomes,
  summary: "List the outcomes of every operation and the test values that request them",
  auth: "control",
  reply: { 200: items(OperationOutcomes) },

  handle: ({ sandbox }) => ({
    items: sandbox.operations.map((listed) => ({
      operation: listed.id,
      method: methodOf(listed),
      path: pathOf(listed),
      default: defaultOutcome(listed),
      outcomes: Object.entries(outcomesOf(listed)).map(([name, description]) => ({ name, description })),
      test_values: testValues
        .filter(({ operations }) => operations.includes(listed.id))
        .map(({ where, value, outcome, note }) => ({ where, value, outcome, note })),
    })),
  }),
});
