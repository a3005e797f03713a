/** A pact file of version 4, as far as one is written here. */
import packageJson from "../../../package.json" with { type: "json" };
import type { Rule } from "../matching/matchers.js";

export interface Names {
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
  /** Whether the content is JSON as it stands, or bytes in base64. */
  encoded: false | "base64";
}

/** By part: rules of a path and a status stand alone, those of the others have names. */
type ByPart<T> = Partial<
  Record<"path" | "status", T> & Record<"body" | "query" | "header", Record<string, T>>
>;

export interface PactInteraction {
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
    matchingRules?: ByPart<Rule>;
    generators?: ByPart<Generator>;
  };
  response: {
    status: number;
    headers?: Record<string, string[]>;
    body?: PactBody;
    matchingRules?: ByPart<Rule | StatusRule>;
  };
}

/** A matcher that takes a whole class of statuses. */
interface StatusRule {
  combine: "AND";
  matchers: { match: "statusCode"; status: "success" }[];
}

export interface Pact {
  consumer: { name: string };
  provider: { name: string };
  interactions: PactInteraction[];
  metadata: { pactSpecification: { version: "4.0" }; standin: { version: string } };
}

/** The pact, and what of the traffic is not in it, a sentence each. */
export interface ExportedPact {
  pact: Pact;
  left_out: string[];
}

export const toPact = ({ consumer, provider }: Names, interactions: PactInteraction[]): Pact => ({
  consumer: { name: consumer },
  provider: { name: provider },
  interactions,
  metadata: { pactSpecification: { version: "4.0" }, standin: { version: packageJson.version } },
});

/** Filled in from the values of the provider state. */
export const fromState = (expression: string): Generator => ({
  type: "ProviderState",
  expression,
  dataType: "STRING",
});
