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

/** Returns a path with a query string of the values that are not undefined. */
export function formatTarget(path: string, query: Readonly<Record<string, unknown>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.size === 0 ? path : `${path}?${search}`;
}
