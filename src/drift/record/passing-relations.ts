/** Relations of a client's own replies: echoed ids and references, sums of amounts, and the order of states. */
import { isObject } from "../../contract/json.js";
import type { Deviation } from "../compare/deviations.js";
import { compareRelations } from "../compare/relations.js";
import type { PlayedCall } from "../play.js";

export class PassingRelations {
  /** Last exchange with each record, by the record's id. */
  readonly #last = new Map<string, PlayedCall>();

  check(exchange: PlayedCall): Deviation[] {
    const { body } = exchange.reply;
    const id = isObject(body) && typeof body.id === "string" ? body.id : null;
    const before = id === null ? undefined : this.#last.get(id);
    if (id !== null && exchange.reply.status < 300) this.#last.set(id, exchange);
    // Compared with itself, a run shows sums and states alone, which need no sandbox.
    const run = before ? [before, exchange] : [exchange];
    return [...(compareRelations(run, run).get(run.length - 1) ?? []), ...echoesIn(exchange)];
  }
}

/** Returns the ids and references of the request that the reply has with another value. */
function echoesIn({ request: { params = {}, body = {} }, reply }: PlayedCall): Deviation[] {
  const { status, body: answer } = reply;
  if (status >= 300 || !isObject(answer)) return [];
  const sent = { ...params, ...body };
  return ["id", "reference"].flatMap((field) =>
    typeof sent[field] === "string" && typeof answer[field] === "string" && sent[field] !== answer[field]
      ? [{ at: field, problem: `is not ${field} of the request` }]
      : [],
  );
}
