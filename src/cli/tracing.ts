/** Traces of OpenTelemetry, which its standard variables ask for. */
import { controlRoutes } from "../contract/control-routes.js";
import { isWebAddress } from "../contract/options.js";
import { type SandboxServer, version } from "../sandbox.js";
import { serviceOperations } from "../service/index.js";
import { UsageError } from "./errors.js";

const protocols = ["http/json", "http/protobuf"];

/**
 * Returns the endpoint if the variables ask for traces over HTTP, or null. Warns of a protocol that the sandbox does not
 * speak, and refuses an endpoint that is no URL.
 */
export function traceEndpoint(env: NodeJS.ProcessEnv, warn: (message: string) => void): URL | null {
  const name = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT
    ? "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"
    : "OTEL_EXPORTER_OTLP_ENDPOINT";
  const endpoint = env[name];
  if (!endpoint) return null;
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === "true" || env.OTEL_TRACES_EXPORTER === "none") return null;
  const protocol = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? env.OTEL_EXPORTER_OTLP_PROTOCOL;
  if (protocol && !protocols.includes(protocol)) {
    warn(`no traces: the sandbox exports OTLP over HTTP (http/json) and not ${protocol}`);
    return null;
  }
  if (!isWebAddress(endpoint))
    throw new UsageError(
      `${name} must be an http or https URL such as http://127.0.0.1:4318; got ${JSON.stringify(endpoint)}`,
    );
  return new URL(endpoint);
}

/**
 * Exports what happens in the sandbox as spans, if there is an endpoint. Returns a function that exports what is left when
 * the sandbox has stopped. Without an endpoint, nothing is loaded.
 */
export async function exportTraces(
  sandbox: Pick<SandboxServer, "attach">,
  endpoint: URL | null,
  warn: (message: string) => void,
): Promise<() => Promise<void>> {
  if (!endpoint) return async () => {};
  const { openTracer } = await import("../server/tracing/tracer.js");
  const routes = new Map<string, string>([
    ...serviceOperations.map(({ id, route }) => [id, route] as const),
    ...Object.entries(controlRoutes),
  ]);
  const tracer = await openTracer({
    version,
    routeOf: (operation) => routes.get(operation),
    // Without a password that the URL may have.
    failed: (reason) => warn(`traces cannot be exported to ${endpoint.origin}: ${reason}; this is said once`),
  });
  sandbox.attach(({ world }) => {
    world.observers.push(({ id }, activity) => tracer.observe(id, activity));
    world.traceHeadersOf = (id, attempt) => tracer.headersOf(id, attempt);
  });
  return () => tracer.close();
}
