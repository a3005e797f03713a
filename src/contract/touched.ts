/** Which assumptions shape an operation: those it names, those its schemas carry, and those that shape every one of its form. */
import type { SwitchId } from "./assumptions.js";
import { errors } from "./errors.js";
import type { AnyOperation } from "./operation.js";

/** The `x-assumption` notes of a schema, at whatever depth. */
function noted(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) =>
    key === "x-assumption" ? [String(value)] : noted(value),
  );
}

/** The switches of every operation of the service: each can be refused, and each takes a query at least. */
const everywhere: readonly SwitchId[] = ["errors.body", "errors.validation_status", "fields.unmarked"];

function byForm({ reply, refuses, emits = [] }: AnyOperation): SwitchId[] {
  const switches: SwitchId[] = [...everywhere];
  if (refuses.some((code) => errors[code].status === 422)) switches.push("errors.other_statuses");
  if (reply[201]) switches.push("http.created");
  if (emits.length > 0) switches.push("webhooks.headers");
  // What verification.completed carries is documented.
  if (emits.some((kind) => kind !== "verification.completed")) switches.push("webhooks.payload");
  return switches;
}

/** Of an operation of the service: the control API is ours and is the same under every switch. */
export function assumptionsOf(operation: AnyOperation): ReadonlySet<string> {
  const { assumptions = [], params, query, body, reply } = operation;
  return new Set([...assumptions, ...noted({ params, query, body, reply }), ...byForm(operation)]);
}
