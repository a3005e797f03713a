/** What a consumer test names, checked when it runs: a wrong name is answered with the nearest right one. */
import { closest } from "fastest-levenshtein";
import type { AnyOperation } from "../../contract/operation.js";
import { serviceOperations } from "../../service/index.js";
import type { ProviderState } from "../provider-states/define-state.js";
import { providerStates } from "../provider-states/provider-states.js";
import { type OperationName, operationNames } from "./operation-names.js";

export function notKnown(what: string, name: unknown, known: readonly string[]): string {
  const nearest = known.length > 0 ? `; the nearest is ${JSON.stringify(closest(String(name), known))}` : "";
  return `${what} ${JSON.stringify(name)}${nearest}`;
}

/** Throws a RangeError. */
export function wrong(what: string, name: unknown, known: readonly string[]): never {
  throw new RangeError(notKnown(what, name, known));
}

export function checkNames(what: string, known: readonly string[], given: object): void {
  for (const name of Object.keys(given)) if (!known.includes(name)) wrong(what, name, known);
}

export function operationCalled(id: OperationName): AnyOperation {
  const found = serviceOperations.find((operation) => operation.id === id);
  if (!found) return wrong("there is no operation", id, operationNames);
  if (operationNames.includes(id)) return found;
  throw new RangeError(`${id} takes or answers with files: write its interaction with Pact's own builder`);
}

export function stateCalled(name: string): ProviderState {
  const found = providerStates.find((state) => state.name === name);
  const names = providerStates.map((state) => state.name);
  return found ?? wrong("there is no provider state", name, names);
}
