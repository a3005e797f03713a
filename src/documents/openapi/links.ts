/** Derives the links by which operations pass ids on, from their paths, bodies and replies. */
import type { TSchema } from "typebox";
import { type AnyOperation, methodOf, pathOf } from "../../contract/operation.js";
import { fieldsIn, schemasAt } from "../../contract/schema-walk.js";
import type { OpenApiNode } from "./schemas.js";

/** An id in the reply of an operation that a field of another operation takes. */
export interface Link {
  from: AnyOperation;
  /** JSON pointer into the reply. */
  pointer: string;
  to: AnyOperation;
  in: "path" | "body";
  field: string;
}

const isId = (field: string): boolean => /(?:^|_)id$/.test(field);

/** Returns where a reply has an id, or null if it has none: a field, or a field of the first item of a list. */
function pointerIn({ reply }: AnyOperation, field: string): string | null {
  const schema = (Object.values(reply)[0] ?? {}) as TSchema;
  if (schemasAt(schema, [field]).length > 0) return `/${field}`;
  return schemasAt(schema, ["*", field]).length > 0 ? `/0/${field}` : null;
}

/** Returns the resource of a collection, as fields name it: `virtual_account` of `/v1/business/virtual-accounts`. */
const resourceOf = (operation: AnyOperation): string =>
  (pathOf(operation).split("/").at(-1) as string).replace(/s$/, "").replaceAll("-", "_");

/** Returns the operations whose replies have the id for a path parameter: the operations of the collection before it. */
function giversOfParam(operations: readonly AnyOperation[], path: string, name: string): AnyOperation[] {
  const collection = path.slice(0, path.indexOf(`/{${name}}`));
  return operations.filter((operation) => [collection, `${collection}/start`].includes(pathOf(operation)));
}

/** Returns the operations whose replies have the id for a field of a body. */
function giversOfField(operations: readonly AnyOperation[], to: AnyOperation, field: string): AnyOperation[] {
  const beside = `${pathOf(to).replace(/\/[^/]+$/, "")}/start`;
  if (field === "id") return operations.filter((operation) => pathOf(operation) === beside);
  return operations.filter(
    (operation) =>
      operation.id !== to.id &&
      (pointerIn(operation, field) === `/${field}` || `${resourceOf(operation)}_id` === field),
  );
}

const idsIn = (schema: TSchema | undefined): string[] =>
  fieldsIn(schema).flatMap(({ name }) => (isId(name) ? [name] : []));

/** Returns the links to an operation. */
function linksTo(to: AnyOperation, operations: readonly AnyOperation[]): Link[] {
  const link = (place: Link["in"], field: string, givers: readonly AnyOperation[]): Link[] =>
    givers.flatMap((from) => {
      const pointer = pointerIn(from, field) ?? pointerIn(from, "id");
      return pointer === null ? [] : [{ from, pointer, to, in: place, field }];
    });
  return [
    ...idsIn(to.params).flatMap((name) => link("path", name, giversOfParam(operations, pathOf(to), name))),
    ...idsIn(to.body).flatMap((field) => link("body", field, giversOfField(operations, to, field))),
  ];
}

export const linksBetween = (operations: readonly AnyOperation[]): Link[] =>
  operations.flatMap((to) => linksTo(to, operations));

/** Writes the links of an operation's reply. Ids in the path of the request are passed on too. */
export function linkNodes(from: AnyOperation, links: readonly Link[]): OpenApiNode | undefined {
  const own = links.filter((link) => link.from === from);
  if (own.length === 0) return undefined;
  const nodes = own.map(({ to, pointer, field, in: place }) => {
    const shared = idsIn(to.params).filter((name) => idsIn(from.params).includes(name));
    const passed = Object.fromEntries(shared.map((name) => [name, `$request.path.${name}`]));
    const value = `$response.body#${pointer}`;
    const parameters = place === "path" ? { ...passed, [field]: value } : passed;
    return [
      to.id,
      {
        operationId: to.id,
        ...(Object.keys(parameters).length > 0 ? { parameters } : {}),
        ...(place === "body" ? { requestBody: { [field]: value } } : {}),
        description: `\`${field}\` of ${methodOf(to)} ${pathOf(to)}`,
      },
    ];
  });
  return Object.fromEntries(nodes);
}
