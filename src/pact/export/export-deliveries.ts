/** An account's deliveries as a pact whose provider is the receiver: the same bytes, so that the signature checks. */
import { type ExportedPact, type Names, type PactInteraction, toPact } from "./pact-document.js";

/** A delivery as it left, or was to leave. */
export interface SentDelivery {
  event: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Null: the account does not have its event any more. */
  body: string | null;
  /** A rule made it wrong on purpose. */
  tampered: boolean;
}

/** One interaction for each event at each path, the first one. */
export function pactOfDeliveries(
  deliveries: readonly SentDelivery[],
  secret: string,
  names: Names,
): ExportedPact {
  const interactions = new Map<string, PactInteraction>();
  const leftOut = new Set<string>();
  for (const sent of deliveries) {
    const { event, body, tampered } = sent;
    const what = `a ${event} event at ${pathOf(sent)}`;
    if (tampered) leftOut.add(`${what}: it was tampered with, and a receiver is to refuse it`);
    else if (body === null) leftOut.add(`${what}: the account does not have it any more`);
    else if (!interactions.has(what)) interactions.set(what, toInteraction(what, { ...sent, body }, secret));
  }
  return { pact: toPact(names, [...interactions.values()]), left_out: [...leftOut] };
}

const pathOf = ({ url }: { url: string }): string => new URL(url).pathname;

function toInteraction(
  description: string,
  sent: SentDelivery & { body: string },
  secret: string,
): PactInteraction {
  const { searchParams } = new URL(sent.url);
  const query = [...new Set(searchParams.keys())].map((name) => [name, searchParams.getAll(name)]);
  return {
    type: "Synchronous/HTTP",
    description,
    pending: false,
    providerStates: [{ name: "a receiver with the secret", params: { secret } }],
    request: {
      method: "POST",
      path: pathOf(sent),
      ...(query.length > 0 ? { query: Object.fromEntries(query) } : {}),
      headers: Object.fromEntries(Object.entries(sent.headers).map(([name, value]) => [name, [value]])),
      body: {
        contentType: "application/json",
        content: Buffer.from(sent.body, "utf8").toString("base64"),
        encoded: "base64",
      },
    },
    response: {
      status: 200,
      matchingRules: {
        status: { combine: "AND", matchers: [{ match: "statusCode", status: "success" }] },
      },
    },
  };
}
