import * as Type from "typebox";
import { Timestamp } from "../contract/schemas.js";
import type { JournalEntry } from "../world/request-journal.js";
import { toIso } from "../world/time/time.js";
import { operation } from "./operation.js";
import { redactHeaders, redactJson, redactReply } from "./redact.js";
import { items } from "./schemas.js";

const text = Type.Union([Type.String(), Type.Null()]);

export const RequestView = Type.Object({
  id: Type.String(),
  at: Timestamp,
  operation: text,
  method: Type.String(),
  path: Type.String(),
  status: Type.Union([Type.Integer(), Type.Null()], {
    description: "Null: a fault reset the connection before anything happened",
  }),
  error_code: text,
  outcome: text,
  fault: Type.Union([Type.String(), Type.Null()], { description: "What went wrong, as a rule asked for it" }),
  duration_ms: Type.Number(),
  headers: Type.Record(Type.String(), Type.String()),
  body: text,
  reply: text,
});

/** An entry as it is shown: secrets are redacted. */
export const viewRequest = ({ asked_fault, ...entry }: JournalEntry) => ({
  ...entry,
  fault: asked_fault,
  at: toIso(entry.at),
  duration_ms: Math.round(entry.duration_ms * 100) / 100,
  headers: redactHeaders(entry.headers),
  body: redactJson(entry.body),
  reply: redactReply(entry.reply, entry.body),
});

export const listRequests = operation({
  id: "listRequests",
  route: "GET /_sandbox/requests",
  summary: "The last 1,000 requests of the account, newest first; secrets are redacted",
  auth: "control",
  query: Type.Object({ operation: Type.Optional(Type.String()), status: Type.Optional(Type.Integer()) }),
  reply: { 200: items(RequestView) },

  handle: ({ account, query }) => ({
    items: account.requests
      .list()
      .filter(
        (entry) =>
          entry.operation === (query.operation ?? entry.operation) &&
          entry.status === (query.status ?? entry.status),
      )
      .map(viewRequest),
  }),
});
