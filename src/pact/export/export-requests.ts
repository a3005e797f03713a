/** An account's request journal as a pact: one interaction for each distinct shape, oldest first. */
import type { Assumptions } from "../../contract/assumptions.js";
import type { AnyOperation } from "../../contract/operation.js";
import { type JournalEntry, requestLimit } from "../../world/request-journal.js";
import { needsOf } from "../provider-states/required-states.js";
import type { Need } from "../provider-states/state-selectors.js";
import { requestOf } from "./exported-request.js";
import { replyOf } from "./exported-response.js";
import { distinctly, say } from "./interaction-descriptions.js";
import { type ExportedPact, type Names, type PactInteraction, toPact } from "./pact-document.js";
import { type Exchange, readJournal } from "./recorded-exchange.js";

export interface Traffic {
  /** Newest first, as the journal has them. */
  entries: readonly JournalEntry[];
  operations: readonly AnyOperation[];
  assumptions: Assumptions;
  /** Of the account's key. */
  mode: "test" | "live";
}

export function pactOfTraffic(traffic: Traffic, names: Names): ExportedPact {
  const { exchanges, leftOut } = readJournal([...traffic.entries].reverse(), traffic.operations);
  if (traffic.entries.length >= requestLimit)
    leftOut.unshift(`whatever came before the last ${requestLimit} requests: the journal keeps no more`);
  const byShape = new Map<string, PactInteraction>();
  for (const exchange of exchanges) {
    const needs = needsOf(exchange.operation, exchange);
    if (!needs) {
      leftOut.push(`${say(exchange.operation, exchange)}: the catalogue has no provider state for it`);
      continue;
    }
    const made = toInteraction(exchange, needs, traffic);
    const shape = shapeOf(exchange, made);
    // The first exchange of a shape stands for all.
    if (!byShape.has(shape)) byShape.set(shape, made);
  }
  return { pact: toPact(names, distinctly([...byShape.values()])), left_out: [...new Set(leftOut)] };
}

type Fields = Readonly<Record<string, unknown>>;

function toInteraction(
  exchange: Exchange,
  needs: readonly Need[],
  { mode, assumptions }: Traffic,
): PactInteraction {
  const request = requestOf(exchange, needs, mode);
  const sent = (request.body?.content ?? {}) as Fields;
  return {
    type: "Synchronous/HTTP",
    description: say(exchange.operation, exchange, needs),
    pending: false,
    providerStates: needs.map(({ state, params }) => ({
      name: state,
      params: cleanParams(params, exchange, sent),
    })),
    request,
    response: replyOf(exchange, needs, assumptions),
  };
}

/** What a state takes from the request, it takes as the pact's request has it. */
const cleanParams = (params: Fields, { body }: Exchange, cleaned: Fields): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === "string" && value === body[name] ? cleaned[name] : value,
    ]),
  );

/** Examples do not tell interactions apart: operation, answer, states and fields do. */
function shapeOf({ operation }: Exchange, made: PactInteraction): string {
  const { request, response, description, providerStates } = made;
  const states = providerStates.map(({ name }) => name);
  const fields = [request.body?.content, request.query, response.body?.content].map((part) => fieldsOf(part));
  return JSON.stringify([operation.id, description, states, fields, request.generators]);
}

const fieldsOf = (value: unknown, at = ""): string[] =>
  typeof value === "object" && value !== null
    ? Object.entries(value)
        .flatMap(([name, inner]) => fieldsOf(inner, `${at}.${name}`))
        .sort()
    : [at];
