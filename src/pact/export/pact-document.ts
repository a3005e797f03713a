/** The parts of version 4 of the pact file format that the export writes. */
import packageJson from "../../../package.json" with { type: "json" };
import type { MatchingRule } from "./match-body.js";

export interface PactParties {
  consumer: string;
  provider: string;
}

interface Generator {
  type: "ProviderState";
  expression: string;
  dataType: "STRING";
}

export interface PactBody {
  contentType: string;
  content: unknown;
  /** False for JSON content. */
  encoded: false | "base64";
}

/** Path and status have one value each, the other parts one per field. */
type ByPart<T> = Partial<
  Record<"path" | "status", T> & Record<"body" | "query" | "header", Record<string, T>>
>;

export interface ExportedInteraction {
  type: "Synchronous/HTTP";
  description: string;
  pending: false;
  providerStates: { name: string; params: Record<string, unknown> }[];
  request: {
    method: string;
    path: string;
    query?: Record<string, string[]>;
    headers: Record<string, string[]>;
    body?: PactBody;
    matchingRules?: ByPart<MatchingRule>;
    generators?: ByPart<Generator>;
  };
  response: {
    status: number;
    headers?: Record<string, string[]>;
    body?: PactBody;
    matchingRules?: ByPart<MatchingRule | StatusRule>;
  };
}

/** Matches any status of a class. */
interface StatusRule {
  combine: "AND";
  matchers: { match: "statusCode"; status: "success" }[];
}

export interface PactDocument {
  consumer: { name: string };
  provider: { name: string };
  interactions: ExportedInteraction[];
  metadata: { pactSpecification: { version: "4.0" }; standin: { version: string } };
}

export interface PactExport {
  pact: PactDocument;
  /** Traffic that is not in the pact, with the reason, one sentence each. */
  left_out: string[];
}

export const toPactDocument = (
  { consumer, provider }: PactParties,
  interactions: ExportedInteraction[],
): PactDocument => ({
  consumer: { name: consumer },
  provider: { name: provider },
  interactions,
  metadata: { pactSpecification: { version: "4.0" }, standin: { version: packageJson.version } },
});

/** Returns a generator that fills in values of the provider state, such as `${id}`. */
export const stateGenerator = (expression: string): Generator => ({
  type: "ProviderState",
  expression,
  dataType: "STRING",
});
