/** Generates contracts/scenario.schema.json, the JSON Schema of scenario files for editors, with all allowed names. */

import { type AnyOperation, isServiceOperation, toSnake } from "../contract/operation.js";
import { outcomesOf } from "../rules/outcomes.js";
import { everyOperation, everyWebhook } from "../rules/rule-input.js";
import { eventKinds } from "../service/webhooks/events.js";
import { actionsOf, fieldsOf, findAction } from "./actions.js";
import { serviceRoutes, stepRoutes } from "./check-scenario.js";
import { GivenMoves, type GivenSection, sections } from "./given-sections.js";
import { ScenarioFile } from "./scenario-file.js";

type Operations = readonly AnyOperation[];
type Schema = Record<string, unknown>;

/** A reference may replace any value. */
const reference = { type: "string", pattern: "\\$\\{.+\\}" };
const orReference = (schema: unknown): Schema => ({ anyOf: [schema, reference] });

function itemOf(section: GivenSection, operations: Operations): Schema {
  const action = findAction(operations, section.operation) as AnyOperation;
  const words = Object.entries(section.words ?? {}).map(([word, moves]) => {
    const description = `The ${moves.length === 1 ? "move" : "moves"} ${moves.join(", ")}; an object is the input of the last move`;
    return [word, { type: ["boolean", "object"], description }];
  });
  const fields = Object.entries(fieldsOf(action)).map(([name, schema]) => [name, orReference(schema)]);
  return {
    type: "object",
    properties: {
      ...Object.fromEntries([...fields, ...words]),
      ...(isServiceOperation(action) ? { outcome: { enum: Object.keys(outcomesOf(action)) } } : {}),
      moves: GivenMoves,
    },
    additionalProperties: false,
  };
}

function givenSchema(operations: Operations): Schema {
  const made = Object.entries(sections).map(([name, section]) => {
    const item = itemOf(section, operations);
    const { description } = section;
    return [name, section.isSingle ? { ...item, description } : { type: "array", items: item, description }];
  });
  const { clock } = (ScenarioFile.properties.given as unknown as { properties: Schema }).properties;
  return { type: "object", properties: { clock, ...Object.fromEntries(made) }, additionalProperties: false };
}

interface StepSchema {
  properties: Record<string, Schema & { properties?: Record<string, Schema> }>;
}

/** Offers the known routes, and accepts any path for routes with parameters. */
const routeOf = (routes: readonly string[], description: unknown): Schema => {
  const methods = [...new Set(routes.map((route) => route.split(" ")[0]))];
  return { anyOf: [{ enum: routes }, { pattern: `^(?:${methods.join("|")}) /` }], description };
};

function nameInSteps({ anyOf }: { anyOf: StepSchema[] }, operations: Operations): void {
  for (const { properties } of anyOf) {
    const { call, control, webhook, receive } = properties;
    if (call) properties.call = routeOf(serviceRoutes(operations), call.description);
    if (control) properties.control = routeOf(stepRoutes(operations), control.description);
    if (webhook)
      properties.webhook = { ...orReference({ enum: eventKinds }), description: webhook.description };
    if (receive?.properties?.events)
      receive.properties.events = { type: "array", items: { enum: ["*", ...eventKinds] } };
  }
}

export function scenarioSchema(operations: Operations): object {
  const plain = JSON.parse(JSON.stringify(ScenarioFile)) as {
    properties: Record<string, { items: { properties: Record<string, Schema> } }>;
  };
  const { rules, timeline, ...others } = plain.properties;
  const service = operations.filter(isServiceOperation).map(({ id }) => id);
  if (rules) rules.items.properties.on = { enum: [...service, everyOperation, ...eventKinds, everyWebhook] };
  nameInSteps(plain.properties.steps?.items as unknown as { anyOf: StepSchema[] }, operations);
  if (timeline) timeline.items.properties.do = { enum: actionsOf(operations).map(({ id }) => toSnake(id)) };
  const whole = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Standin scenario",
    ...plain,
    properties: { ...others, given: givenSchema(operations), rules, timeline },
  };
  // Annotations for the built-in checks mean nothing to an editor.
  return JSON.parse(JSON.stringify(whole, (key, value) => (key.startsWith("x-") ? undefined : value)));
}
