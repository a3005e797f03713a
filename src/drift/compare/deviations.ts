/** Finds where a reply deviates from the contract of the service: in its status, media type or body, one deviation per cause. */
import type { Ajv2020 } from "ajv/dist/2020.js";
import { createAjv } from "../../contract/ajv.js";
import { isObject } from "../../contract/json.js";
import { methodOf, pathOf } from "../../contract/operation.js";
import { isOfType, typeOf } from "../../contract/schema-walk.js";
import type { ServiceReply } from "../service-client.js";

export interface ComparedSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly ComparedSchema[];
  readonly oneOf?: readonly ComparedSchema[];
  readonly properties?: Readonly<Record<string, ComparedSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | ComparedSchema;
  readonly items?: ComparedSchema;
  readonly pattern?: string;
  readonly format?: string;
}

export interface Deviation {
  /** Path such as `items[].cost`; empty for the whole body. */
  readonly at: string;
  /** Description without any value that could be secret. */
  readonly problem: string;
}

export const formatDeviation = ({ at, problem }: Deviation): string => `${at} ${problem}`;

/** Resolves references and validates leaves. */
export interface SchemaTools {
  readonly ajv: Ajv2020;
  follow(schema: ComparedSchema): ComparedSchema;
}

export const join = (at: string, key: string): string => (at === "" ? key : `${at}.${key}`);

/** Returns the name of a field if it looks like one and not like a value. */
export const fieldName = (key: string): string =>
  /^[A-Za-z_][\w-]{0,60}$/.test(key) && !/\d{5}/.test(key) ? key : "(a field)";

/** Describes a value by its type. Only words in lower case, as states are, are shown. */
export function describe(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "string")
    return /^[a-z][a-z_]{0,39}$/.test(value) ? JSON.stringify(value) : "another string";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

export function deviations(tools: SchemaTools, given: ComparedSchema, value: unknown, at = ""): Deviation[] {
  const schema = tools.follow(given);
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches) return ofBranches(tools, branches, value, at);
  const types = typesOf(schema);
  if (types.length > 0 && !types.some((type) => isOfType({ type }, value)))
    return [{ at, problem: `should be ${types.join(" or ")} and is ${typeOf(value)}` }];
  if (isObject(value)) return ofObject(tools, schema, value, at);
  if (Array.isArray(value)) return ofArray(tools, schema, value, at);
  return ofLeaf(tools, schema, value, at);
}

const typesOf = ({ type, const: constant, enum: values }: ComparedSchema): string[] => {
  if (type !== undefined) return [type].flat() as string[];
  const all = values ?? (constant === undefined ? [] : [constant]);
  return [...new Set(all.map(typeOf))];
};

/** Returns the deviations from the branch that fits best. */
function ofBranches(
  tools: SchemaTools,
  branches: readonly ComparedSchema[],
  value: unknown,
  at: string,
): Deviation[] {
  const followed = branches.map(tools.follow);
  const types = [...new Set(followed.flatMap(typesOf))];
  const fitting = followed.filter((schema) => {
    const own = typesOf(schema);
    return own.length === 0 || own.some((type) => isOfType({ type }, value));
  });
  if (fitting.length === 0)
    return [{ at, problem: `should be ${types.join(" or ")} and is ${typeOf(value)}` }];
  const [best = []] = fitting
    .map((schema) => deviations(tools, schema, value, at))
    .sort((one, other) => one.length - other.length);
  return best;
}

