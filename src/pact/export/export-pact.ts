/** Exports the requests and the webhook deliveries of an account as pacts. */
import type { AnyOperation } from "../../contract/operation.js";
import type { Fields } from "../../scenarios/given-sections.js";
import type { Assumptions } from "../../service/assumptions.js";
import { type JournalEntry, requestLimit } from "../../world/activity/request-journal.js";
import { type RequiredState, requiredStates } from "../provider-states/required-states.js";
import { exportedRequest, exportedResponse } from "./interaction.js";
import {
  type ExportedInteraction,
  type PactExport,
  type PactParties,
  toPactDocument,
} from "./pact-document.js";
import {
  describeExchange,
  type RecordedExchange,
  readExchanges,
  withUniqueDescriptions,
} from "./recorded-exchange.js";

interface RequestTraffic {
  /** Newest first, as in the journal. */
  entries: readonly JournalEntry[];
  operations: readonly AnyOperation[];
  assumptions: Assumptions;
  /** Mode of the account's key. */
  mode: "test" | "live";
}

/** Exports an account's request journal as a pact: one interaction per distinct shape, oldest first. */
export function exportRequests(traffic: RequestTraffic, parties: PactParties): PactExport {
  const { exchanges, leftOut } = readExchanges([...traffic.entries].reverse(), traffic.operations);
  if (traffic.entries.length >= requestLimit)
    leftOut.unshift(`everything before the last ${requestLimit} requests: the journal keeps no more`);
  const byShape = new Map<string, ExportedInteraction>();
  for (const exchange of exchanges) {
    const states = requiredStates(exchange.operation, exchange);
    if (!states) {
      leftOut.push(`${describeExchange(exchange.operation, exchange)}: no provider state leads to it`);
      continue;
    }
    const interaction = toInteraction(exchange, states, traffic);
    const shape = shapeOf(exchange, interaction);
    if (!byShape.has(shape)) byShape.set(shape, interaction);
  }
  const interactions = withUniqueDescriptions([...byShape.values()]);
  return { pact: toPactDocument(parties, interactions), left_out: [...new Set(leftOut)] };
}

function toInteraction(
  exchange: RecordedExchange,
  states: readonly RequiredState[],
  { mode, assumptions }: RequestTraffic,
): ExportedInteraction {
  const request = exportedRequest(exchange, states, mode);
  const sent = (request.body?.content ?? {}) as Fields;
  return {
    type: "Synchronous/HTTP",
    description: describeExchange(exchange.operation, exchange, states),
    pending: false,
    providerStates: states.map(({ name, params }) => ({
      name,
      params: anonymizeParams(params, exchange, sent),
    })),
    request,
    response: exportedResponse(exchange, states, assumptions),
  };
}

/** Replaces values that were taken from the request with the values of the anonymized request. */
const anonymizeParams = (params: Fields, { body }: RecordedExchange, sent: Fields): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === "string" && value === body[name] ? sent[name] : value,
    ]),
  );

/** Returns the shape of an interaction: its operation, answer, states and field names. Values do not count. */
function shapeOf({ operation }: RecordedExchange, interaction: ExportedInteraction): string {
  const { request, response, description, providerStates } = interaction;
  const states = providerStates.map(({ name }) => name);
  const fields = [request.body?.content, request.query, response.body?.content].map((part) => pathsIn(part));
  return JSON.stringify([operation.id, description, states, fields, request.generators]);
}

const pathsIn = (value: unknown, path = ""): string[] =>
  typeof value === "object" && value !== null
    ? Object.entries(value)
        .flatMap(([name, inner]) => pathsIn(inner, `${path}.${name}`))
        .sort()
    : [path];

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
      interactions.set(description, deliveryInteraction(description, { ...delivery, body }));
  }
  return { pact: toPactDocument(parties, [...interactions.values()]), left_out: [...leftOut] };
}

const pathOf = ({ url }: { url: string }): string => new URL(url).pathname;

function deliveryInteraction(
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
