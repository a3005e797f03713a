/** What the interface leaves open, as data: the question, our answer, its alternatives and why. */
import { catalogue } from "./assumption-catalogue.js";

export interface Assumption {
  readonly id: string;
  /** What the interface does not say. */
  readonly question: string;
  /** What this sandbox does. */
  readonly default: string;
  readonly reason: string;
  /** Present where a client can see the difference and it can be switched. */
  readonly switch?: { readonly default: string; readonly alternatives: Readonly<Record<string, string>> };
}

type Row = (typeof catalogue)[number];
type Switchable = Extract<Row, { switch: object }>;
export type SwitchId = Switchable["id"];

/** The value in force of every switch. */
export type Assumptions = {
  readonly [Id in SwitchId]:
    | Extract<Switchable, { id: Id }>["switch"]["default"]
    | (keyof Extract<Switchable, { id: Id }>["switch"]["alternatives"] & string);
};

export const assumptions: readonly Assumption[] = catalogue;
const switchable = new Map(assumptions.flatMap((row) => (row.switch ? [[row.id, row.switch] as const] : [])));

/** A switch that does not exist, or a value that it does not have. */
export class UnknownAssumption extends Error {}

/** The switches with their defaults, then with what the config, the environment and the flags say, in that order. */
export function resolveAssumptions(...layers: readonly Readonly<Record<string, unknown>>[]): Assumptions {
  const values: Record<string, string> = {};
  for (const [id, { default: value }] of switchable) values[id] = value;
  for (const layer of layers) {
    for (const [id, value] of Object.entries(layer)) {
      const row = switchable.get(id);
      if (!row) {
        const known = [...switchable.keys()].join(", ");
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
