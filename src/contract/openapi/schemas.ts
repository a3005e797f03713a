/** TypeBox schemas as JSON Schema, with a reference wherever a named one occurs. */
import { IsObject, IsUnion, type TSchema } from "typebox";
import type { Assumptions } from "../assumptions.js";
import type { While } from "../schemas.js";
import type { Node } from "./json.js";

/** Notes of coded() for the validator; a client gets the code and the rule in the error. */
const internal: ReadonlySet<string> = new Set(["x-error", "x-rule"]);

/** The objects and unions that modules export, under the names they have there: input for `components`. */
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

/** TypeBox gives an enum no type; generators of clients want one. */
const typed = (value: unknown): unknown =>
  typeof value === "object" && value !== null && "enum" in value && !("type" in value)
    ? { ...(Array.isArray(value.enum) && value.enum.every(isText) ? { type: "string" } : {}), ...value }
    : value;

/** Notes of whileIn() give way to what is in force. */
function inForceOf(value: unknown, inForce: Assumptions): unknown {
  if (typeof value !== "object" || value === null || !("x-while" in value)) return value;
  const { "x-while": other, ...schema } = value as { "x-while": While };
  const { assumption, value: needed } = other;
  return inForce[assumption] === needed ? { ...other.schema, "x-assumption": assumption } : schema;
}

const plainer = (inForce: Assumptions) => (schema: TSchema) =>
  JSON.parse(
    JSON.stringify(schema, (key, value: unknown) =>
      internal.has(key) ? undefined : typed(inForceOf(value, inForce)),
    ),
  ) as unknown;

export interface Schemas {
  /** The switches that the schemas are written under. */
  readonly inForce: Assumptions;
  write(schema: TSchema): unknown;
  /** The named schemas that were referred to, by name. */
  components(): Node;
}

/**
 * Schemas are matched by their text and not by identity, because Type.Optional copies what it wraps. Of two names for
 * the same text the first one is used.
 */
export function schemaWriter(named: Readonly<Record<string, TSchema>>, inForce: Assumptions): Schemas {
  const plain = plainer(inForce);
  const names = new Map<string, string>();
  const used = new Set<string>();
  // By name and not as given: bundlers do not agree on the order of a module's exports.
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
      const written: Node = {};
      // Writing one may use another: a Set gives out what is added to it on the way.
      for (const name of used) written[name] = linkedInside(plain(named[name] as TSchema) as object);
      return Object.fromEntries(
        inOrder.filter((name) => used.has(name)).map((name) => [name, written[name]]),
      );
    },
  };
}
