/** Plays interactions against Pact's mock server. */
import type { PactV4 } from "@pact-foundation/pact";
import { expect } from "vitest";
import type { ConsumerInteraction } from "../../../src/index.js";

/** The client under test. */
export async function send(
  url: string,
  method: string,
  path: string,
  body?: object,
  credentials: Record<string, string> = { "X-Service-Key": "svc_test_shop", Authorization: "Bearer a.b.c" },
) {
  const headers = body ? { ...credentials, "Content-Type": "application/json" } : credentials;
  const response = await fetch(url + path, {
    method,
    headers,
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** Pact 16.3 to 16.5 may miss a request that it has just answered (pact-reference issue 535). */
export const retried = { retry: 2 };

const missedRequest = "The following request was expected but not received";
const maxAttempts = 3;

/** Sends the interaction's own example and expects its example answer. Plays again if Pact misses a request that it answered. */
export async function play(pact: PactV4, interaction: ConsumerInteraction, attempt = 1): Promise<void> {
  const { request, response, onPact } = interaction;
  const query = new URLSearchParams(examplesIn(request.query) as Record<string, string>);
  const path = `${examplesIn(request.path)}${query.size > 0 ? `?${query}` : ""}`;
  const headers = examplesIn(request.headers) as Record<string, string>;
  let got: object | null = null;
  try {
    await onPact(pact).executeTest(async ({ url }) => {
      got = await send(url, request.method, path, examplesIn(request.body) as object | undefined, headers);
    });
  } catch (error) {
    if (!got || attempt === maxAttempts || !String(error).includes(missedRequest)) throw error;
    return play(pact, interaction, attempt + 1);
  }
  expect(got).toEqual({ status: response.status, body: examplesIn(response.body) });
}

/** Returns the examples of a template. */
export function examplesIn(template: unknown): unknown {
  if (Array.isArray(template)) return template.map(examplesIn);
  if (typeof template !== "object" || template === null) return template ?? undefined;
  if ("pact:matcher:type" in template) return examplesIn((template as { value?: unknown }).value);
  return Object.fromEntries(Object.entries(template).map(([name, inner]) => [name, examplesIn(inner)]));
}
