/** What is wrong with an action of `given` or of the timeline, before anything is filled in. */

import { formatNearest } from "../contract/nearest.js";
import { type AnyOperation, isServiceOperation } from "../contract/operation.js";
import { outcomesOf } from "../rules/outcomes.js";
import { actionsOf, fieldsOf, findAction, neededBy, takesAnything, toSnake } from "./actions.js";
import { describeUnknownKey, type Problem, schemaProblems } from "./problems.js";
import { hasReference, referencesIn } from "./references.js";

export type Operations = readonly AnyOperation[];
type Fields = Readonly<Record<string, unknown>>;

/** Null when there is one of that name. */
export function nameProblem(operations: Operations, name: string): string | null {
  if (findAction(operations, name)) return null;
  const other = operations.find(({ id }) => id === name || toSnake(id) === name);
  if (other) return `${name} cannot stand here: it ${whyNot(other)}`;
  const asked = name.slice(0, 100);
  const names = actionsOf(operations).map(({ id }) => toSnake(id));
  const nearest = formatNearest(asked, names) || "; it takes an operation's id such as simulate_payment";
  return `there is no ${JSON.stringify(asked)}${nearest}`;
}

function whyNot({ route, upload }: AnyOperation): string {
  if (route.startsWith("GET ")) return "only looks";
  return upload ? "takes a file" : "steers the sandbox";
}

/** What is wrong with the fields of an action that there is; `extra` may stand beside its own. */
export async function fieldProblems(
  action: AnyOperation,
  fields: Fields,
  at: readonly string[],
  extra: readonly string[] = [],
): Promise<Problem[]> {
  const schemas = fieldsOf(action);
  const known = [...Object.keys(schemas), ...(isServiceOperation(action) ? ["outcome"] : []), ...extra];
  const found = await Promise.all(
    Object.entries(fields).map(async ([field, value]): Promise<Problem[]> => {
      const where = [...at, field];
      if (field === "outcome" && isServiceOperation(action)) return outcomeProblems(action, value, where);
      const schema = Object.hasOwn(schemas, field) ? schemas[field] : undefined;
      if (schema) return hasReference(value) ? [] : schemaProblems(schema, value, where);
      if (extra.includes(field) || takesAnything(action)) return [];
      return [{ at: where, message: describeUnknownKey(field, known) }];
    }),
  );
  return found.flat();
}

/** Fields that the action needs and that nobody gives. */
export const missingFields = (action: AnyOperation, fields: Fields, at: readonly string[]): Problem[] =>
  neededBy(action)
    .filter((field) => !Object.hasOwn(fields, field))
    .map((field) => ({ at: [...at, field], message: "is required" }));

function outcomeProblems(action: AnyOperation, value: unknown, at: readonly string[]): Problem[] {
  const known = Object.keys(outcomesOf(action));
  if (known.includes(value as string) || hasReference(value)) return [];
  return [{ at, message: `must be one of ${known.join(", ")}; got ${JSON.stringify(value)}` }];
}

/** References to what is not there: `sections` are those that `given` makes. */
export function referenceProblems(
  value: unknown,
  at: readonly string[],
  names: readonly string[],
  sections: readonly string[],
): Problem[] {
  const problems: Problem[] = [];
  for (const { at: inner, keys } of referencesIn(value)) {
    const [name = "", section] = keys;
    const told = `\${${keys.join(".")}}`;
    const say = (message: string) => problems.push({ at: [...at, ...inner], message });
    if (!names.includes(name)) say(`${told} is not known yet; there is ${names.join(", ")}`);
    else if (name === "given" && section !== undefined && !sections.includes(section))
      say(`${told} names nothing: given makes ${sections.join(", ") || "nothing"}`);
  }
  return problems;
}
