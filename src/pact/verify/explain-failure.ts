/**
 * Explains why an interaction failed: the difference, the contract's schema at that place, and a hint for common
 * mistakes.
 */

import type { TSchema } from "typebox";
import { errorIn } from "../../client/client.js";
import { isObject, parseJson } from "../../contract/json.js";
import { nearestNames } from "../../contract/nearest.js";
import type { AnyOperation } from "../../contract/operation.js";
import { isBinary } from "../../contract/reply-forms.js";
import { matchCall } from "../../contract/route.js";
import { describeSchema, type JsonSchema, type SchemaWords, schemasAt } from "../../contract/schema-walk.js";
import { payloadSchema } from "../../service/webhooks/events.js";
import type { InteractionRun } from "./interaction-runs.js";
import { stepsOf } from "./pact-file.js";
import type { Mismatch, VerifierError } from "./run-verifier.js";
import { eventKindIn } from "./webhook-message.js";

/** Returns one sentence per problem. */
export function explainFailure(
  { mismatch }: VerifierError,
  run: InteractionRun | undefined,
  operations: readonly AnyOperation[],
): string[] {
  if (run?.stateError) return [run.stateError];
  if (run?.messageError) return [run.messageError];
  if (mismatch.type === "error") return [singleLine(mismatch.message)];
  const contract = run ? bodyContractOf(run, operations) : null;
  const relevant = relevantMismatches(mismatch.mismatches, run).toSorted(compareMismatches);
  return [...new Set(relevant.map((mismatch) => describeMismatch(mismatch, contract, run)))];
}

/** If the service refused the request, the other mismatches only follow from the status. */
function relevantMismatches(all: readonly Mismatch[], run: InteractionRun | undefined): readonly Mismatch[] {
  const status = all.filter(({ type }) => type === "StatusMismatch");
  return status.length > 0 && Number(run?.answer?.status) >= 400 ? status : all;
}

const order = ["StatusMismatch", "BodyTypeMismatch", "HeaderMismatch", "MetadataMismatch"];
const rank = ({ type }: Mismatch): number => [...order, type].indexOf(type);

/** The verifier reports mismatches in no fixed order. */
const compareMismatches = (a: Mismatch, b: Mismatch): number =>
  rank(a) - rank(b) || (a.path ?? a.key ?? "").localeCompare(b.path ?? b.key ?? "");

function describeMismatch(
  mismatch: Mismatch,
  contract: BodyContract | null,
  run: InteractionRun | undefined,
): string {
  const { type, mismatch: text = "", expected, actual, key, path = "$" } = mismatch;
  const values = `expected ${show(expected)}, got ${show(actual)}`;
  switch (type) {
    case "StatusMismatch":
      return `status: ${describeStatus(mismatch) ?? values}${describeRefusal(run)}${statusHint(mismatch)}`;
    case "HeaderMismatch":
      return `header ${key}: ${describeHeader(text)}${matcherHint(mismatch)}`;
    case "MetadataMismatch":
      return `metadata ${key}: ${reword(text.replace(/^.* - (?=Expected)/, ""))}${matcherHint(mismatch)}`;
    case "BodyTypeMismatch":
      return `content type: ${values}${describeRefusal(run)}`;
    default:
      if (missingVariant.test(text)) return `body ${path}: ${describeMissingVariant(mismatch, contract)}`;
      return `body ${path}: ${reword(text)}${describeContract(mismatch, contract)}${matcherHint(mismatch)}`;
  }
}

const singleLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();
const show = (value: unknown): string =>
  (typeof value === "string" ? value : JSON.stringify(value)) ?? "nothing";

