/** What is wrong with a part of a scenario: where, and what would be right. */
import { closest } from "fastest-levenshtein";
import type { TSchema } from "typebox";
import { schemasAt } from "../contract/json-schema.js";
import { compileValidator, detailsOf } from "../contract/validate.js";

export interface Problem {
  /** The keys that lead there. */
  at: readonly string[];
  message: string;
  /** Of a right value, where the schema has one. */
  example?: string;
}

/** As people read it. */
export function formatProblem({ at, message }: Problem): string {
  return at.length === 0 ? `the scenario ${message}` : `${at.join(".")}: ${message}`;
}

/** A schema's complaints; an unknown key is told the nearest one that would be right. */
export async function schemaProblems(
  schema: TSchema,
  value: unknown,
  outer: readonly string[],
): Promise<Problem[]> {
  const validate = await compileValidator(schema, "json");
  if (validate(value)) return [];
  const details = detailsOf(validate);
  // Of a value that may have one of several forms each form complains; what is wrong inside it says more.
  const isInside = (param: string) => details.some((other) => other.param.startsWith(`${param}.`));
  const told = details.filter(({ param }) => param === "" || !isInside(param));
  return told.map(({ param, code, message }) => {
    const at = param === "" ? [] : param.split(".");
    const what = code === "unknown_field" ? unknownKey(schema, at) : withoutSubject(message, param);
    const example = schemasAt(schema, at).flatMap(({ examples }) => examples ?? [])[0];
    return {
      at: [...outer, ...at],
      message: what,
      ...(typeof example === "string" ? { example } : {}),
    };
  });
}

const withoutSubject = (message: string, param: string): string =>
  message.slice((param || "the body").length + 1).replace(/\.$/, "");

function unknownKey(schema: TSchema, at: readonly string[]): string {
  const known = keysAt(schema, at.slice(0, -1));
  return describeUnknownKey(at.at(-1) ?? "", known);
}

export function describeUnknownKey(key: string, known: readonly string[]): string {
  if (known.length === 0) return "is not known here: nothing is";
  return `is not known here; the nearest is ${closest(key, [...known])} (of ${known.join(", ")})`;
}

/** The keys that a schema knows at a place. */
const keysAt = (schema: TSchema, at: readonly string[]): string[] =>
  schemasAt(schema, at).flatMap(({ properties }) => Object.keys(properties ?? {}));
