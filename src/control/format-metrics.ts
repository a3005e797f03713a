/** Formats the metrics of the process for Prometheus. Loaded with the first request for metrics. */
import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import type { ControlledSandbox } from "./operation.js";

/** Metrics of Node, shared by all sandboxes, because the observer of garbage collections is kept until the process ends. */
const ofProcess = new Registry();
collectDefaultMetrics({ register: ofProcess });

const registries = new WeakMap<ControlledSandbox, Registry>();

/** Returns the metrics as text. Node's metrics, such as the lag of the event loop, begin with the first call. */
export async function formatMetrics(sandbox: ControlledSandbox) {
  const registry = registries.get(sandbox) ?? Registry.merge([ofProcess, registryOf(sandbox)]);
  registries.set(sandbox, registry);
  return { contentType: registry.contentType, text: await registry.metrics() };
}

type Labels = Readonly<Record<string, string>>;
type Values = Iterable<readonly [labels: Labels, value: number]>;

function registryOf({ figures, world }: ControlledSandbox): Registry {
  const registry = new Registry();
  const options = (name: string, help: string, labelNames: string[]) => ({
    name: `standin_${name}`,
    help,
    labelNames,
    registers: [registry],
  });
  const counter = (name: string, help: string, labelNames: string[], values: () => Values) =>
    new Counter({
      ...options(name, help, labelNames),
      collect() {
        this.reset();
        for (const [labels, value] of values()) this.inc(labels, value);
      },
    });
  const gauge = (name: string, help: string, labelNames: string[], values: () => Values | Promise<Values>) =>
    new Gauge({
      ...options(name, help, labelNames),
      async collect() {
        this.reset();
        for (const [labels, value] of await values()) this.set(labels, value);
      },
    });
  counter("requests_total", "Requests by operation and status", ["operation", "status"], function* () {
    for (const [operation = "unknown", counts] of figures.requests.groups())
      for (const [status, count] of counts.entries())
        yield [{ operation, status: String(status ?? "dropped") }, count];
  });
  counter("commits_total", "Commits of all accounts", [], () => [[{}, figures.commits]]);
  counter("delivery_attempts_total", "Attempts to deliver webhooks, by result", ["result"], function* () {
    for (const [result, count] of figures.attempts.entries()) yield [{ result }, count];
  });
  gauge("accounts_in_memory", "Accounts in the memory of this process", [], () => [
    [{}, world.accountsInMemory],
  ]);
  const { cluster } = world.options.store;
  if (!cluster) return registry;
  gauge("lease_live", "Whether the lease of this replica is live", [], () => [
    [{}, Number(cluster.hasLease)],
  ]);
  gauge("accounts_owned", "Accounts by the replica that owns them", ["replica"], async () => {
    // The other metrics are useful even while the database cannot be reached.
    const replicas = await cluster.replicas().catch(() => []);
    return replicas.map(({ id, accounts }) => [{ replica: id }, accounts] as const);
  });
  return registry;
}
