/** The sandbox's knowledge of the service: contracts, outcomes with their test values, and assumptions. */
import * as Type from "typebox";
import { methodOf, pathOf } from "../contract/operation.js";
import { nullable } from "../contract/schemas.js";
import { defaultOutcome, outcomesOf } from "../rules/outcomes.js";
import { assumptions } from "../service/assumptions.js";
import { testValues } from "../service/test-values.js";
import { collection } from "./collection.js";
import { operation } from "./operation.js";
import { NullableString, OpaqueObject } from "./schemas.js";

export const getServiceContract = operation({
  id: "getServiceContract",
  summary: "Get the service's contract as OpenAPI 3.1",
  auth: "none",
  reply: { 200: OpaqueObject },
  handle: ({ sandbox, baseUrl }) => sandbox.contract("service", baseUrl),
});

export const getControlContract = operation({
  id: "getControlContract",
  summary: "Get the control API's contract as OpenAPI 3.1",
  reply: { 200: OpaqueObject },
  handle: ({ sandbox, baseUrl }) => sandbox.contract("control", baseUrl),
});

const OperationOutcomes = Type.Object({
  operation: Type.String(),
  method: Type.String(),
  path: Type.String(),
  summary: Type.String(),
  default: NullableString,
  outcomes: Type.Array(Type.Object({ name: Type.String(), description: Type.String() })),
  test_values: Type.Array(
    Type.Object({ where: Type.String(), value: Type.String(), outcome: Type.String(), note: Type.String() }),
  ),
});

export const { list: listOutcomes } = collection({
  of: OperationOutcomes,
  paging: "whole",
  items: ({ sandbox }) => sandbox.operations,
  view: (listed) => ({
    operation: listed.id,
    method: methodOf(listed),
    path: pathOf(listed),
    summary: listed.summary,
    default: defaultOutcome(listed),
    outcomes: Object.entries(outcomesOf(listed)).map(([name, description]) => ({ name, description })),
    test_values: testValues
      .filter(({ operations }) => operations.includes(listed.id))
      .map(({ where, value, outcome, note }) => ({ where, value, outcome, note })),
  }),
  list: {
    id: "listOutcomes",
    summary: "List the outcomes of every operation and the test values that request them",
  },
});

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

export const { list: listAssumptions } = collection({
  of: AssumptionView,
  paging: "whole",
  items: async ({ sandbox }) => {
    const validationOf = await sandbox.readValidations();
    const inForce: Readonly<Record<string, string>> = sandbox.assumptions;
    return assumptions.map(({ switch: choice, ...row }) => ({
      ...row,
      value: inForce[row.id] ?? null,
      values: choice ? [choice.default, ...Object.keys(choice.alternatives)] : [],
      validated: validationOf(row.id),
      alternatives: choice?.alternatives ?? {},
    }));
  },
  view: (assumption) => assumption,
  list: {
    id: "listAssumptions",
    summary: "List the questions that the interface leaves open, and how this sandbox answers them",
  },
});
