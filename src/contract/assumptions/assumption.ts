/** Assumptions, and how the values in force are chosen. */
import { formatNearest } from "../nearest.js";

/** A question that the interface leaves open, and how the sandbox answers it. */
export interface Assumption {
  readonly id: string;
  /** Question that the interface does not answer. */
  readonly question: string;
  /** Behaviour of the sandbox by default. */
  readonly default: string;
  readonly reason: string;
  /** Values that can be chosen. Omitted if clients cannot observe a difference. */
  readonly switch?: { readonly default: string; readonly alternatives: Readonly<Record<string, string>> };
}

/** Joins facts, one per line. A terminal shows them as sentences, and the assumptions page as a list. */
export const facts = (...lines: readonly string[]): string => lines.join("\n");

type Switchable<Row extends Assumption> = Extract<Row, { switch: object }>;

/** The value in force of every assumption of a catalogue that can be switched, by id. */
export type ValuesOf<Row extends Assumption> = {
  readonly [Id in Switchable<Row>["id"]]:
    | Extract<Row, { id: Id; switch: object }>["switch"]["default"]
    | (keyof Extract<Row, { id: Id; switch: object }>["switch"]["alternatives"] & string);
};

/** A value of each assumption of a catalogue that can be switched. */
export type ChoiceOf<Row extends Assumption> = {
  readonly [Id in keyof ValuesOf<Row>]: { readonly assumption: Id; readonly value: ValuesOf<Row>[Id] };
}[keyof ValuesOf<Row>];

/** Thrown when an assumption does not exist, cannot be switched, or does not have the value. */
export class UnknownAssumption extends Error {}

/** Returns the values in force: the defaults, overridden by each layer in turn (config, environment, flags). */
export function resolveValues<Row extends Assumption>(
  catalogue: readonly Row[],
  layers: readonly Readonly<Record<string, unknown>>[],
): ValuesOf<Row> {
  const switches = new Map(catalogue.flatMap((row) => (row.switch ? [[row.id, row.switch] as const] : [])));
  const values: Record<string, string> = {};
  for (const [id, { default: value }] of switches) values[id] = value;
  for (const layer of layers) {
    for (const [id, value] of Object.entries(layer)) {
      const row = switches.get(id);
      if (!row) {
        const known = [...switches.keys()];
        throw new UnknownAssumption(
          `assumption ${id} cannot be switched${formatNearest(id, known)}; those that can: ${known.join(", ")}`,
        );
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
  return values as ValuesOf<Row>;
}
