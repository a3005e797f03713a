/** Checks the timeline of a scenario, and the actions of timelines and steps. */

import { formatNearest } from "../contract/nearest.js";
import { type AnyOperation, isServiceOperation, toSnake } from "../contract/operation.js";
import { outcomesOf } from "../rules/outcomes.js";
import { isOnClock } from "../time/clock.js";
import { fromIso, parseDuration } from "../time/time.js";
import { actionsOf, fieldsOf, findAction, requiredFieldsOf, takesAnyField } from "./actions.js";
import { defaultsOf } from "./given.js";
import { type Fields, sections } from "./given-sections.js";
import { describeUnknownKey, type Problem, problemsOfEach, schemaProblems } from "./problems.js";
import { hasReference, referencesIn } from "./references.js";
import { cronProblem, loadCron, type TimelineEntry } from "./timeline-entry.js";

/** Returns whether a text is an ISO 8601 time that an account's clock can show. */
export const isClockTime = (text: string): boolean => isOnClock(fromIso(text) ?? Number.NaN);

/** Returns the problems of the entries. Skips null entries, which do not fit the schema. */
export const timelineProblems = (
  entries: readonly (TimelineEntry | null)[],
  made: MadeSections,
  operations: Operations,
): Promise<Problem[]> =>
  problemsOfEach(entries, async (entry, index) => {
    const at = ["timeline", String(index)];
    return [
      ...(await timeProblems(entry, at)),
      ...(await actionProblems(entry, at, made, operations)),
      ...referenceProblems(entry, at, ["given"], made),
    ];
  });

async function timeProblems(entry: TimelineEntry, at: readonly string[]): Promise<Problem[]> {
  const { after, at: instant, cron, times } = entry;
  const problems: Problem[] = [];
  const add = (key: string, message: string) => problems.push({ at: [...at, key], message });
  const given = [after, instant, cron].filter((time) => time !== undefined);
  if (given.length !== 1) problems.push({ at, message: "needs exactly one of after, at and cron" });
  if (after !== undefined && parseDuration(after) === null)
    add("after", "must be a duration such as 30s or 24h");
  if (instant !== undefined && !isClockTime(instant))
    add("at", "must be an ISO 8601 time from 1970 to 9000 such as 2026-03-02T09:00:00Z");
  const problem = cron === undefined ? null : cronProblem(await loadCron(), cron);
  if (problem) add("cron", problem);
  if (times !== undefined && cron === undefined) add("times", "is for cron entries only");
  return problems;
}

async function actionProblems(
  entry: TimelineEntry,
  at: readonly string[],
  made: MadeSections,
  operations: Operations,
): Promise<Problem[]> {
  const problem = nameProblem(operations, entry.do);
  if (problem) return [{ at: [...at, "do"], message: problem }];
  const action = findAction(operations, entry.do) as Operations[number];
  const fields = (entry.with ?? {}) as Fields;
  const inside = [...at, "with"];
  const missing = missingFields(action, { ...defaultsGiven(entry.do, made), ...fields }, inside);
  return [...(await fieldProblems(action, fields, inside)), ...missing];
}

export type Operations = readonly AnyOperation[];
/** Names of the sections that `given` makes, or null when `given` is invalid and any section may be made. */
export type MadeSections = readonly string[] | null;

/** Returns what is wrong with the name of an action, or null. */
export function nameProblem(operations: Operations, name: string): string | null {
  if (findAction(operations, name)) return null;
  const other = operations.find(({ id }) => id === name || toSnake(id) === name);
  if (other) return `${name} is not an action: it ${whyNot(other)}`;
  const given = name.slice(0, 100);
  const names = actionsOf(operations).map(({ id }) => toSnake(id));
  const nearest = formatNearest(given, names) || "; it takes an operation's id such as simulate_payment";
  return `there is no ${JSON.stringify(given)}${nearest}`;
}

function whyNot({ route, upload }: AnyOperation): string {
  if (route.startsWith("GET ")) return "only reads";
  return upload ? "takes a file" : "configures the sandbox";
}

/** Returns what is wrong with the fields of an action. `extra` names additional fields that are allowed. */
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
      if (extra.includes(field) || takesAnyField(action)) return [];
      return [{ at: where, message: describeUnknownKey(field, known) }];
    }),
  );
  return found.flat();
}

/** Returns the default fields of an action, with empty ids for the records that `given` makes. */
export function defaultsGiven(action: string, made: MadeSections): Fields {
  const record = { id: "", payment_id: "" };
  const records = Object.fromEntries((made ?? Object.keys(sections)).map((name) => [name, [record]]));
  const defaults = Object.entries(defaultsOf(action, records));
  return Object.fromEntries(defaults.filter(([, value]) => value !== undefined));
}

/** Returns a problem for each required field that is missing. */
export const missingFields = (action: AnyOperation, fields: Fields, at: readonly string[]): Problem[] =>
  requiredFieldsOf(action)
    .filter((field) => !Object.hasOwn(fields, field))
    .map((field) => ({ at: [...at, field], message: "is required" }));

function outcomeProblems(action: AnyOperation, value: unknown, at: readonly string[]): Problem[] {
  const known = Object.keys(outcomesOf(action));
  if (known.includes(value as string) || hasReference(value)) return [];
  return [{ at, message: `must be one of ${known.join(", ")}; got ${JSON.stringify(value)}` }];
}

/** Returns a problem for each reference to an unknown name, or to a section that `given` does not make. */
export function referenceProblems(
  value: unknown,
  at: readonly string[],
  names: readonly string[],
  made: MadeSections,
): Problem[] {
  const problems: Problem[] = [];
  const available = made ?? Object.keys(sections);
  for (const { at: inner, keys } of referencesIn(value)) {
    const [name = "", section] = keys;
    const quoted = `\${${keys.join(".")}}`;
    const add = (message: string) => problems.push({ at: [...at, ...inner], message });
    if (!names.includes(name)) add(`${quoted} is not known yet; there is ${names.join(", ")}`);
    else if (name === "given" && section !== undefined && !available.includes(section))
      add(`${quoted} names nothing: given makes ${available.join(", ") || "nothing"}`);
  }
  return problems;
}
