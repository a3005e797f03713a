/** TypeBox schemas as JSON Schema, with a reference wherever a named one occurs. */
import type { TSchema } from "typebox";
import type { Node } from "./json.js";

/** Notes of coded() for the validator; a client gets the code and the rule in the error. */
const internal: ReadonlySet<string> = new Set(["x-error", "x-rule"]);

const plain = (schema: TSchema): unknown =>
  JSON.parse(JSON.stringify(schema, (key, value: unknown) => (internal.has(key) ? undefined : value)));

export interface Schemas {
  write(schema: TSchema): unknown;
  /** The named schemas that were referred to, in the order in which they were named. */
  components(): Node;
}

/**
 * Schemas are matched by their text and not by identity, because Type.Optional copies what it wraps. Of two names for
 * the same text the first one is used.
 */
export function schemaWriter(named: Readonly<Record<string, TSchema>>): Schemas {
  const names = new Map<string, string>();
  const used = new Set<string>();
  for (const [name, schema] of Object.entries(named)) {
    const text = JSON.stringify(plain(schema));
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
    write: (schema) => linked(plain(schema)),
    components() {
      const written: Node = {};
      // Writing one may use another: a Set gives out what is added to it on the way.
      for (const name of used) written[name] = linkedInside(plain(named[name] as TSchema) as object);
      return Object.fromEntries(
        Object.keys(named).flatMap((name) => (name in written ? [[name, written[name]]] : [])),
      );
    },
  };
}
