/** Adds an interaction to a PactV4 of @pact-foundation/pact. Types name only the methods used, to avoid the dependency. */
import type { Fields } from "../../scenarios/given-sections.js";
import type { MatcherObject } from "./body-template.js";

export interface InteractionParts {
  description: string;
  states: { name: string; params: Fields }[];
  request: {
    method: string;
    path: string | MatcherObject;
    query: Readonly<Record<string, string | MatcherObject>>;
    headers: Readonly<Record<string, string | MatcherObject>>;
    /** JSON with matchers; null for no body. */
    body: unknown;
  };
  response: { status: number; body: unknown };
}

interface PartBuilder {
  query(query: never): unknown;
  headers(headers: never): unknown;
  jsonBody(body: unknown): unknown;
}

interface InteractionBuilder<Done> {
  given(state: string, params?: never): InteractionBuilder<Done>;
  uponReceiving(description: string): InteractionBuilder<Done>;
  withRequest(
    method: string,
    path: never,
    build: (request: PartBuilder) => void,
  ): {
    willRespondWith(status: number, build: (response: Omit<PartBuilder, "query">) => void): Done;
  };
}

/** The parts of a PactV4 that are used. `Done` is the type that has `executeTest`. */
export interface PactBuilder<Done> {
  addInteraction(): InteractionBuilder<Done>;
}

export function addToPact<Done>(
  pact: PactBuilder<Done>,
  { description, states, request, response }: InteractionParts,
): Done {
  const builder = pact.addInteraction();
  for (const { name, params } of states)
    Object.keys(params).length > 0 ? builder.given(name, params as never) : builder.given(name);
  return builder
    .uponReceiving(description)
    .withRequest(request.method, request.path as never, (part) => {
      if (Object.keys(request.query).length > 0) part.query(request.query as never);
      part.headers(request.headers as never);
      if (request.body !== null) part.jsonBody(request.body);
    })
    .willRespondWith(response.status, (part) => {
      part.jsonBody(response.body);
    });
}
