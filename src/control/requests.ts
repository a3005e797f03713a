import * as Type from "typebox";
import { nullable, Timestamp } from "../contract/schemas.js";
import type { JournalEntry } from "../world/request-journal.js";
import { toIso } from "../world/time/time.js";
import { operation } from "./operation.js";
import { listPage, paging } from "./paging.js";
import { redactHeaders, redactJson, redactReply } from "./redact.js";
import { ById, items, NullableString, OperationName } from "./schemas.js";

export const RequestView = Type.Object({
  id: Type.String({ description: "X-Request-Id of the reply, and id of the activity" }),
  at: Timestamp,
  operation: nullable(OperationName),
  method: Type.String(),
  path: Type.String(),
  status: nullable(Type.Integer(), {
    description: "Null if a fault reset the connection before the request was processed",
  }),
  error_code: NullableString,
  outcome: NullableString,
  fault: nullable(Type.String(), { description: "Fault that a rule injected, such as reply=truncated" }),
  duration_ms: Type.Number(),
  headers: Type.Record(Type.String(), Type.String()),
  body: NullableString,
  reply: NullableString,
});

/** Returns an entry of the journal with its secrets redacted. */
export const viewRequest = ({ asked_fault, decided_by, rule, cost, form, ...entry }: JournalEntry) => ({
  ...entry,
  operation: entry.operation as Type.Static<typeof OperationName> | null,
  fault: asked_fault,
  at: toIso(entry.at),
  duration_ms: Math.round((entry.duration_ms ?? 0) * 100) / 100,
  headers: redactHeaders(entry.headers),
  body: redactJson(entry.body),
  reply: redactReply(entry.reply, entry.body),
});

export const listRequests = operation({
  id: "listRequests",
  route: "GET /_sandbox/requests",
  summary: "List the last 1,000 requests of the account, newest first, with secrets redacted",
  auth: "control",
  query: Type.Object({
    operation: Type.Optional(Type.String()),
    status: Type.Optional(Type.Integer()),
    ...paging,
  }),
  reply: { 200: items(RequestView) },
  refuses: ["validation_error"],

  handle: async ({ account, query }) =>
    listPage(
      await account.requests.list(),
      query,
      viewRequest,
      ({ operation, status }) =>
        operation === (query.operation ?? operation) && status === (query.status ?? status),
    ),
});

export const getRequest = operation({
  id: "getRequest",
  route: "GET /_sandbox/requests/{id}",
  summary: "Get one of the last 1,000 requests by its X-Request-Id, with secrets redacted",
  auth: "control",
  params: ById,
  reply: { 200: RequestView },
  refuses: ["resource_not_found"],

  async handle({ account, params: { id }, refuse }) {
    const entry = (await account.requests.list()).find((one) => one.id === id);
    if (entry) return viewRequest(entry);
    const message = `There is no request ${JSON.stringify(id.slice(0, 100))} among the last 1,000 of this account.`;
    return refuse("resource_not_found", { param: "id", message });
  },
});
