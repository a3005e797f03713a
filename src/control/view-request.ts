/** Shows entries of the request journal. */
import * as Type from "typebox";
import { redactAddress, redactHeaders, redactJson, redactReply } from "../contract/redact.js";
import { nullable } from "../contract/schemas.js";
import { toIso } from "../time/time.js";
import type { JournalEntry } from "../world/activity/request-journal.js";
import { NullableString, OperationName } from "./schemas.js";

export const RequestView = Type.Object({
  id: Type.String({ description: "X-Request-Id of the reply, and id of the activity" }),
  at: Type.String({ format: "date-time", description: "When it arrived; ISO 8601, UTC" }),
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
  reply_headers: Type.Record(Type.String(), Type.String(), {
    description: "As sent. Empty if no reply was sent",
  }),
  trimmed: Type.Optional(
    Type.Literal(true, {
      description:
        "Body, reply and headers are no longer kept, because those of all accounts had reached their total",
    }),
  ),
});

/** Returns an entry of the journal with its secrets redacted. */
export const viewRequest = ({
  asked_fault,
  decided_by,
  rule,
  cost,
  form,
  retry_after,
  ...entry
}: JournalEntry) => ({
  ...entry,
  operation: entry.operation as Type.Static<typeof OperationName> | null,
  fault: asked_fault,
  at: toIso(entry.at),
  path: redactAddress(entry.path),
  duration_ms: Math.round((entry.duration_ms ?? 0) * 100) / 100,
  headers: redactHeaders(entry.headers),
  body: redactJson(entry.body),
  reply: redactReply(entry.reply, entry.body),
  reply_headers: redactHeaders(entry.reply_headers),
});
