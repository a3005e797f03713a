/** Writes the deliveries that the service posts to registered URLs (interface: "Events"). */
import type { TSchema } from "typebox";
import { signatureHeader } from "../../contract/headers.js";
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

/** Returns an example of the whole body, with the fields of the kind's schema in its order. */
function exampleOf(kind: EventKind, { inForce }: Schemas): OpenApiNode {
  const fields: OpenApiNode = {
    id: "evt_0123456789abcdef",
    event: kind,
    job_id: "ver_0123456789abcdef",
    created_at: "2026-01-31T09:00:00.000Z",
    is_test: true,
    data: events[kind].example,
  };
  const { properties } = payloadSchema(kind, inForce) as TSchema & { properties: OpenApiNode };
  return Object.fromEntries(Object.keys(properties).map((name) => [name, fields[name]]));
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
            content: {
              "application/json": {
                schema: schemas.write(payloadSchema(kind, schemas.inForce)),
                example: exampleOf(kind, schemas),
              },
            },
          },
          responses,
          "x-assumptions": ["webhooks.endpoint", "webhooks.payload", "webhooks.headers"],
        },
      },
    ]),
  );
