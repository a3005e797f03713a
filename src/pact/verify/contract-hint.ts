/** Describes the contract's schema at the place where a body differs from a pact. */
import type { TSchema } from "typebox";
import { matchPath } from "../../contract/match-path.js";
import { nearestNames } from "../../contract/nearest.js";
import { type AnyOperation, methodOf, pathOf } from "../../contract/operation.js";
import { isBinary } from "../../contract/reply-forms.js";
import { describeSchema, type JsonSchema, type SchemaWords, schemasAt } from "../../contract/schema-walk.js";
import { payloadSchema } from "../../service/webhooks/events.js";
import type { InteractionRun } from "./interaction-run.js";
import type { Mismatch } from "./run-verifier.js";
import { eventKindIn } from "./webhook-message.js";

/** The schema of the body that the sandbox answered with. */
export interface BodyContract {
  /** The operation or event that declares the schema. */
  owner: string;
  schema: TSchema;
}

/** Returns null if the answer has no JSON schema, such as that of an unknown path. */
export function bodyContractOf(
  { message, request, answer }: InteractionRun,
  operations: readonly AnyOperation[],
): BodyContract | null {
  const kind = message === null ? null : eventKindIn(message);
  if (kind !== null) return { owner: kind, schema: payloadSchema(kind) };
  const operation = request && operations.find((one) => servesRequest(one, request));
  const schema = operation?.reply[answer?.status ?? 0];
  return schema && !isBinary(schema) ? { owner: operation.id, schema } : null;
}

const servesRequest = (
  operation: AnyOperation,
  { method, path }: { method: string; path: string },
): boolean =>
  methodOf(operation) === method && matchPath(pathOf(operation), path.split("?")[0] as string) !== null;

/** Returns a clause to append to the mismatch; empty if the contract has nothing at that place. */
export function describeContract(
  { path = "$", mismatch = "" }: Mismatch,
  contract: BodyContract | null,
): string {
  if (!contract) return "";
  const missing = /missing the following keys: (.+)/.exec(mismatch)?.[1]?.split(", ") ?? [];
  const keys = path.match(/[a-zA-Z_]\w*|(?<=\[)(?:\d+|\*)(?=\])/g) ?? [];
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
