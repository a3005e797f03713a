/** Puts an interaction on a PactV4 of @pact-foundation/pact, known by what it can do: no consumer test need depend on us. */
import type { MatcherObject } from "./body-template.js";

type Values = Readonly<Record<string, string | MatcherObject>>;

interface PartBuilder {
  query(query: never): unknown;
  headers(headers: never): unknown;
  jsonBody(body: unknown): unknown;
}

interface Unconfigured<Done> {
  given(state: string, params?: never): Unconfigured<Done>;
  uponReceiving(description: string): Unconfigured<Done>;
  withRequest(
    method: string,
    path: never,
    build: (request: PartBuilder) => void,
  ): {
    willRespondWith(status: number, build: (response: Omit<PartBuilder, "query">) => void): Done;
  };
}

/** What is used of a PactV4; `Done` is what `executeTest` is called on. */
export interface PactBuilder<Done> {
  addInteraction(): Unconfigured<Done>;
}

export interface OnPact {
  /** Adds it to a PactV4; call `executeTest` on what comes back. */
  onPact<Done>(pact: PactBuilder<Done>): Done;
}

interface Made {
  description: string;
  states: readonly { name: string; params: object }[];
  request: { method: string; path: string | MatcherObject; query: Values; headers: Values; body: unknown };
  response: { status: number; body: unknown };
}

export function putOn<Done>(pact: PactBuilder<Done>, { description, states, request, response }: Made): Done {
  const added = pact.addInteraction();
  for (const { name, params } of states)
    Object.keys(params).length > 0 ? added.given(name, params as never) : added.given(name);
  return added
    .uponReceiving(description)
    .withRequest(request.method, request.path as never, (builder) => {
      if (Object.keys(request.query).length > 0) builder.query(request.query as never);
      builder.headers(request.headers as never);
      if (request.body !== null) builder.jsonBody(request.body);
    })
    .willRespondWith(response.status, (builder) => {
      builder.jsonBody(response.body);
    });
}
