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
