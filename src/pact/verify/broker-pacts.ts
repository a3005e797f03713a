/**
 * Fetches the pacts of a broker with its notices about each. Pact's verifier fetches them too, but returns the notices of
 * the last pact only, prints the wrong ones for results that are not published, and keeps the interactions to itself.
 */
import { isObject } from "../../contract/json.js";
import { type PactInteraction, parsePact } from "./pact-file.js";
import type { BrokerOptions, Notice } from "./run-verifier.js";

export interface BrokerPact {
  notices: readonly Notice[];
  interactions: readonly PactInteraction[];
}

interface PactsForVerification {
  _embedded?: { pacts?: PactLink[] };
}

interface PactLink {
  verificationProperties?: { notices?: Notice[] };
  _links?: { self?: { href?: string } };
}

interface Index {
  _links?: Record<string, { href?: string } | undefined>;
}

function authorizationOf({
  pactBrokerToken: token,
  pactBrokerUsername: username,
  pactBrokerPassword: password,
}: BrokerOptions): Record<string, string> {
  if (token !== undefined) return { Authorization: `Bearer ${token}` };
  if (username === undefined) return {};
  return { Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}` };
}

/** Requests the pacts as the verifier does. */
const requestOf = (broker: BrokerOptions) => ({
  consumerVersionSelectors: broker.consumerVersionSelectors ?? [],
  includePendingStatus: broker.enablePending ?? false,
  includeWipPactsSince: broker.includeWipPactsSince,
  providerVersionBranch: broker.providerVersionBranch,
});

/** Resolves to the pacts in the verifier's order, or to null if the broker does not give them. */
export async function fetchPacts(broker: BrokerOptions): Promise<BrokerPact[] | null> {
  const headers = { Accept: "application/hal+json", ...authorizationOf(broker) };
  const read = async (url: string, init: RequestInit = {}): Promise<unknown> => {
    const response = await fetch(url, { ...init, headers: { ...headers, ...init.headers } });
    return response.ok ? response.json() : null;
  };
  try {
    const index = (await read(String(broker.pactBrokerUrl))) as Index | null;
    const href = index?._links?.["pb:provider-pacts-for-verification"]?.href;
    if (href === undefined) return null;
    const url = href.replace("{provider}", encodeURIComponent(broker.provider ?? ""));
    const body = JSON.stringify(requestOf(broker));
    const found = await read(url, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body,
    });
    if (!isObject(found)) return null;
    const { pacts = [] } = (found as PactsForVerification)._embedded ?? {};
    return await Promise.all(
      pacts.map(async ({ verificationProperties, _links }) => {
        const source = String(_links?.self?.href);
        const { interactions } = parsePact(source, JSON.stringify(await read(source)));
        return { notices: verificationProperties?.notices ?? [], interactions };
      }),
    );
  } catch {
    // The verifier reports why the broker cannot be read.
    return null;
  }
}
