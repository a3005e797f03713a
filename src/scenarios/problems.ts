/** Problems in a scenario, with their places. */
import type { TSchema } from "typebox";
import { schemasAt } from "../contract/json-schema.js";
import { formatNearest } from "../contract/nearest.js";
import { compileValidator, detailsOf } from "../contract/validate.js";

export interface Problem {
  /** Path of keys to the value. */
  at: readonly string[];
  message: string;
  /** Example of a valid value, if the schema has one. */
  example?: string;
}

/** Formats a problem without its file: `given.clock: must be …`. */
export function formatProblem({ at, message }: Problem): string {
  return at.length === 0 ? `the scenario ${message}` : `${at.join(".")}: ${message}`;
}

/** Returns what is wrong with a value by its schema. An unknown key comes with the nearest known one. */
export async function schemaProblems(
  schema: TSchema,
  value: unknown,
  outer: readonly string[],
): Promise<Problem[]> {
  const validate = await compileValidator(schema);
  if (validate(value)) return [];
  const details = detailsOf(validate);
  // Every alternative of a union reports an error; the errors inside an alternative say more.
  const isInside = (param: string) => details.some((other) => other.param.startsWith(`${param}.`));
  const reported = details.filter(({ param }) => param === "" || !isInside(param));
  return reported.map(({ param, code, message }) => {
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
}

const withoutSubject = (message: string, param: string): string =>
  message.slice((param || "the body").length + 1).replace(/\.$/, "");

export function describeUnknownKey(key: string, known: readonly string[]): string {
  if (known.length === 0) return "is not known here; no keys are";
  return `is not known here${formatNearest(key, known)} (known: ${known.join(", ")})`;
}

/** Returns the keys that a schema knows beside the one at a path. */
const keysAround = (schema: TSchema, at: readonly string[]): string[] =>
  schemasAt(schema, at.slice(0, -1)).flatMap(({ properties }) => Object.keys(properties ?? {}));
