/** The assumption catalogue: every question that the interface leaves open, and how the sandbox answers it. */
import { accessRows } from "./assumptions/access.js";
import type { Assumption } from "./assumptions/assumption.js";
import { businessRows } from "./assumptions/business.js";
import { channelRows } from "./assumptions/channels.js";
import { errorRows } from "./assumptions/errors.js";
import { productRows } from "./assumptions/products.js";
import { requestRows } from "./assumptions/requests.js";
import { verificationRows } from "./assumptions/verification.js";
import { webhookRows } from "./assumptions/webhooks.js";

export type { Assumption };

const catalogue = [
  ...errorRows,
  ...requestRows,
  ...accessRows,
  ...verificationRows,
  ...productRows,
  ...channelRows,
  ...businessRows,
  ...webhookRows,
] as const;

export const assumptions: readonly Assumption[] = catalogue;

export type AssumptionId = (typeof catalogue)[number]["id"];

type Switchable = Extract<(typeof catalogue)[number], { switch: object }>;
export type SwitchId = Switchable["id"];

/** The value in force of every assumption that can be switched. */
export type Assumptions = {
  readonly [Id in SwitchId]:
    | Extract<Switchable, { id: Id }>["switch"]["default"]
    | (keyof Extract<Switchable, { id: Id }>["switch"]["alternatives"] & string);
};

const switches = new Map(assumptions.flatMap((row) => (row.switch ? [[row.id, row.switch] as const] : [])));

/** The assumption does not exist, cannot be switched, or does not have the value. */
export class UnknownAssumption extends Error {}

/** Returns the values in force: the defaults, overridden by each layer in turn (config, environment, flags). */
export function resolveAssumptions(...layers: readonly Readonly<Record<string, unknown>>[]): Assumptions {
  const values: Record<string, string> = {};
  for (const [id, { default: value }] of switches) values[id] = value;
  for (const layer of layers) {
    for (const [id, value] of Object.entries(layer)) {
      const row = switches.get(id);
      if (!row) {
        const known = [...switches.keys()].join(", ");
        throw new UnknownAssumption(`assumption ${id} cannot be switched; those that can: ${known}`);
      }
      const allowed = [row.default, ...Object.keys(row.alternatives)];
      if (!allowed.includes(String(value))) {
        throw new UnknownAssumption(
          `assumption ${id} cannot be ${JSON.stringify(value)}; it can be ${allowed.join(" or ")}`,
        );
      }
      values[id] = String(value);
    }
  }
  return values as Assumptions;
}