/** Returns the classes or the list of statuses that a matcher accepts; undefined if one status is expected. */
function describeStatus({ actual, mismatch: text = "" }: Mismatch): string | undefined {
  const accepted = /^Expected status code \d+ to be an? (.+)$/.exec(singleLine(text))?.[1];
  if (accepted === undefined) return undefined;
  if (/^\d/.test(accepted)) return `expected one of ${accepted}, got ${show(actual)}`;
  const phrase = accepted.charAt(0).toLowerCase() + accepted.slice(1);
  return `expected ${/^[aeiou]/.test(phrase) ? "an" : "a"} ${phrase}, got ${show(actual)}`;
}

const missingVariant = /^Variant at index \d+ \(.*\) was not found in the actual list$/s;

/** Describes how the nearest entry of the list differs from an expected entry of `arrayContaining`. */
function describeMissingVariant(
  { expected, actual, path = "$" }: Mismatch,
  contract: BodyContract | null,
): string {
  const noEntry = `no entry is like ${show(expected)}`;
  const variant = parseJson(show(expected));
  const texts = parseJson(show(actual));
  const entries = Array.isArray(texts) ? texts.map((text) => parseJson(show(text))) : [];
  if (entries.length === 0) return `${noEntry}: the list is empty`;
  if (!isObject(variant)) return noEntry;
  const [nearest] = entries
    .map((entry, index) => ({ entry, index, differences: differencesOf(variant, entry) }))
    .toSorted((a, b) => a.differences.length - b.differences.length);
  if (!nearest || !isObject(nearest.entry) || nearest.differences.length === 0) return noEntry;
  const { entry, index, differences } = nearest;
  const missing = differences.filter((name) => !Object.hasOwn(entry, name));
  const different = differences.filter((name) => Object.hasOwn(entry, name));
  const parts = [
    ...(missing.length > 0 ? [`has no ${missing.join(", ")}`] : []),
    ...different.map((name) => `has ${name} ${JSON.stringify(entry[name])}`),
  ];
  const keys = `missing the following keys: ${missing.join(", ")}`;
  const fields =
    missing.length > 0 ? describeContract({ type: "", path: `${path}[*]`, mismatch: keys }, contract) : "";
  return `${noEntry}: entry ${index}, the nearest, ${parts.join(" and ")}${fields}`;
}

/** Returns the names of the expected fields that an entry does not have with the same value. */
const differencesOf = (expected: Record<string, unknown>, entry: unknown): string[] =>
  Object.keys(expected).filter(
    (name) => !isObject(entry) || JSON.stringify(entry[name]) !== JSON.stringify(expected[name]),
  );

function describeRefusal(run: InteractionRun | undefined): string {
  if (run?.pathError) return `; ${run.pathError}`;
  const error = errorIn(parseJson(run?.answer?.body));
  return error ? `; the service says ${error.code}: ${error.message}` : "";
}

