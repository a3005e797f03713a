/**
 * Fetches the broker's notices about each pact. Pact's verifier fetches them too, but returns those of the last pact only,
 * and prints the wrong ones for results that are not published.
 */
import { isObject } from "../../contract/json.js";
import type { BrokerOptions, Notice } from "./run-verifier.js";

interface PactsForVerification {
  _embedded?: { pacts?: { verificationProperties?: { notices?: Notice[] } }[] };
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

/** Resolves to the notices of each pact in the verifier's order, or to null if the broker does not give them. */
export async function fetchNotices(broker: BrokerOptions): Promise<Notice[][] | null> {
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
    return pacts.map(({ verificationProperties }) => verificationProperties?.notices ?? []);
  } catch {
    // The verifier reports why the broker cannot be read.
    return null;
  }
}
