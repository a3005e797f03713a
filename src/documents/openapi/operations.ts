/** Writes one operation as an entry of `paths`: its parameters, request body and security (interface: "Authentication"). */

import type { TObject, TSchema } from "typebox";
import { formatNumber } from "../../contract/money.js";
import {
  type AnyOperation,
  type Auth,
  commonOutcomes,
  isServiceOperation,
} from "../../contract/operation.js";
import { fieldsIn, type SchemaField } from "../../contract/schema-walk.js";
import { bytesPerMB, type Upload, type UploadField } from "../../contract/upload.js";
import { assumptions, assumptionsOf } from "../../service/assumptions.js";
import type { Price } from "../../service/prices.js";
import type { Link } from "./links.js";
import { responsesOf } from "./responses.js";
import { type OpenApiNode, present, type Schemas } from "./schemas.js";

const schemes = {
  ApiKey: {
    type: "apiKey",
    in: "header",
    name: "X-Service-Key",
    description: "The secret API key, live or test.",
    "x-assumption": "keys",
  },
  SessionToken: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "The dashboard's signed session token. The API key is not used.",
    "x-assumption": "session_token",
  },
  AdminToken: {
    type: "apiKey",
    in: "header",
    name: "X-Sandbox-Admin",
    description: "The admin token. Required only if the sandbox is bound to a non-loopback address.",
  },
} as const;
type Scheme = keyof typeof schemes;

/** Accepted combinations of headers. An empty combination means that no header is required. */
const alternatives: Readonly<Record<Auth, readonly (readonly Scheme[])[]>> = {
  key: [["ApiKey"]],
  session: [["SessionToken"]],
  // The key only selects the account, so both headers are optional.
  control: [[], ["ApiKey"], ["AdminToken"], ["ApiKey", "AdminToken"]],
  operator: [[], ["AdminToken"]],
  none: [],
};

const securityOf = (auth: Auth): OpenApiNode[] =>
  alternatives[auth].map((names) => Object.fromEntries(names.map((name) => [name, []])));

export function securitySchemesOf(auths: readonly Auth[]): OpenApiNode {
  const used = new Set(auths.flatMap((auth) => alternatives[auth].flat()));
  return Object.fromEntries(Object.entries(schemes).filter(([name]) => used.has(name as Scheme)));
}

function priceOf({ price: key }: AnyOperation, prices: readonly Price[]): OpenApiNode | undefined {
  if (key === undefined) return undefined;
  if (typeof key !== "string") return { note: "depends on the request" };
  const entry = prices.find((price) => price.key === key);
  if (!entry) return { key };
  const { price, unit, source } = entry;
  return { key, price, currency: "NGN", unit, source };
}

function outcomesOf(operation: AnyOperation): OpenApiNode | undefined {
  const common = isServiceOperation(operation) ? commonOutcomes : {};
  const all = { ...operation.outcomes, ...common };
  return Object.keys(all).length > 0 ? all : undefined;
}

function applicableIds(operation: AnyOperation): string[] {
  const applicable = assumptionsOf(operation);
  return assumptions.map(({ id }) => id).filter((id) => applicable.has(id));
}

export function operationNode(
  operation: AnyOperation,
  tag: string,
  schemas: Schemas,
  prices: readonly Price[],
  links: readonly Link[],
): OpenApiNode {
  return present({
    operationId: operation.id,
    summary: operation.summary,
    description: operation.description,
    tags: [tag],
    security: securityOf(operation.auth),
    "x-plan": operation.plan,
    "x-test-mode-only": operation.testModeOnly,
    "x-price": priceOf(operation, prices),
    parameters: parametersOf(operation, schemas),
    requestBody: requestBodyOf(operation, schemas),
    responses: responsesOf(operation, schemas, links),
    "x-outcomes": outcomesOf(operation),
    "x-emits": operation.emits,
    "x-assumptions": isServiceOperation(operation) ? applicableIds(operation) : undefined,
  });
}

/** Moves the description from the schema to the parameter. */
function parameter(
  place: "path" | "query",
  { name, schema, isRequired }: SchemaField,
  schemas: Schemas,
): OpenApiNode {
  const { description, ...rest } = schema;
  return present({
    name,
    in: place,
    description,
    required: isRequired,
    schema: schemas.write(rest as TSchema),
  });
}

function parametersOf({ params, query }: AnyOperation, schemas: Schemas): OpenApiNode[] | undefined {
  const parameters = [
    ...fieldsIn(params).map((field) => parameter("path", { ...field, isRequired: true }, schemas)),
    ...fieldsIn(query).map((field) => parameter("query", field, schemas)),
  ];
  return parameters.length > 0 ? parameters : undefined;
}

function fileSchema(
  { description, maxMB, maxPixels, types }: UploadField,
  { inForce }: Schemas,
): OpenApiNode {
  const bytes = formatNumber(maxMB * bytesPerMB(inForce));
  const pixels = maxPixels === undefined ? "" : ` and ${maxPixels / 1e6} megapixels`;
  const limit = `At most ${maxMB} MB (${bytes} bytes)${pixels}.`;
  return {
    type: "string",
    format: "binary",
    contentMediaType: types?.length === 1 ? types[0] : "application/octet-stream",
    description: description ? `${description}. ${limit}` : limit,
  };
}

/** Returns the media types without parameters, which describe the bytes and not the declared type. */
const contentTypes = ({ types = [] }: UploadField): string =>
  [...new Set(types.map((type) => type.replace(/;.*/, "")))].join(", ");

/** Closes an object to unknown fields, by assumption fields.unmarked. */
const closing = ({ inForce }: Schemas): OpenApiNode =>
  inForce["fields.unmarked"] === "refused" ? { additionalProperties: false } : {};

/** Writes a body, with all its objects closed if unknown fields are refused. */
function bodySchema(body: TObject, schemas: Schemas): unknown {
  const close = (_key: string, value: unknown): unknown =>
    typeof value === "object" && value !== null && "properties" in value
      ? { ...value, ...closing(schemas) }
      : value;
  return schemas.write(JSON.parse(JSON.stringify(body, close)) as TObject);
}

function multipart(upload: Upload, body: TObject | undefined, schemas: Schemas): OpenApiNode {
  const files = Object.entries(upload);
  const fields = fieldsIn(body);
  const typed = files.filter(([, field]) => field.types);
  return present({
    schema: {
      type: "object",
      required: [
        ...files.map(([name]) => name),
        ...fields.flatMap(({ name, isRequired }) => (isRequired ? [name] : [])),
      ],
      properties: Object.fromEntries([
        ...files.map(([name, field]) => [name, fileSchema(field, schemas)]),
        ...fields.map(({ name, schema }) => [name, schemas.write(schema as TSchema)]),
      ]),
      ...closing(schemas),
    },
    encoding:
      typed.length > 0
        ? Object.fromEntries(typed.map(([name, field]) => [name, { contentType: contentTypes(field) }]))
        : undefined,
  });
}

function requestBodyOf(
  { body, bodyOptional, upload }: AnyOperation,
  schemas: Schemas,
): OpenApiNode | undefined {
  const required = !bodyOptional;
  if (upload) return { required, content: { "multipart/form-data": multipart(upload, body, schemas) } };
  if (body) return { required, content: { "application/json": { schema: bodySchema(body, schemas) } } };
  return undefined;
}
