/** Exports an account's webhook deliveries as a pact whose provider is the receiver, byte for byte, so that signatures hold. */
import {
  type ExportedInteraction,
  type PactExport,
  type PactParties,
  toPactDocument,
} from "./pact-document.js";

export interface ExportedDelivery {
  event: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Null if the account no longer has the event. */
  body: string | null;
  /** Key of the signature. */
  secret: string;
  /** Whether a rule made the delivery wrong on purpose. */
  tampered: boolean;
}

/** Exports the first delivery of each event at each path. */
export function exportDeliveries(deliveries: readonly ExportedDelivery[], parties: PactParties): PactExport {
  const interactions = new Map<string, ExportedInteraction>();
  const leftOut = new Set<string>();
  for (const delivery of deliveries) {
    const { event, body, tampered } = delivery;
    const description = `a ${event} event at ${pathOf(delivery)}`;
    if (tampered) leftOut.add(`${description}: a rule tampered with it, so a receiver must refuse it`);
    else if (body === null) leftOut.add(`${description}: the account no longer has the event`);
    else if (!interactions.has(description))
      interactions.set(description, toInteraction(description, { ...delivery, body }));
  }
  return { pact: toPactDocument(parties, [...interactions.values()]), left_out: [...leftOut] };
}

const pathOf = ({ url }: { url: string }): string => new URL(url).pathname;

function toInteraction(
  description: string,
  delivery: ExportedDelivery & { body: string },
): ExportedInteraction {
  const { searchParams } = new URL(delivery.url);
  const query = [...new Set(searchParams.keys())].map((name) => [name, searchParams.getAll(name)]);
  return {
    type: "Synchronous/HTTP",
    description,
    pending: false,
    providerStates: [{ name: "a receiver with the secret", params: { secret: delivery.secret } }],
    request: {
      method: "POST",
      path: pathOf(delivery),
      ...(query.length > 0 ? { query: Object.fromEntries(query) } : {}),
      headers: Object.fromEntries(Object.entries(delivery.headers).map(([name, value]) => [name, [value]])),
      body: {
        contentType: "application/json",
        content: Buffer.from(delivery.body, "utf8").toString("base64"),
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
