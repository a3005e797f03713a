import * as Type from "typebox";
import { coded, exactly, id, nullable, Timestamp } from "../../contract/schemas.js";
import { endpointPrefix } from "../../world/webhooks/outbox.js";
import { maxWebhookUrlLength } from "./deliverable-url.js";
import { eventKinds } from "./events.js";

/** An event kind, or `*` for all of them. */
export const Subscription = Type.Enum([...eventKinds, "*"]);

/** Completes the sentence "url must be ...". */
export const urlRule =
  "an http or https URL without user name, password or spaces, with letters outside ASCII percent-encoded (ü is %C3%BC), such as http://127.0.0.1:3000/webhooks";

/** A URL that webhooks can be sent to. `isDeliverable` also refuses invalid hosts and characters. */
export const DeliverableUrl = Type.String({
  format: "uri",
  maxLength: maxWebhookUrlLength,
  pattern: "^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#@]+(?:[/?#]\\S*)?$",
  description: "An http or https URL",
  examples: ["https://shop.example/webhooks"],
  ...coded("validation_error", urlRule),
});

/** The interface does not show the fields of a registered endpoint; assumption webhooks.endpoint. */
export const WebhookEndpoint = exactly(
  {
    id: id(endpointPrefix),
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
