/** The options of `interaction()`, and the checks that do not depend on what is sent. */
import type { ErrorCode } from "../../contract/errors.js";
import { isObject } from "../../contract/json.js";
import { toJsonSchema } from "../../contract/json-schema.js";
import type { AnyOperation } from "../../contract/operation.js";
import type { Fields } from "../../scenarios/given-sections.js";
import { checkValue, formatValue } from "./check-value.js";
import { checkNames, findProviderState } from "./find-by-name.js";

/** A provider state of the catalogue (`standin verify --states`), with parameters if it takes any. */
export type StateName = string | { name: string; params?: Fields };

export interface InteractionOptions {
  /**
   * Default: the operation and its answer. Interactions of one pact with the same description must have different states,
   * and each must have some.
   */
  description?: string;
  /** JSON body that the client sends. Default: the required fields, with examples. */
  body?: Fields;
  /** Path parameters. Default: examples. */
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string | number>>;
  /** Default: the states that the operation requires for this answer. */
  state?: StateName | readonly StateName[];
  /** Success status. Default: the operation's first. */
  status?: number;
  /** Fields that the client uses, with examples. Default: every required field that cannot be null. */
  reply?: Fields | readonly unknown[];
  /** Error code of the refusal that the test expects. */
  refused?: ErrorCode;
}

const optionNames: readonly (keyof InteractionOptions)[] = [
  "description",
  "body",
  "params",
  "query",
  "state",
  "status",
  "reply",
  "refused",
];

/** Throws a RangeError that says what is wrong and what is expected. */
export function checkInteractionOptions(operation: AnyOperation, options: InteractionOptions): void {
  const { id } = operation;
  checkObject(`the options of ${id}`, options);
  checkNames(`the options of ${id} have no`, optionNames, options);
  const { description, refused } = options;
  if (description !== undefined && (typeof description !== "string" || description === ""))
    throw new RangeError(
      `the description of ${id} must be a non-empty string, not ${formatValue(description)}`,
    );
  for (const part of ["body", "params", "query"] as const) checkPart(operation, part, options[part]);
  for (const part of ["reply", "status"] as const)
    if (refused !== undefined && options[part] !== undefined)
      throw new RangeError(`${part} and refused of ${id} exclude each other: give one of them`);
  for (const state of statesIn(options)) checkState(id, state);
}

export const statesIn = ({ state = [] }: InteractionOptions): readonly StateName[] =>
  [state].flat() as StateName[];

function checkPart(operation: AnyOperation, part: "body" | "params" | "query", value: unknown): void {
  if (value === undefined) return;
  if (!operation[part]) throw new RangeError(`${operation.id} takes no ${part}`);
  checkObject(`${part} of ${operation.id}`, value);
}

function checkObject(name: string, value: unknown): void {
  if (!isObject(value)) throw new RangeError(`${name} must be an object, not ${formatValue(value)}`);
}

function checkState(id: string, state: StateName): void {
  const { name, params = {}, ...others } = typeof state === "string" ? { name: state } : (state ?? {});
  if (typeof name !== "string" || Object.keys(others).length > 0)
    throw new RangeError(`a state of ${id} must be a name or { name, params }, not ${formatValue(state)}`);
  const schema = toJsonSchema(findProviderState(name).params);
  const title = `the state ${JSON.stringify(name)}`;
  checkObject(`the parameters of ${title}`, params);
  checkNames(`${title} has no parameter`, Object.keys(schema.properties ?? {}), params);
  checkValue(`the parameters of ${title}`, schema, params);
}
