/** The parts of a request that consumer tests and exported pacts share: path and credentials. */
import { fillPath } from "../../contract/match-path.js";
import { type AnyOperation, pathOf } from "../../contract/operation.js";

export interface ExamplePath {
  path: string;
  /** The path with placeholders for values of the provider states; null if it has none. */
  expression: string | null;
  /** Matches any path of the operation. */
  regex: string;
}

/** Builds the path of an operation. `from` names the parts of the request that a provider state gives, such as `path.id`. */
export function examplePath(
  operation: AnyOperation,
  from: Readonly<Record<string, string>>,
  exampleOf: (param: string) => string,
): ExamplePath {
  const fill = (valueFor: (param: string) => string) => fillPath(pathOf(operation), valueFor);
  const path = fill(exampleOf);
  const expression = fill((param) =>
    `path.${param}` in from ? `\${${from[`path.${param}`]}}` : exampleOf(param),
  );
  return { path, expression: expression === path ? null : expression, regex: `^${fill(() => "[^/]+")}$` };
}

/** Returns the name and value of the header that authenticates the caller. The gateway replaces the value. */
export const placeholderCredentials = (
  { auth }: AnyOperation,
  mode: "test" | "live",
): readonly [name: "Authorization" | "X-Service-Key", value: string] =>
  auth === "session" ? ["Authorization", "Bearer placeholder"] : ["X-Service-Key", `svc_${mode}_placeholder`];
