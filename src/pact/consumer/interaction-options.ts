/** The options of `interaction()`: what is there can be said of this operation, and has the form that it must have. */
import type { ErrorCode } from "../../contract/errors.js";
import { toJsonSchema } from "../../contract/json-schema.js";
import type { AnyOperation } from "../../contract/operation.js";
import { isObject } from "../../world/json.js";
import { checkValue, show } from "./check-value.js";
import { checkNames, stateCalled } from "./find-by-name.js";

type Fields = Readonly<Record<string, unknown>>;

/** A provider state of the catalogue (`standin verify --states`), with parameters where it needs some. */
export type StateName = string | { name: string; params?: Fields };

export interface InteractionOptions {
  /** Absent: the operation and what it answers. Two of a pact with the same states, or one without, need two. */
  description?: string;
  /** What the client sends; absent: the required fields, with examples. */
  body?: Fields;
  /** Of the path. */
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string | number>>;
  /** Absent: the states that the operation needs. */
  state?: StateName | readonly StateName[];
  /** Of a success; absent: the operation's first. */
  status?: number;
  /** The fields that the client uses, with examples; absent: all that are always there and never null. */
  reply?: Fields | readonly unknown[];
  /** An error code: the call is refused, and the reply is that error. */
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

/** Throws a RangeError that says what is wrong, and what would be right. */
export function checkOptions(operation: AnyOperation, options: InteractionOptions): void {
  const { id } = operation;
  checkObject(`the options of ${id} are`, options);
  checkNames(`the options of ${id} have no`, optionNames, options);
  const { description, refused } = options;
  if (description !== undefined && (typeof description !== "string" || description === ""))
    throw new RangeError(`the description of ${id} is a text, not ${show(description)}`);
  for (const part of ["body", "params", "query"] as const) checkPart(operation, part, options[part]);
  for (const part of ["reply", "status"] as const)
    if (refused !== undefined && options[part] !== undefined)
      throw new RangeError(`${id} either answers with ${part} or is refused: name one of them`);
  for (const state of statesIn(options)) checkState(id, state);
}

/** The states that are named, in their order. */
export const statesIn = ({ state = [] }: InteractionOptions): readonly StateName[] =>
  [state].flat() as StateName[];

function checkPart(operation: AnyOperation, part: "body" | "params" | "query", value: unknown): void {
  if (value === undefined) return;
  if (!operation[part]) throw new RangeError(`${operation.id} takes no ${part}`);
  const name = part === "params" ? "path" : part;
  checkObject(`the ${name} of ${operation.id} is`, value);
}

function checkObject(what: string, value: unknown): void {
  if (isObject(value)) return;
  throw new RangeError(`${what} an object, not ${show(value)}`);
}

function checkState(id: string, state: StateName): void {
  const { name, params = {}, ...others } = typeof state === "string" ? { name: state } : (state ?? {});
  if (typeof name !== "string" || Object.keys(others).length > 0)
    throw new RangeError(`a state of ${id} is a name or { name, params }, not ${show(state)}`);
  const shape = toJsonSchema(stateCalled(name).params);
  const title = `the state ${JSON.stringify(name)}`;
  checkObject(`the parameters of ${title} are`, params);
  checkNames(`${title} has no parameter`, Object.keys(shape.properties ?? {}), params);
  checkValue(`the parameters of ${title}`, shape, params);
}
