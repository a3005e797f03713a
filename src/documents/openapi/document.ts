/** Writes an OpenAPI 3.1 document. Its keys always have the same order. */
import type { TSchema } from "typebox";
import { errorShape } from "../../contract/error-body.js";
import { type ErrorCode, errors } from "../../contract/errors.js";
import { signatureHeader } from "../../contract/headers.js";
import { type AnyOperation, methodOf, pathOf } from "../../contract/operation.js";
import { errorCodesOf } from "../../contract/refusals.js";
import { exampleOf, toJsonSchema } from "../../contract/schema-walk.js";
import { type Assumptions, resolveAssumptions } from "../../service/assumptions.js";
import type { Price } from "../../service/prices.js";
import { type PathGroup, serviceSections } from "../../service/sections.js";
import { type EventKind, eventKinds, events, payloadSchema } from "../../service/webhooks/events.js";
import { retryDelays, retryDelaysText } from "../../world/webhooks/delivery.js";
import { linksBetween } from "./links.js";
import { operationNode, securitySchemesOf } from "./operations.js";
import { errorExample, headers, sharedResponses } from "./responses.js";
import { type OpenApiNode, present, type Schemas, schemaWriter } from "./schemas.js";
import { tagOf } from "./tags.js";

export interface DocumentInput {
  title: string;
  description: string;
  version: string;
  /** SPDX identifier of the document's licence. */
  license: string;
  serverUrl: string;
  operations: readonly AnyOperation[];
  /** Describe the deliveries of all event kinds as well. Default false. */
  webhooks?: boolean;
  /** Tags with their paths. Default: the groups of the service. A path without a tag gets one named after its segment. */
  tags?: readonly PathGroup[];
  /** Schemas that are written once, under these names, and referenced wherever they occur. */
  components?: Readonly<Record<string, TSchema>>;
  /** Price list for the amounts of `x-price`. */
  prices?: readonly Price[];
  /** Values of the assumptions that the document describes. Default: the defaults. */
  assumptions?: Assumptions | undefined;
}

function pathsOf(
  { operations, tags = serviceSections, prices = [] }: DocumentInput,
  schemas: Schemas,
): OpenApiNode {
  const paths: Record<string, OpenApiNode> = {};
  const links = linksBetween(operations);
  for (const operation of operations) {
    const node = operationNode(operation, tagOf(operation, tags).name, schemas, prices, links);
    const path = pathOf(operation);
    paths[path] = { ...paths[path], [methodOf(operation).toLowerCase()]: node };
  }
  return paths;
}

function tagsOf({ operations, tags = serviceSections, webhooks }: DocumentInput): OpenApiNode[] {
  const used = new Map(
    operations.map((operation) => tagOf(operation, tags)).map((tag) => [tag.name, tag.description]),
  );
  if (webhooks) used.set(webhookTag.name, webhookTag.description);
  const rank = (name: string): number => tags.findIndex((tag) => tag.name === name) + 1 || tags.length + 1;
  return [...used]
    .sort(([one], [other]) => rank(one) - rank(other))
    .map(([name, description]) => ({ name, description }));
}

function componentsOf({ operations }: DocumentInput, schemas: Schemas): OpenApiNode {
  const { inForce } = schemas;
  const used = new Set(
    operations.flatMap((operation) => errorCodesOf(operation, { serviceOnly: true, inForce })),
  );
  const codes = (Object.keys(errors) as ErrorCode[]).filter((code) => used.has(code));
  const limited = codes.some((code) => errors[code].status === 429);
  return {
    securitySchemes: securitySchemesOf(operations.map((operation) => operation.auth)),
    headers: present({ RequestId: headers.RequestId, RetryAfter: limited ? headers.RetryAfter : undefined }),
    responses: sharedResponses(operations, inForce),
    examples: Object.fromEntries(codes.map((code) => [code, errorExample(code, inForce)])),
    schemas: schemas.components(),
  };
}

/** Only the contract of the service names the assumptions in force; the control API does not depend on them. */
const infoOf = (input: DocumentInput, inForce: Assumptions): OpenApiNode => {
  const { title, description, version, license, webhooks } = input;
  return present({
    title,
    description,
    version,
    contact: { name: "Standin" },
    license: { name: license, identifier: license },
    "x-assumptions": webhooks ? inForce : undefined,
  });
};

export function openapi(input: DocumentInput): object {
  const inForce = input.assumptions ?? resolveAssumptions();
  const { body } = errorShape(inForce);
  const schemas = schemaWriter({ ...input.components, Error: body }, inForce);
  schemas.write(body);
  const paths = pathsOf(input, schemas);
  const webhooks = input.webhooks ? webhookNodes(schemas) : undefined;
  return present({
    openapi: "3.1.0",
    info: infoOf(input, inForce),
    servers: [{ url: input.serverUrl }],
    tags: tagsOf(input),
    paths,
    webhooks,
    components: componentsOf(input, schemas),
  });
}

const webhookTag = tagOf({ route: "POST /v1/webhooks" }, serviceSections);

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
const webhookOperationId = (kind: EventKind): string =>
  `on${kind.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}`;

/** Returns the schema and an example of the body of a delivery. */
function bodyOf(kind: EventKind, schemas: Schemas): OpenApiNode {
  const schema = payloadSchema(kind, schemas.inForce);
  const example = { ...(exampleOf(toJsonSchema(schema)) as object), data: events[kind].example };
  return { schema: schemas.write(schema), example };
}

/** Returns the deliveries that the service posts to registered URLs (interface: "Events"). */
const webhookNodes = (schemas: Schemas): OpenApiNode =>
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
