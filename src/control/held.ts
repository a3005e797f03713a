/** Requests, replies and webhooks that rules have stopped: seen, changed, released and dropped by testers. */
import { validateHeaderName, validateHeaderValue } from "node:http";
import * as Type from "typebox";
import { controlRoutes } from "../contract/control-routes.js";
import type { RefusalOptions } from "../contract/errors.js";
import { connectionHeaders } from "../contract/headers.js";
import { isObject } from "../contract/json.js";
import { nullable, Timestamp } from "../contract/schemas.js";
import { fromIso, toIso } from "../time/time.js";
import type { Account } from "../world/account/account.js";
import type { HeldExchange, ReleaseChanges } from "../world/account/held.js";
import {
  attemptRequest,
  type Delivery,
  delivery,
  dropDelivery,
  heldDeliveries,
  releaseDelivery,
} from "../world/webhooks/delivery.js";
import { collection } from "./collection.js";
import { operation } from "./operation.js";
import { ById } from "./schemas.js";

const Kind = Type.Enum(["request", "reply", "webhook"]);

const HeldView = Type.Object({
  id: Type.String({ description: "Id of the request, or of the delivery" }),
  kind: Kind,
  rule: nullable(Type.String(), { description: "Id of the rule that stopped it" }),
  held_at: Timestamp,
  operation: nullable(Type.String(), { description: "Null for a webhook" }),
  event: nullable(Type.String(), { description: "Null for a request and a reply" }),
  method: Type.String(),
  target: Type.String({ description: "Path with query, or the URL of the endpoint" }),
  status: nullable(Type.Integer(), { description: "Status of a reply" }),
  headers: Type.Record(Type.String(), Type.String()),
  body: Type.Unknown({ description: "JSON, or null for a body that is not JSON" }),
});
type HeldView = Type.Static<typeof HeldView>;

const viewExchange = ({
  id,
  kind,
  rule,
  at,
  operation,
  method,
  path,
  status,
  headers,
  body,
}: HeldExchange): HeldView => ({
  id,
  kind,
  rule,
  held_at: toIso(at),
  operation,
  event: null,
  method,
  target: path,
  status,
  headers: { ...headers },
  body: body ?? null,
});

function viewDelivery(account: Account, record: Delivery): HeldView {
  const genuine = account.outbox.event(record.event_id)?.body ?? "{}";
  const { headers, body } = attemptRequest(account.outbox, record, genuine, 1);
  return {
    id: record.id,
    kind: "webhook",
    rule: record.rule ?? null,
    held_at: record.created_at,
    operation: null,
    event: record.event,
    method: "POST",
    target: record.url,
    status: null,
    headers,
    body: JSON.parse(body),
  };
}

/** A held request, reply or webhook. Its view takes time: the body is formatted, and a webhook is signed. */
interface HeldItem {
  readonly id: string;
  readonly kind: HeldView["kind"];
  /** Time in ms on the account's clock. */
  readonly at: number;
  readonly isHeld: () => boolean;
  readonly view: () => HeldView;
}

/** Returns the held items, oldest first. */
function listItems(account: Account, kind?: HeldView["kind"]): HeldItem[] {
  const webhooks = [...(kind === undefined || kind === "webhook" ? heldDeliveries(account) : [])].map(
    (record): HeldItem => ({
      id: record.id,
      kind: "webhook",
      at: fromIso(record.created_at) ?? 0,
      isHeld: () => account.records.get(delivery, record.id)?.held === true,
      view: () => viewDelivery(account, record),
    }),
  );
  const exchanges = account.held.list().map(
    (exchange): HeldItem => ({
      id: exchange.id,
      kind: exchange.kind,
      at: exchange.at,
      isHeld: () => account.held.get(exchange.id) !== undefined,
      view: () => viewExchange(exchange),
    }),
  );
  const wanted = exchanges.filter((item) => kind === undefined || item.kind === kind);
  return [...wanted, ...webhooks.reverse()].sort((a, b) => a.at - b.at);
}

