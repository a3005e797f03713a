/** Plays an interaction of the helper against Pact's mock server, and what a client gets there. */
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

/** Pact 16.3 to 16.5 may ask whether a match is noted before it is (pact-reference issue 535): who got its answer plays again. */
export const patient = { retry: 2 };

const overlooked = "The following request was expected but not received";
const mostRounds = 3;

/** What the interaction itself says is sent; the mock answers with its examples. */
export async function play(pact: PactV4, interaction: ConsumerInteraction, round = 1): Promise<void> {
  const { request, response, onPact } = interaction;
  const query = new URLSearchParams(plain(request.query) as Record<string, string>);
  const path = `${plain(request.path)}${query.size > 0 ? `?${query}` : ""}`;
  const headers = plain(request.headers) as Record<string, string>;
  let got: object | null = null;
  try {
    await onPact(pact).executeTest(async ({ url }) => {
      got = await send(url, request.method, path, plain(request.body) as object | undefined, headers);
    });
  } catch (error) {
    if (!got || round === mostRounds || !String(error).includes(overlooked)) throw error;
    return play(pact, interaction, round + 1);
  }
  expect(got).toEqual({ status: response.status, body: plain(response.body) });
}

/** The examples of a template. */
export function plain(template: unknown): unknown {
  if (Array.isArray(template)) return template.map(plain);
  if (typeof template !== "object" || template === null) return template ?? undefined;
  if ("pact:matcher:type" in template) return plain((template as { value?: unknown }).value);
  return Object.fromEntries(Object.entries(template).map(([name, inner]) => [name, plain(inner)]));
}
