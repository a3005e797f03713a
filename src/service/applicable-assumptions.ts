/**
 * The assumptions that apply to an operation: the ones that it names, and the ones that follow from its schemas and
 * properties.
 */
import type { TObject } from "typebox";
import { errors } from "../contract/errors.js";
import type { AnyOperation } from "../contract/operation.js";
import { refusalsOf } from "../contract/refusals.js";
import { annotationsIn, fieldsIn } from "../contract/schema-walk.js";
import type { AssumptionId } from "./assumptions.js";

/** Assumptions that apply to every operation of the service. */
const everywhere: readonly AssumptionId[] = [
  "errors.body",
  "errors.types",
  "errors.validation_status",
  "errors.order",
  "http.paths",
  "http.browsers",
  "fields.unmarked",
  "rate_limits",
];

const hasOptionalField = (body: TObject): boolean => fieldsIn(body).some(({ isRequired }) => !isRequired);

function fromProperties(operation: AnyOperation): AssumptionId[] {
  const { auth, body, emits = [], freeTier, latency, plan, reply, upload } = operation;
  const refusals = refusalsOf(operation);
  const isPaid = refusals.includes("insufficient_balance");
  const applicable: [boolean, AssumptionId][] = [
    [auth === "key", "keys"],
    [auth === "session", "session_token"],
    [body !== undefined && !upload, "errors.body_limit"],
    [body !== undefined && !upload && hasOptionalField(body), "fields.null"],
    [upload !== undefined, "uploads.megabyte"],
    [upload !== undefined, "uploads.types"],
    [latency !== undefined, "latency"],
    [refusals.some((code) => errors[code].status === 422), "errors.other_statuses"],
    [reply[201] !== undefined, "http.created"],
    [plan !== undefined || refusals.includes("plan_required"), "plans"],
    [isPaid, "charging"],
    [isPaid, "charging.test_keys"],
    [freeTier === true, "balance"],
    [emits.length > 0, "webhooks.headers"],
    [emits.length > 0, "webhooks.bytes"],
    // The payload of verification.completed is documented.
    [emits.some((kind) => kind !== "verification.completed"), "webhooks.payload"],
  ];
  return applicable.flatMap(([applies, id]) => (applies ? [id] : []));
}

/** Returns the ids of the assumptions that apply to an operation of the service. */
export function assumptionsOf(operation: AnyOperation): ReadonlySet<string> {
  const { assumptions = [], refusesWhile = [], params, query, body, reply } = operation;
  return new Set([
    ...everywhere,
    ...fromProperties(operation),
    ...assumptions,
    ...refusesWhile.map(({ assumption }) => assumption),
    ...annotationsIn({ params, query, body, reply }, "x-assumption"),
  ]);
}
