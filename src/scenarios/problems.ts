/** Problems in a scenario, with their places. */
import type { TSchema } from "typebox";
import { formatNearest } from "../contract/nearest.js";
import type { Extent } from "../contract/operation.js";
import { schemasAt } from "../contract/schema-walk.js";
import { compileValidator, detailsOf, maxErrorDetails } from "../contract/validate.js";
import { Turns } from "../time/turns.js";

export interface Problem {
  /** Path of keys to the value. */
  at: readonly string[];
  message: string;
  /** Example of a valid value, if the schema has one. */
  example?: string;
}

/** Maximum number of problems that are looked for. Without it, a hostile scenario could cause a reply many times its size. */
export const maxProblems = maxErrorDetails;

/** Collects the problems of items over several turns of the event loop, until there are too many. Skips items that are null. */
export async function problemsOfEach<T>(
  items: readonly (T | null)[],
  check: (item: T, index: number) => Problem[] | Promise<Problem[]>,
): Promise<Problem[]> {
  const problems: Problem[] = [];
  const turns = new Turns();
  for (const [index, item] of items.entries()) {
    if (problems.length >= maxProblems) break;
    if (item !== null) problems.push(...(await check(item, index)));
    await turns.step();
  }
  return problems;
}

/** Formats a problem without its file: `given.clock: must be …`. */
export function formatProblem({ at, message }: Problem): string {
  return at.length === 0 ? `the scenario ${message}` : `${at.join(".")}: ${message}`;
}

/** Problems of a value that its schema finds. */
interface FormProblems {
  readonly problems: Problem[];
  /** Whether the search was complete, so that values without a problem fit the schema. */
  readonly areAll: boolean;
}

/** Returns what is wrong with a value by its schema. An unknown key comes with the nearest known one. */
export const schemaProblems = async (
  schema: TSchema,
  value: unknown,
  outer: readonly string[],
): Promise<Problem[]> => (await formProblems(schema, value, outer)).problems;

/** Returns the problems of `schemaProblems`, and whether they are all. */
export async function formProblems(
  schema: TSchema,
  value: unknown,
  outer: readonly string[],
  extent: Extent = "all",
): Promise<FormProblems> {
  const validate = await compileValidator(schema, extent);
  if (validate(value)) return { problems: [], areAll: true };
  const details = detailsOf(validate);
  const areAll = extent === "all" && details.length < maxErrorDetails;
  // Every alternative of a union reports an error; the errors inside an alternative say more.
  const isInside = (param: string) => details.some((other) => other.param.startsWith(`${param}.`));
  const reported = details.filter(({ param }) => param === "" || !isInside(param));
  const problems = reported.map(({ param, code, message }) => {
    const at = param === "" ? [] : param.split(".");
    const unknown = code === "unknown_field";
    const example = schemasAt(schema, at).flatMap(({ examples }) => examples ?? [])[0];
    return {
      at: [...outer, ...at],
      message: unknown
        ? describeUnknownKey(at.at(-1) ?? "", keysAround(schema, at))
        : withoutSubject(message, param),
      ...(typeof example === "string" ? { example } : {}),
    };
  });
  return { problems, areAll };
}

const withoutSubject = (message: string, param: string): string =>
  message.slice((param || "the body").length + 1).replace(/\.$/, "");

export function describeUnknownKey(key: string, known: readonly string[]): string {
  if (known.length === 0) return "is not known here; no keys are";
  return `is not known here${formatNearest(key, known)} (known: ${known.join(", ")})`;
}

/** Returns the keys that a schema knows next to the key at a path. */
const keysAround = (schema: TSchema, at: readonly string[]): string[] =>
  schemasAt(schema, at.slice(0, -1)).flatMap(({ properties }) => Object.keys(properties ?? {}));
