/** The assumption catalogue: every question that the interface leaves open, and how the sandbox answers it. */
import type { TSchema } from "typebox";
import { type Assumption, resolveValues, type ValuesOf } from "../contract/assumptions/assumption.js";
import { generalAssumptions } from "../contract/assumptions/general.js";
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
