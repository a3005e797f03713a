/** The assumptions that apply to an operation: those that it names, and those that follow from its schemas and properties. */
import type { SwitchId } from "./assumptions.js";
import { errors } from "./errors.js";
import type { AnyOperation } from "./operation.js";

/** Returns the `x-assumption` notes of a schema at any depth. */
function noted(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) =>
    key === "x-assumption" ? [String(value)] : noted(value),
  );
}

/** Assumptions that apply to every operation of the service. */
const everywhere: readonly SwitchId[] = ["errors.body", "errors.validation_status", "fields.unmarked"];

function fromProperties({ reply, refuses, emits = [] }: AnyOperation): SwitchId[] {
  const switches: SwitchId[] = [...everywhere];
  if (refuses.some((code) => errors[code].status === 422)) switches.push("errors.other_statuses");
  if (reply[201]) switches.push("http.created");
  if (emits.length > 0) switches.push("webhooks.headers");
  // The payload of verification.completed is documented.
  if (emits.some((kind) => kind !== "verification.completed")) switches.push("webhooks.payload");
  return switches;
}

/** Returns the ids of the assumptions that apply to an operation of the service. */
export function assumptionsOf(operation: AnyOperation): ReadonlySet<string> {
  const { assumptions = [], params, query, body, reply } = operation;
  return new Set([...assumptions, ...noted({ params, query, body, reply }), ...fromProperties(operation)]);
}
