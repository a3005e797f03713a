/** Looks up the names that a consumer test gives. Errors suggest the nearest known name. */
import { formatNearest } from "../../contract/nearest.js";
import type { AnyOperation } from "../../contract/operation.js";
import { type JsonOperationId, jsonOperationIds, serviceOperations } from "../../service/index.js";
import type { ProviderState } from "../provider-states/define-state.js";
import { type ProviderStateName, providerStates } from "../provider-states/provider-states.js";

export function describeUnknown(problem: string, name: unknown, known: readonly string[]): string {
  const [asked, ...quoted] = [String(name), ...known].map((one) => JSON.stringify(one));
  return `${problem} ${asked}${formatNearest(asked as string, quoted, { maxDistance: Number.POSITIVE_INFINITY })}`;
}

/** Throws a RangeError unless every key of the object is known. */
export function checkNames(problem: string, known: readonly string[], object: object): void {
  const unknown = Object.keys(object).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new RangeError(describeUnknown(problem, unknown, known));
}

export function requireOperation(id: JsonOperationId): AnyOperation {
  const found = serviceOperations.find((operation) => operation.id === id);
  if (!found) throw new RangeError(describeUnknown("there is no operation", id, jsonOperationIds));
  if (jsonOperationIds.includes(id)) return found;
  throw new RangeError(`${id} takes or answers with files: write its interaction with Pact's own builder`);
}

export function findProviderState(name: string): ProviderState<ProviderStateName> {
  const found = providerStates.find((state) => state.name === name);
  if (found) return found;
  const known = providerStates.map((state) => state.name);
  throw new RangeError(describeUnknown("there is no provider state", name, known));
}