function ofObject(
  tools: SchemaTools,
  schema: ComparedSchema,
  value: Record<string, unknown>,
  at: string,
): Deviation[] {
  const { properties = {}, required = [], additionalProperties } = schema;
  const missing = required.filter((name) => !Object.hasOwn(value, name));
  const unknown =
    additionalProperties === false
      ? Object.keys(value).filter((name) => !Object.hasOwn(properties, name))
      : [];
  const found: Deviation[] = [];
  for (const name of missing) {
    const other = unknown.findIndex(
      (key) => deviations(tools, properties[name] ?? {}, value[key]).length === 0,
    );
    const [renamed] = other === -1 ? [] : unknown.splice(other, 1);
    const problem = renamed === undefined ? "is missing" : `is called ${fieldName(renamed)}`;
    found.push({ at: join(at, name), problem });
  }
  for (const name of unknown)
    found.push({ at: join(at, fieldName(name)), problem: "is not a field of the contract" });
  for (const [name, inner] of Object.entries(value)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    if (isObject(property))
      found.push(...deviations(tools, property as ComparedSchema, inner, join(at, name)));
  }
  return found;
}

/** Items share a path, so that a deviation of all of them is one. */
function ofArray(
  tools: SchemaTools,
  { items }: ComparedSchema,
  value: readonly unknown[],
  at: string,
): Deviation[] {
  if (!items) return [];
  const all = value.flatMap((item) => deviations(tools, items, item, `${at}[]`));
  return [...new Map(all.map((deviation) => [`${deviation.at} ${deviation.problem}`, deviation])).values()];
}

function ofLeaf({ ajv }: SchemaTools, schema: ComparedSchema, value: unknown, at: string): Deviation[] {
  const allowed = schema.enum ?? (schema.const === undefined ? null : [schema.const]);
  if (allowed && !allowed.includes(value))
    return [
      {
        at,
        problem: `is ${describe(value)}, which is not one of ${allowed.map((allowedValue) => JSON.stringify(allowedValue)).join(", ")}`,
      },
    ];
  if (schema.format === "date-time" && ajv.validate(schema, value) && !/Z$/i.test(String(value)))
    return [{ at, problem: "is a time with an offset, not in UTC" }];
  if (allowed || ajv.validate(schema, value)) return [];
  return [{ at, problem: `${ajv.errors?.[0]?.message ?? "is not valid"}` }];
}

interface Response {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema?: ComparedSchema }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { responses: Record<string, Response> }>>>>;
}

export class ServiceContract implements SchemaTools {
  readonly ajv = createAjv();

  /** `document` is the OpenAPI document under the values in force. */
  constructor(readonly document: object) {}

  follow = (schema: ComparedSchema): ComparedSchema => {
    if (schema.$ref === undefined) return schema;
    const { $ref, ...others } = schema;
    return { ...this.follow(this.#at($ref) as ComparedSchema), ...others };
  };

  /** Returns the schema of a reply's body; undefined if it is not JSON or not declared. */
  schemaOf(reply: ServiceReply): ComparedSchema | undefined {
    return this.#contentOf(reply)?.[reply.mediaType]?.schema;
  }

  /** Returns where the reply deviates from the contract. */
  check(reply: ServiceReply): Deviation[] {
    const { status, mediaType, body } = reply;
    const content = this.#contentOf(reply);
    if (!content) return [{ at: "status", problem: `is ${status}, which the contract does not have` }];
    const types = Object.keys(content);
    if (!types.includes(mediaType))
      return [
        { at: "content-type", problem: `should be ${types.join(" or ")} and is ${mediaType || "missing"}` },
      ];
    const schema = content[mediaType]?.schema;
    if (!mediaType.includes("json") || !schema) return [];
    if (body === undefined) return [{ at: "body", problem: "is not valid JSON" }];
    return deviations(this, schema, body);
  }

  #contentOf({ operation, status }: ServiceReply): Response["content"] {
    const { paths } = this.document as Document;
    const response = paths[pathOf(operation)]?.[methodOf(operation).toLowerCase()]?.responses[status];
    return (response?.$ref === undefined ? response : (this.#at(response.$ref) as Response))?.content;
  }

  #at(ref: string): unknown {
    const keys = ref
      .slice(2)
      .split("/")
      .map((key) => decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~"));
    return keys.reduce<unknown>(
      (node, key) => (node as Record<string, unknown> | undefined)?.[key],
      this.document,
    );
  }
}
