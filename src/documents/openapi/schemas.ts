/** Writes TypeBox schemas as JSON Schema, with references to named schemas. */
import { IsObject, IsUnion, type TSchema } from "typebox";
import { nodeInForce } from "../../contract/schemas.js";
import type { Assumptions } from "../../service/assumptions.js";

/** An object of the document. */
export type OpenApiNode = Record<string, unknown>;

/** Returns the node without its undefined entries, in the same order: documents are compared byte for byte. */
export const present = (node: OpenApiNode): OpenApiNode =>
  Object.fromEntries(Object.entries(node).filter(([, value]) => value !== undefined));

/** Annotations that the document leaves out: the ones of coded(), which the validator reads, and values for examples of webhooks. */
const internal: ReadonlySet<string> = new Set(["x-error", "x-rule", "x-example"]);

/** Returns the objects and unions that modules export, by export name, as input for `components`. */
export function namedSchemas(
  ...modules: readonly Readonly<Record<string, unknown>>[]
): Record<string, TSchema> {
  const exported = modules.flatMap((module) => Object.entries(module));
  const all = exported.filter(([, value]) => IsObject(value) || IsUnion(value));
  const named: Record<string, TSchema> = {};
  for (const [name, schema] of all as [string, TSchema][]) {
    if (named[name] && named[name] !== schema) throw new Error(`two different schemas are called ${name}`);
    named[name] = schema;
  }
  return named;
}

const isText = (value: unknown): value is string => typeof value === "string";

/** Adds the type that TypeBox omits from enums and that client generators need. */
const typed = (value: unknown): unknown =>
  typeof value === "object" && value !== null && "enum" in value && !("type" in value)
    ? { ...(Array.isArray(value.enum) && value.enum.every(isText) ? { type: "string" } : {}), ...value }
    : value;

const plainer = (inForce: Assumptions) => (schema: TSchema) =>
  JSON.parse(
    JSON.stringify(schema, (key, value: unknown) =>
      internal.has(key) ? undefined : typed(nodeInForce(value, inForce)),
    ),
  ) as unknown;

export interface Schemas {
  /** Values of the assumptions that the schemas are written for. */
  readonly inForce: Assumptions;
  write(schema: TSchema): unknown;
  /** Returns the named schemas that were referenced, by name. */
  components(): OpenApiNode;
}

/**
 * Creates a writer. It recognises named schemas by their text rather than by identity, because Type.Optional copies the
 * schema that it wraps. If two names have the same text, the first one is used.
 */
export function schemaWriter(named: Readonly<Record<string, TSchema>>, inForce: Assumptions): Schemas {
  const plain = plainer(inForce);
  const names = new Map<string, string>();
  const used = new Set<string>();
  // Sorted, because bundlers differ in the order of a module's exports.
  const inOrder = Object.keys(named).sort();
  for (const name of inOrder) {
    const text = JSON.stringify(plain(named[name] as TSchema));
    if (!names.has(text)) names.set(text, name);
  }

  const linked = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    const name = names.get(JSON.stringify(value));
    if (name === undefined) return linkedInside(value);
    used.add(name);
    return { $ref: `#/components/schemas/${name}` };
  };
  const linkedInside = (value: object): unknown =>
    Array.isArray(value)
      ? value.map(linked)
      : Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, linked(inner)]));

  return {
    inForce,
    write: (schema) => linked(plain(schema)),
    components() {
      const written: OpenApiNode = {};
      // Writing a schema may add others to `used`; iterating a Set includes items added during it.
      for (const name of used) written[name] = linkedInside(plain(named[name] as TSchema) as object);
      return Object.fromEntries(
        inOrder.filter((name) => used.has(name)).map((name) => [name, written[name]]),
      );
    },
  };
}
