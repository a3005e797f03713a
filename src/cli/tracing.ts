/** Traces of OpenTelemetry, which its standard variables ask for. */
import { controlRoutes } from "../contract/control-routes.js";
import { type SandboxServer, version } from "../sandbox.js";
import { serviceOperations } from "../service/index.js";

const protocols = ["http/json", "http/protobuf"];

/** Returns whether the variables ask for traces over HTTP. Warns of a protocol that the sandbox does not speak. */
function isAskedFor(env: NodeJS.ProcessEnv, warn: (message: string) => void): boolean {
  if (!env.OTEL_EXPORTER_OTLP_ENDPOINT && !env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) return false;
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === "true" || env.OTEL_TRACES_EXPORTER === "none") return false;
  const protocol = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? env.OTEL_EXPORTER_OTLP_PROTOCOL;
  if (protocol && !protocols.includes(protocol)) {
    warn(`no traces: the sandbox exports OTLP over HTTP (http/json) and not ${protocol}`);
    return false;
  }
  return true;
}

/**
 * Exports what happens in the sandbox as spans if the environment asks for it. Returns a function that exports what is left
 * when the sandbox has stopped. Without the variables, nothing is loaded.
 */
export async function traceIfAsked(
  sandbox: Pick<SandboxServer, "attach">,
  warn: (message: string) => void,
): Promise<() => Promise<void>> {
  if (!isAskedFor(process.env, warn)) return async () => {};
  const { openTracer } = await import("../server/tracing/tracer.js");
  const routes = new Map<string, string>([
    ...serviceOperations.map(({ id, route }) => [id, route] as const),
    ...Object.entries(controlRoutes),
  ]);
  const tracer = await openTracer({ version, routeOf: (operation) => routes.get(operation) });
  sandbox.attach(({ world }) => {
    world.observers.push(({ id }, activity) => tracer.observe(id, activity));
    world.traceparentOf = (id, attempt) => tracer.traceparentOf(id, attempt);
  });
  return () =>
    tracer.close().catch((error: Error) => warn(`the last traces could not be exported: ${error.message}`));
}