export const { list: listHeld, wait: waitForHeld } = collection({
  of: HeldView,
  filter: { kind: Type.Optional(Kind) },
  paging: "oldest",
  items: ({ account, query: { kind } }) => listItems(account, kind),
  view: (item) => item.view(),
  list: {
    id: "listHeld",
    summary: "List the requests, replies and webhooks that rules hold, oldest first",
  },
  wait: {
    id: "waitForHeld",
    summary: "Wait for the next held request, reply or webhook that no earlier wait has returned",
    waiters: ({ held }) => held.waiters,
    take: ({ account, query: { kind } }) => account.held.take(listItems(account, kind)),
    none: ({ kind = "request, reply or webhook" }) => `No ${kind} was held`,
  },
});

const Changes = Type.Object(
  {
    status: Type.Optional(Type.Integer({ minimum: 200, maximum: 599, description: "Status of a reply" })),
    headers: Type.Optional(
      Type.Record(Type.String(), nullable(Type.String()), {
        description: "Headers of a reply or a webhook to set. Null removes a header",
      }),
    ),
    body: Type.Optional(
      Type.Unknown({
        description:
          "JSON in place of the body; for a reply and a webhook also a string, which is sent unchanged. A changed webhook is signed again",
      }),
    ),
  },
  { additionalProperties: false },
);

/** Returns the held item with this id, or refuses. */
function find(
  account: Account,
  id: string,
  refuse: (code: "resource_not_found", options: RefusalOptions) => never,
) {
  const exchange = account.held.get(id);
  const record = account.records.get(delivery, id);
  if (exchange) return { exchange, kind: exchange.kind };
  if (record?.held && record.state === "pending") return { record, kind: "webhook" as const };
  const message = `Nothing with the id ${id.slice(0, 60)} is held; ${controlRoutes.listHeld} lists what is.`;
  return refuse("resource_not_found", { param: "id", message });
}

/**
 * Headers that Node writes, or that concern the connection. If a tester sets one, Node throws or the reply becomes
 * unreadable.
 */
const ownHeaders: ReadonlySet<string> = new Set(["content-length", ...connectionHeaders]);

/** Returns which change is not possible for the held item and why, or null. */
function problemOf(
  kind: HeldView["kind"],
  { status, headers = {}, body }: ReleaseChanges,
): { param: string; message: string } | null {
  if (status !== undefined && kind !== "reply")
    return { param: "status", message: `a held ${kind} has no status` };
  if (kind === "request" && Object.keys(headers).length > 0)
    return {
      param: "headers",
      message: "the headers of a held request have already been read; change its body",
    };
  if (kind === "request" && body !== undefined && !isObject(body))
    return { param: "body", message: "the body of a request must be a JSON object" };
  for (const [name, value] of Object.entries(headers)) {
    if (ownHeaders.has(name.toLowerCase()))
      return {
        param: `headers.${name}`,
        message: `${name} concerns the connection, or the length of the body, and is left to the sandbox; change other headers`,
      };
    try {
      validateHeaderName(name);
      if (value !== null) validateHeaderValue(name, value);
    } catch (error) {
      return { param: `headers.${name}`, message: (error as Error).message };
    }
  }
  return null;
}

const Ended = Type.Object({ id: Type.String(), kind: Kind });

export const releaseHeld = operation({
  id: "releaseHeld",
  summary: "Release a held request, reply or webhook, with or without changes",
  params: ById,
  body: Changes,
  bodyOptional: true,
  reply: { 200: Ended },
  refuses: ["resource_not_found", "validation_error"],

  handle({ account, params: { id }, body: changes, refuse }) {
    const { exchange, record, kind } = find(account, id, refuse);
    const problem = problemOf(kind, changes);
    if (problem) refuse("validation_error", { param: problem.param, message: `${problem.message}.` });
    if (record) account.commit("control", () => releaseDelivery(account, record, changes));
    if (exchange) account.held.end(id, { isDropped: false, changes });
    return { id, kind };
  },
});

export const dropHeld = operation({
  id: "dropHeld",
  summary:
    "Drop a held request as if it had never arrived, a reply by resetting its connection, or a webhook",
  params: ById,
  reply: { 200: Ended },
  refuses: ["resource_not_found"],

  handle({ account, params: { id }, refuse }) {
    const { exchange, record, kind } = find(account, id, refuse);
    if (record) account.commit("control", () => dropDelivery(account, record));
    if (exchange) account.held.end(id, { isDropped: true });
    return { id, kind };
  },
});
