/** What the verifier found, laid beside what happened meanwhile: one result an interaction. */
import type { AnyOperation } from "../../contract/operation.js";
import { explain } from "./explain-failure.js";
import type { StateChange, Visit } from "./interaction-run.js";
import type { PactInteraction } from "./pact-file.js";
import type { CoreError, CoreResult } from "./run-verifier.js";

export interface InteractionResult {
  /** The pact as it was named, or the broker. */
  source: string;
  consumer: string;
  description: string;
  /** With their parameters. */
  states: string[];
  kind: "http" | "message";
  /** Pending: it failed and may, since no provider has ever met it. */
  result: "passed" | "failed" | "pending";
  /** What is wrong, a sentence each. */
  problems: string[];
  /** Real ms. */
  duration_ms: number;
}

export interface Source {
  source: string;
  /** Null where the verifier has fetched the pacts: then it says whose each is. */
  consumer: string | null;
  /** As the pact has them, where it was read. */
  interactions?: readonly Pick<PactInteraction, "kind">[];
}

/** Results and visits are in the same order; so are errors, of those that failed. */
export function toResults(
  { source, consumer, interactions = [] }: Source,
  core: CoreResult,
  visits: readonly Visit[],
  operations: readonly AnyOperation[],
): InteractionResult[] {
  const errors = [...core.errors];
  const pendingErrors = [...core.pendingErrors];
  const kinds = interactions.map(({ kind }) => kind);
  const consumers = consumer === null ? consumersIn(core.output) : [];
  return core.interactionResults.map(({ description, duration, result }, index) => {
    const visit = visits[index];
    const error =
      result === "OK" ? undefined : (taken(errors, description) ?? taken(pendingErrors, description));
    const isPending = error !== undefined && core.pendingErrors.includes(error);
    return {
      source,
      consumer: consumer ?? consumers[index] ?? "?",
      description,
      states: (visit?.states ?? []).map(sayState),
      kind: kinds[index] ?? (visit?.message == null ? "http" : "message"),
      result: result === "OK" ? "passed" : isPending ? "pending" : "failed",
      problems: error ? explain(error, visit, operations) : result === "OK" ? [] : ["it failed"],
      duration_ms: toMs(duration),
    };
  });
}

function taken(errors: CoreError[], description: string): CoreError | undefined {
  const at = errors.findIndex(({ interaction }) => interaction.endsWith(` - ${description}`));
  return at === -1 ? undefined : errors.splice(at, 1)[0];
}

export const sayState = ({ name, params }: StateChange): string =>
  Object.keys(params).length === 0 ? name : `${name} ${JSON.stringify(params)}`;

/** `12ms`, `1s` or `1.25s`. */
function toMs(duration: string): number {
  const amount = Number.parseFloat(duration) || 0;
  return /\ds$/.test(duration) ? amount * 1_000 : amount;
}

/** From what it prints: a heading for each pact, and a line for each interaction with the time that it took. */
function consumersIn(output: readonly string[]): string[] {
  let consumer = "?";
  const found: string[] = [];
  for (const line of output) {
    const heading = /^\s*Verifying a pact between (.+) and /.exec(plain(line))?.[1];
    if (heading !== undefined) consumer = heading;
    else if (/^ {2}\S.* \(.+ loading, .+ verification\)/.test(plain(line))) found.push(consumer);
  }
  return found;
}

const plain = (text: string): string => text.replaceAll(/\u001b\[[\d;]*m/g, "");
