/** Combines the verifier's result with the gateway's records: one result per interaction. */
import { stripVTControlCharacters } from "node:util";
import { isObject, parseJson } from "../../contract/json.js";
import type { AnyOperation } from "../../contract/operation.js";
import { explainFailure } from "./explain-failure.js";
import type { InteractionRun } from "./interaction-runs.js";
import { type ExpectedPattern, type PactInteraction, type StateCall, stepsOf } from "./pact-file.js";
import type { Notice, VerifierError, VerifierResult } from "./run-verifier.js";

export interface InteractionResult {
  /** The pact as it was named on the command line, or the broker. */
  source: string;
  consumer: string;
  description: string;
  /** Provider states with their parameters. */
  states: string[];
  kind: "http" | "message";
  /** `pending`: it failed, which is allowed because no version of the provider has passed it yet. */
  result: "passed" | "failed" | "pending";
  /** One sentence per problem. Empty if it passed. */
  problems: string[];
  /** Wall-clock time, in ms. */
  duration_ms: number;
}

export interface PactSource {
  source: string;
  /** Null for a broker: the verifier's report says which consumer each interaction belongs to. */
  consumer: string | null;
  /** Interactions in the order of the files. Empty if the broker's pact could not be read. */
  interactions: readonly Pick<PactInteraction, "description" | "kind" | "patterns">[];
}

/** Expects runs and results in the same order, and errors in the order of the results that failed. */
export function toInteractionResults(
  { source, consumer, interactions }: PactSource,
  verified: VerifierResult,
  runs: readonly InteractionRun[],
  operations: readonly AnyOperation[],
): InteractionResult[] {
  const errors = [...verified.errors];
  const pendingErrors = [...verified.pendingErrors];
  const consumers = consumer === null ? consumersIn(verified.output) : [];
  return verified.interactionResults.map(({ description, duration, result }, index) => {
    const run = runs[index];
    // A broker may list other pacts a moment later.
    const read = interactions[index]?.description === description ? interactions[index] : undefined;
    const isOk = result === "OK";
    const failure = isOk ? undefined : takeError(errors, description);
    const pending = isOk || failure ? undefined : takeError(pendingErrors, description);
    const problems = isOk
      ? nullProblems(read?.patterns ?? [], run?.answer?.body ?? "")
      : problemsOf(failure ?? pending, run, operations);
    return {
      source,
      consumer: consumer ?? consumers[index] ?? "?",
      description,
      states: (run?.states ?? []).map(formatState),
      kind: read?.kind ?? (run?.message == null ? "http" : "message"),
      result: problems.length === 0 ? "passed" : pending ? "pending" : "failed",
      problems,
      duration_ms: parseDuration(duration),
    };
  });
}

/** Returns one sentence per problem of an interaction that the verifier failed: at least one. */
function problemsOf(
  error: VerifierError | undefined,
  run: InteractionRun | undefined,
  operations: readonly AnyOperation[],
): string[] {
  const explained = error ? explainFailure(error, run, operations) : [];
  return explained.length > 0 ? explained : ["the verifier gives no reason"];
}

function takeError(errors: VerifierError[], description: string): VerifierError | undefined {
  const index = errors.findIndex(({ interaction }) => interaction.endsWith(` - ${description}`));
  return index === -1 ? undefined : errors.splice(index, 1)[0];
}

export const formatState = ({ name, params }: StateCall): string =>
  Object.keys(params).length === 0 ? name : `${name} ${JSON.stringify(params)}`;

/** Parses `12ms`, `1s` or `1.25s` into ms. */
function parseDuration(duration: string): number {
  const amount = Number.parseFloat(duration) || 0;
  return /\ds$/.test(duration) ? amount * 1_000 : amount;
}

/** Returns the consumer of each interaction. */
const consumersIn = (output: readonly string[]): string[] =>
  pactsIn(output).flatMap(({ consumer, interactions }) => Array<string>(interactions).fill(consumer));

/**
 * Returns each pact's consumer and number of interactions, from the headings and timing lines of the verifier's
 * report.
 */
function pactsIn(output: readonly string[]): { consumer: string; interactions: number }[] {
  const found: { consumer: string; interactions: number }[] = [];
  for (const line of output.map(stripVTControlCharacters)) {
    const consumer = /^\s*Verifying a pact between (.+) and /.exec(line)?.[1];
    const last = found.at(-1);
    if (consumer !== undefined) found.push({ consumer, interactions: 0 });
    else if (last && /^ {2}\S.* \(.+ loading, .+ verification\)/.test(line)) last.interactions++;
  }
  return found;
}

/** Returns the broker's notices that apply to how the verification of each pact ended. */
export function applicableNotices(
  { interactionResults, output }: VerifierResult,
  noticesByPact: readonly (readonly Notice[])[],
  isPublished: boolean,
): string[] {
  let verified = 0;
  return pactsIn(output).flatMap(({ interactions }, index) => {
    const results = interactionResults.slice(verified, verified + interactions);
    verified += interactions;
    const hasPassed = results.every(({ result }) => result === "OK");
    const after = `after_verification:success_${hasPassed}_published_${isPublished}`;
    const applicable = ["before_verification", "after_verification", after];
    return (noticesByPact[index] ?? []).flatMap(({ text, when = after }) =>
      applicable.includes(when) ? (text ?? []) : [],
    );
  });
}

/** Returns the values at a path. */
function valuesAt(value: unknown, [first, ...rest]: readonly string[]): unknown[] {
  if (first === undefined) return [value];
  if (!isObject(value) && !Array.isArray(value)) return [];
  const inner =
    first === "*" ? Object.values(value) : Object.hasOwn(value, first) ? [value[first as never]] : [];
  return inner.flatMap((innerValue) => valuesAt(innerValue, rest));
}

/**
 * Returns one sentence per pattern whose value in the body is null, since Pact's verifier lets null match any pattern.
 * `body` is the text of the answer.
 */
function nullProblems(patterns: readonly ExpectedPattern[], body: string): string[] {
  const value = parseJson(body);
  return patterns
    .filter(({ path }) => valuesAt(value, stepsOf(path) ?? [""]).includes(null))
    .map(({ path, regex }) => `body ${path}: expected a text that matches /${regex}/, got null`);
}