/** Removes the header's name, which the verifier repeats up to three times. */
function describeHeader(text: string): string {
  if (/but was missing$/.test(text)) return "expected but missing";
  const bare = text.replace(/^Mismatch with header '[^']*': /, "");
  return reword(bare.replace(/^Expected header '[^']*'/, "Expected it"));
}

/** The verifier's most frequent sentences, reworded so that the expected value always comes first. */
const rewordings: readonly [RegExp, string][] = [
  [/^Actual map is missing the following keys: (.+)$/, "there is no $1"],
  [/^Expected (.+ \(\w+\)) to be the same type as (.+ \(\w+\))$/, "expected the type of $2, got $1"],
  [/^Expected (.+ \(\w+\)) to be equal to (.+ \(\w+\))$/, "expected $2, got $1"],
  [/^Expected it to have value (.+) but was (.+)$/, "expected $1, got $2"],
  [
    /^Expected (.+) to match an? (date|time|timestamp|datetime) pattern of (.+)$/,
    "expected a $2 of the form $3, got $1",
  ],
  [/^Expected (.+) to match (.+)$/, "expected a match of $2, got $1"],
];

function reword(text: string): string {
  // For a text that is not a date, the verifier adds the error of its parser.
  const line = singleLine(text).replace(/: Error\(\w+\(.*\)\)$/, "");
  const [pattern, wording] = rewordings.find(([known]) => known.test(line)) ?? [line, line];
  return line.replace(pattern, wording);
}

const matcherHints: readonly [RegExp, string][] = [
  [/to be a decimal/i, "the matcher decimal refuses whole numbers such as 12: use number"],
  [
    /to be an integer/i,
    'the matcher integer refuses 12.5 and the text "12": amounts may have decimals, so use number',
  ],
  [/to match '|regex/i, "a regex must match the whole value: end it with .* if more may follow"],
  [
    /at least 1|minimum size|empty (?:List|Array)|to not be empty/i,
    "eachLike needs at least one entry: name a state that creates one",
  ],
  [/to be equal to/i, "this value is compared exactly: use like() if only its type matters"],
];

function matcherHint({ mismatch = "" }: Mismatch): string {
  const hint = matcherHints.find(([pattern]) => pattern.test(mismatch))?.[1];
  return hint ? ` (hint: ${hint})` : "";
}

function statusHint({ expected, actual }: Mismatch): string {
  if (Number(expected) === 401 && Number(actual) < 400)
    return " (hint: every key is accepted unless it ends in _invalid or _revoked)";
  return Number(expected) === 200 && Number(actual) === 201
    ? " (hint: the interface does not say which of them creation answers; --assume http.created=ok answers 200)"
    : "";
}

/** The schema of the body that the sandbox answered with. */
interface BodyContract {
  /** The operation or event that declares the schema. */
  owner: string;
  schema: TSchema;
}

/** Returns null if the answer has no JSON schema, for example on an unknown path. */
function bodyContractOf(
  { message, request, answer }: InteractionRun,
  operations: readonly AnyOperation[],
): BodyContract | null {
  const kind = message === null ? null : eventKindIn(message);
  if (kind !== null) return { owner: kind, schema: payloadSchema(kind) };
  const operation = request && matchCall(operations, `${request.method} ${request.path}`)?.operation;
  const schema = operation?.reply[answer?.status ?? 0];
  return schema && !isBinary(schema) ? { owner: operation.id, schema } : null;
}

/** Returns a clause to append to the mismatch; empty if the contract has nothing at that place. */
function describeContract({ path = "$", mismatch = "" }: Mismatch, contract: BodyContract | null): string {
  const keys = stepsOf(path);
  if (!contract || !keys) return "";
  const missing = /missing the following keys: (.+)/.exec(mismatch)?.[1]?.split(", ") ?? [];
  const schemas = schemasAt(contract.schema, keys).filter(({ anyOf }) => !anyOf);
  if (missing.length > 0) return describeKeys(schemas, missing, contract.owner);
  if (schemas.length === 0) return "";
  const types = describeSchema({ anyOf: schemas }, words);
  const field = keys.filter((key) => !/^(?:\d+|\*)$/.test(key)).join(".") || "the body";
  return `; the contract of ${contract.owner} has ${field} as ${types}`;
}

function describeKeys(schemas: readonly JsonSchema[], missing: readonly string[], owner: string): string {
  const known = Object.keys(schemas.find(({ properties }) => properties)?.properties ?? {});
  if (known.length === 0) return "";
  const guesses = missing.flatMap((key) =>
    nearestNames(key, known, { maxDistance: key.length / 3 }).map((name) => `${key} may mean ${name}`),
  );
  const suffix = guesses.length > 0 ? `; ${guesses.join(", ")}` : "";
  return `; the contract of ${owner} has ${known.join(", ")} there${suffix}`;
}

const words: SchemaWords = {
  or: " or ",
  choice: (values, { const: only }) =>
    only === undefined ? `one of ${values.join(", ")}` : JSON.stringify(only),
  leaf: ({ type, format, pattern }) =>
    `${type ?? "any value"}${format ? ` (${format})` : ""}${pattern ? ` like ${pattern}` : ""}`,
};
