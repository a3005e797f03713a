/** What a consumer test names, checked when it runs: a wrong name is answered with the nearest right one. */
import { closest } from "fastest-levenshtein";
import type { Operation } from "../../contract/operation.js";
import { serviceOperations } from "../../service/index.js";
import { isNullable, isOfType, type Shape, variantFor } from "../matching/shape.js";
import type { ProviderState } from "../state.js";
import { providerStates } from "../states.js";
import { type OperationName, operationNames } from "./operation-names.js";

/** Throws a RangeError. */
export function wrong(what: string, name: string, known: readonly string[]): never {
  const nearest = known.length > 0 ? `; the nearest is ${JSON.stringify(closest(name, known))}` : "";
  throw new RangeError(`${what} ${JSON.stringify(name)}${nearest}`);
}

export function operationCalled(id: OperationName): Operation<never> {
  const found = (serviceOperations as readonly Operation<never>[]).find((operation) => operation.id === id);
  if (!found) return wrong("there is no operation", id, operationNames);
  if (operationNames.includes(id)) return found;
  throw new RangeError(`${id} takes or answers with files: write its interaction with Pact's own builder`);
}

export function stateCalled(name: string, params: Readonly<Record<string, unknown>>): ProviderState {
  const found = providerStates.find((state) => state.name === name);
  if (!found)
    return wrong(
      "there is no provider state",
      name,
      providerStates.map((state) => state.name),
    );
  checkNames(
    `the state ${JSON.stringify(name)} has no parameter`,
    Object.keys(found.params.properties),
    params,
  );
  return found;
}

const checkNames = (what: string, known: readonly string[], given: object): void => {
  for (const name of Object.keys(given)) if (!known.includes(name)) wrong(what, name, known);
};

/** Every field of the value is one that the schema has, at whatever depth, and has a value that it may have. */
export function checkValue(what: string, whole: Shape, value: unknown): void {
  const shape = variantFor(whole, value);
  const { properties, items, enum: choices } = shape;
  if (value === null && (isNullable(whole) || shape.type === "null")) return;
  if (properties && isOfType({ type: "object" }, value)) {
    checkNames(`${what} has no field`, Object.keys(properties), value as object);
    for (const [name, inner] of Object.entries(value as object))
      checkValue(`${name} in ${what}`, properties[name] as Shape, inner);
  } else if (items && Array.isArray(value)) {
    for (const entry of value) checkValue(what, items, entry);
  } else if (choices) {
    if (!choices.includes(value)) wrong(`${what} cannot be`, String(value), choices.map(String));
  } else if (shape.const !== undefined ? shape.const !== value : !isOfType(shape, value)) {
    const right = shape.const === undefined ? `of type ${shape.type}` : JSON.stringify(shape.const);
    throw new RangeError(`${what} is ${right}, not ${JSON.stringify(value)}`);
  }
}

/** All that must be there is. */
export function checkWhole(what: string, { required = [] }: Shape, value: object): void {
  const missing = required.filter((name) => !(name in value));
  if (missing.length > 0) throw new RangeError(`${what} needs ${missing.join(", ")}`);
}
