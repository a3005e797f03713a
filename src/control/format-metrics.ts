/** Formats the figures of the process for Prometheus. Loaded with the first request for them. */
import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import type { ControlledSandbox } from "./operation.js";

/** Figures of Node. They are not a sandbox's, because what counts garbage collections is kept until the process ends. */
const ofProcess = new Registry();
collectDefaultMetrics({ register: ofProcess });

const registries = new WeakMap<ControlledSandbox, Registry>();

/** Returns the figures. Node's own, such as the lag of the event loop, begin with the first call. */
export async function formatMetrics(sandbox: ControlledSandbox) {
  const registry = registries.get(sandbox) ?? Registry.merge([ofProcess, registryOf(sandbox)]);
  registries.set(sandbox, registry);
  return { contentType: registry.contentType, text: await registry.metrics() };
}

type Labels = Readonly<Record<string, string>>;
type Values = Iterable<readonly [labels: Labels, value: number]>;

function registryOf(sandbox: ControlledSandbox): Registry {
  const registry = new Registry();
  const { figures, world } = sandbox;
  const counter = (name: string, help: string, labelNames: string[], values: () => Values) =>
    new Counter({
      name: `standin_${name}`,
      help,
      labelNames,
      registers: [registry],
      collect() {
        this.reset();
        for (const [labels, value] of values()) this.inc(labels, value);
      },
    });
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name: `standin_${name}`,
      help,
      registers: [registry],
      collect() {
        this.set(value());
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
  gauge("accounts_in_memory", "Accounts in the memory of this process", () => world.accountsInMemory);
  addLeases(registry, sandbox);
  return registry;
}

/** Adds the figures of replicas that share a store. */
function addLeases(registry: Registry, { world }: ControlledSandbox): void {
  const { cluster } = world.options.store;
  if (!cluster) return;
  new Gauge({
    name: "standin_lease_live",
    help: "Whether the lease of this replica is live",
    registers: [registry],
    collect() {
      this.set(Number(cluster.isLive));
    },
  });
  new Gauge({
    name: "standin_accounts_owned",
    help: "Accounts by the replica that owns them",
    labelNames: ["replica"],
    registers: [registry],
    async collect() {
      this.reset();
      // While the database cannot be reached, the other figures are still of use.
      for (const { id, accounts } of await cluster.replicas().catch(() => []))
        this.set({ replica: id }, accounts);
    },
  });
}
