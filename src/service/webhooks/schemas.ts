import * as Type from "typebox";
import { eventKinds } from "../../contract/events.js";
import { exactly, id, nullable, Timestamp } from "../../contract/schemas.js";

/** An event kind, or `*` for all of them. */
export const Subscription = Type.Enum([...eventKinds, "*"]);

/** The interface does not show the fields of a registered endpoint; assumption webhooks.endpoint. */
export const WebhookEndpoint = exactly(
  {
    id: id("whe_"),
    url: Type.String({ format: "uri" }),
    events: Type.Array(Subscription),
    description: nullable(Type.String()),
    secret: Type.String({ description: "Key of X-Service-Signature, used as the literal string" }),
    status: Type.Literal("enabled"),
    is_test: Type.Boolean(),
    created_at: Timestamp,
  },
  { "x-assumption": "webhooks.endpoint" },
);
