/** Traces of OpenTelemetry, which its standard variables ask for. */
import { controlRoutes } from "../contract/control-routes.js";
import type { SandboxServer } from "../sandbox.js";
import { randomHex } from "../time/random.js";

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
  const opening: ReturnType<typeof openTracer>[] = [];
  sandbox.attach(({ world, operations, version }) => {
    const routes = new Map<string, string>([
      ...operations.map(({ id, route }) => [id, route] as const),
      ...Object.entries(controlRoutes),
    ]);
    const salt = randomHex(16);
    const opened = openTracer({ version, salt, routeOf: (operation) => routes.get(operation) });
    opening.push(
      opened.then((tracer) => {
        world.observers.push(({ id }, activity) => tracer.observe(id, activity));
        world.traceparentOf = (id, attempt) => tracer.traceparentOf(id, attempt);
        return tracer;
      }),
    );
  });
  const tracers = await Promise.all(opening);
  return async () => {
    await Promise.all(tracers.map((tracer) => tracer.close())).catch((error: Error) =>
      warn(`the last traces could not be exported: ${error.message}`),
    );
  };
}
