/**
 * The assumption catalogue: every question that the interface leaves open, how the sandbox answers it, and the
 * assumptions that apply to an operation.
 */
import type { TObject, TSchema } from "typebox";
import { type Assumption, resolveValues, type ValuesOf } from "../contract/assumptions/assumption.js";
import { generalAssumptions } from "../contract/assumptions/general.js";
import { errors } from "../contract/errors.js";
import type { AnyOperation } from "../contract/operation.js";
import { refusalsOf } from "../contract/refusals.js";
import { annotationsIn, fieldsIn } from "../contract/schema-walk.js";
import type { While } from "../contract/schemas.js";
import { accountRows } from "./account/assumptions.js";
import { addressRows } from "./address/assumptions.js";
import { auditRows } from "./audits/assumptions.js";
import { businessRows } from "./business/assumptions.js";
import { channelRows } from "./channels/assumptions.js";
import { domainRows } from "./domains/assumptions.js";
import { identityRows } from "./identity/assumptions.js";
import { mediaRows } from "./media/assumptions.js";
import { phoneRows } from "./phone/assumptions.js";
import { sessionRows } from "./sessions/assumptions.js";
import { toolRows } from "./tools/assumptions.js";
import { webhookRows } from "./webhooks/assumptions.js";

const catalogue = [
  ...generalAssumptions,
  ...accountRows,
  ...phoneRows,
  ...identityRows,
  ...addressRows,
  ...sessionRows,
  ...auditRows,
  ...domainRows,
  ...mediaRows,
  ...toolRows,
  ...channelRows,
  ...businessRows,
  ...webhookRows,
] as const;

export const assumptions: readonly Assumption[] = catalogue;

/** An entry of the catalogue, by its literal types. */
export type CataloguedAssumption = (typeof catalogue)[number];

export type AssumptionId = CataloguedAssumption["id"];

/** The value in force of every assumption that can be switched. */
export type Assumptions = ValuesOf<CataloguedAssumption>;
export type SwitchId = keyof Assumptions;

/** Returns the values in force: the defaults, overridden by each layer in turn (config, environment, flags). */
export const resolveAssumptions = (...layers: readonly Readonly<Record<string, unknown>>[]): Assumptions =>
  resolveValues(catalogue, layers);

/** Returns options that name the schema which replaces this one while the assumption has this value. */
export const whileIn = <Id extends SwitchId>(assumption: Id, value: Assumptions[Id], schema: TSchema) => ({
  "x-assumption": assumption,
  "x-while": { assumption, value, schema } satisfies While,
});

// The assumptions that apply to an operation: the ones that it names, and the ones that follow from its schemas and
// properties.

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
