/** Routes: a method and the template of a path, such as `GET /v1/audits/{id}`, and what matches them. */

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
export type Route = `${Method} /${string}`;

export const methodOf = (operation: { route: Route }): Method =>
  operation.route.slice(0, operation.route.indexOf(" ")) as Method;

export const pathOf = (operation: { route: Route }): string =>
  operation.route.slice(operation.route.indexOf(" ") + 1);

/** Returns the parameters, still encoded, of a path that matches a template such as `/v1/audits/{id}`, or null. */
export function matchPath(template: string, path: string): Record<string, string> | null {
  const parts = path.split("/");
  const expected = template.split("/");
  if (parts.length !== expected.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of parts.entries()) {
    const name = /^\{(\w+)\}$/.exec(expected[index] as string)?.[1];
    if (name !== undefined) params[name] = part;
    else if (part !== expected[index]) return null;
  }
  return params;
}

/** Returns the path of a template such as `/v1/audits/{id}`, with values for its parameters. */
export const fillPath = (template: string, valueFor: (param: string) => string): string =>
  template.replaceAll(/\{(\w+)\}/g, (_placeholder, param: string) => valueFor(param));

/** Returns a path, which may have a query, with the values that are not undefined as its query, or at its end. */
export function formatTarget(path: string, query: Readonly<Record<string, unknown>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.size === 0 ? path : `${path}${path.includes("?") ? "&" : "?"}${search}`;
}

export interface MatchedCall<Operation extends { route: Route }> {
  readonly operation: Operation;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

/** Returns the operation that a call such as `GET /v1/audits/aud_1?limit=1` reaches, or null if there is none. */
export function matchCall<Operation extends { route: Route }>(
  operations: readonly Operation[],
  call: string,
): MatchedCall<Operation> | null {
  const [method, target = ""] = call.split(" ");
  const [path = "", search = ""] = target.split("?");
  for (const operation of operations) {
    const params = methodOf(operation) === method ? matchPath(pathOf(operation), path) : null;
    if (params) return { operation, params, query: Object.fromEntries(new URLSearchParams(search)) };
  }
  return null;
}
