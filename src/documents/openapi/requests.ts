/** Writes parameters and request bodies. */
import type { TObject, TSchema } from "typebox";
import { formatNumber } from "../../contract/format-number.js";
import type { AnyOperation } from "../../contract/operation.js";
import { fieldsOf, type SchemaField } from "../../contract/schema-walk.js";
import { bytesPerMB, type Upload, type UploadField } from "../../contract/upload.js";
import { type OpenApiNode, present, type Schemas } from "./schemas.js";

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

export function parametersOf({ params, query }: AnyOperation, schemas: Schemas): OpenApiNode[] | undefined {
  const parameters = [
    ...fieldsOf(params).map((field) => parameter("path", { ...field, isRequired: true }, schemas)),
    ...fieldsOf(query).map((field) => parameter("query", field, schemas)),
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

/** Returns the media types without parameters: those describe the bytes, not the declared type. */
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
  const fields = fieldsOf(body);
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

export function requestBodyOf(
  { body, bodyOptional, upload }: AnyOperation,
  schemas: Schemas,
): OpenApiNode | undefined {
  const required = !bodyOptional;
  if (upload) return { required, content: { "multipart/form-data": multipart(upload, body, schemas) } };
  if (body) return { required, content: { "application/json": { schema: bodySchema(body, schemas) } } };
  return undefined;
}
