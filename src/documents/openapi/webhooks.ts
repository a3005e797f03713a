/** Writes the deliveries that the service posts to registered URLs (interface: "Events"). */
import { signatureHeader } from "../../contract/headers.js";
import { exampleOf, toJsonSchema } from "../../contract/schema-walk.js";
import { serviceSections } from "../../service/sections.js";
import { type EventKind, eventKinds, events, payloadSchema } from "../../service/webhooks/events.js";
import { retryDelays, retryDelaysText } from "../../world/webhooks/delivery.js";
import type { OpenApiNode, Schemas } from "./schemas.js";
import { tagOf } from "./tags.js";

export const webhookTag = tagOf({ route: "POST /v1/webhooks" }, serviceSections);

const signature = {
  name: signatureHeader,
  in: "header",
  required: true,
  description:
    "Lowercase hexadecimal HMAC-SHA256 of the raw request body, keyed with the webhook secret. Recompute it, compare in " +
    "constant time and reject a mismatch.",
  schema: { type: "string", pattern: "^[0-9a-f]{64}$" },
  "x-assumption": "webhooks.secret",
};

const text = { type: "string" };

/** Additional headers with webhooks.headers=extended. */
const extended = [
  { name: "X-Service-Event", description: "Kind of the event.", schema: text },
  {
    name: "X-Service-Delivery",
    description: "Id of the delivery, the same for all its attempts.",
    schema: text,
  },
  {
    name: "X-Service-Attempt",
    description: "Number of the attempt, from 1.",
    schema: { type: "integer", minimum: 1 },
  },
].map((header) => ({ ...header, in: "header", required: true, "x-assumption": "webhooks.headers" }));

const headersOf = ({ inForce }: Schemas): OpenApiNode[] =>
  inForce["webhooks.headers"] === "extended" ? [signature, ...extended] : [signature];

const responses = {
  "2XX": { description: "The delivery succeeded." },
  default: {
    description:
      "Any other status, a redirect, or no reply within 10 seconds. The delivery is retried with the same bytes, up to " +
      `${retryDelays.length} times, after ${retryDelaysText}.`,
    "x-assumption": "webhooks.delivery",
  },
};

/** Returns the operation id of a kind: `payment.issue_resolved` gives `onPaymentIssueResolved`. */
export const webhookOperationId = (kind: EventKind): string =>
  `on${kind.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}`;

/** Returns the schema and an example of the body of a delivery. */
function bodyOf(kind: EventKind, schemas: Schemas): OpenApiNode {
  const schema = payloadSchema(kind, schemas.inForce);
  const example = { ...(exampleOf(toJsonSchema(schema)) as object), data: events[kind].example };
  return { schema: schemas.write(schema), example };
}

export const webhookNodes = (schemas: Schemas): OpenApiNode =>
  Object.fromEntries(
    eventKinds.map((kind) => [
      kind,
      {
        post: {
          operationId: webhookOperationId(kind),
          summary: kind,
          description: events[kind].description,
          tags: [webhookTag.name],
          security: [],
          parameters: headersOf(schemas),
          requestBody: {
            required: true,
            content: { "application/json": bodyOf(kind, schemas) },
          },
          responses,
          "x-assumptions": ["webhooks.endpoint", "webhooks.payload", "webhooks.headers"],
        },
      },
    ]),
  );
