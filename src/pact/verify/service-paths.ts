/** Distinguishes the service's paths from all others, and suggests corrections. */
import { matchPath } from "../../contract/match-path.js";
import { formatNearest } from "../../contract/nearest.js";
import { type AnyOperation, methodOf, pathOf } from "../../contract/operation.js";

/** The API, and the pages that its replies link to. */
const servicePath = /^\/(?:v1|confirm|pay)\//;

/** Returns the path to request from the sandbox. Paths that only the sandbox has are replaced by one that is 404. */
export const sandboxPath = (path: string): string => (servicePath.test(path) ? path : `/v1/unknown${path}`);

/** Returns the reason why the service has no such path, with the right one; null if it has the path. */
export function describeUnknownPath(
  method: string,
  url: string,
  operations: readonly AnyOperation[],
): string | null {
  const path = url.split("?")[0] as string;
  const isOperation = (candidate: string) =>
    operations.some((operation) => matchPath(pathOf(operation), candidate) !== null);
  if (isOperation(path) || (servicePath.test(path) && !path.startsWith("/v1/"))) return null;
  const problem = `the service has no ${method} ${path}`;
  if (isOperation(`/v1${path}`)) return `${problem}; the right path is /v1${path}`;
  const routes = operations.map((operation) => `${methodOf(operation)} ${pathOf(operation)}`);
  return problem + formatNearest(`${method} ${path}`, routes);
}
