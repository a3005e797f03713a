/** `standin start`: runs the sandbox until a signal stops it. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type Command, Help, Option } from "commander";
import { defaultLockFile } from "../contract/drift-lock.js";
import { type OwnConnection, startServer } from "../sandbox.js";
import { controlAccess } from "../server/guard.js";
import { returnMemory } from "../server/returned-memory.js";
import { authorityFolder } from "../server/tls/authority.js";
import { withoutPassword } from "../world/store/postgres/database.js";
import { type Config, readConfig } from "./config.js";
import { topCommand } from "./documented-command.js";
import { printError, UsageError } from "./errors.js";
import { listenAddress } from "./listen-address.js";
import { defaultFolder, defaultScenarioFolder, defaultTlsPort, withVariable } from "./option-flags.js";
import {
  describeStartError,
  type SandboxFlags,
  toSandboxOptions,
  withBehaviour,
  withFields,
} from "./sandbox-options.js";
import { onNpmGone } from "./signals.js";
import { exportTraces, traceEndpoint } from "./tracing.js";

interface Flags extends SandboxFlags {
  memory?: true;
  data?: string;
  json?: true;
  log?: "pretty" | "json" | "off";
}

const examples = [
  "standin start",
  "standin start --memory --port 0 --json",
  "standin start --latency documented --assume http.created=ok",
  "standin start --host 0.0.0.0 --admin-token opensesame --registered-keys-only",
  "STANDIN_MEMORY=true STANDIN_LOAD=demo-day standin start",
];

const notes = `Each option has an environment variable, shown after it. Flags override the environment, which overrides the config
file. Several values in a variable are comma-separated. "standin start --help-all" describes all options.`;

export const startCommand = (): Command => {
  const command = topCommand("start", examples, notes);
  withFields(command, "Address:", [
    "port",
    "host",
    "tls",
    "tlsPort",
    "tlsCert",
    "tlsKey",
    "publicUrl",
    "trustProxy",
    "allowHosts",
    "allowOrigins",
  ]);
  withFields(command, "Access:", ["control", "adminToken", "keys"]);
  command.addOption(withVariable(new Option("--memory", "keep all state in memory")).helpGroup("State:"));
  withFields(command, "State:", [
    "data",
    "store",
    "replicaUrl",
    "durability",
    "scenarios",
    "driftLock",
    "load",
  ]);
  withFields(command, "Limits:", ["maxAccounts", "maxRecords", "maxRequestsPerSecond", "accountTtl"]);
  withBehaviour(command);
  withFields(command, "Media server, domains and file tools:", [
    "livekit.url",
    "livekit.key",
    "livekit.secret",
    "domains.lookup",
    "domains.resolver",
    "domains.origin",
    "tools.libreoffice",
    "tools.scans",
  ]);
  let described = dailyOptions;
  command.createHelp = () =>
    Object.assign(new Help(), command.configureHelp(), { visibleOptions: described });
  return command
    .optionsGroup("Output:")
    .addOption(
      withVariable(
        new Option(
          "--log <form>",
          "print each request, message and webhook attempt: as text, as lines of JSON, or not at all (default pretty on a terminal, otherwise off)",
        ).choices(["pretty", "json", "off"]),
      ),
    )
    .addOption(withVariable(new Option("--json", "print one line of JSON when ready")))
    .optionsGroup("Options:")
    .option("--help-all", "describe all options")
    .on("option:help-all", () => {
      described = allOptions;
      command.help();
    })
    .action(start);
};

/** Flags of every day, which --help describes. */
const dailyFlags: ReadonlySet<string | undefined> = new Set([
  "--port",
  "--host",
  "--memory",
  "--data",
  "--load",
  "--assume",
  "--latency",
  "--log",
  "--help-all",
  "--help",
]);

const allOptions = (command: Command): Option[] => new Help().visibleOptions(command);

const dailyOptions = (command: Command): Option[] =>
  allOptions(command).filter(({ long }) => dailyFlags.has(long));

/** Formats how npm passes another port on, if npm started the program and its port is in use. */
function formatNpmHint(error: unknown): string {
  const isPortInUse = (error as NodeJS.ErrnoException).code === "EADDRINUSE";
  const isByNpm = process.env.npm_lifecycle_event === "start";
  return isPortInUse && isByNpm ? "; with npm: npm start -- --port 4011" : "";
}

async function start(flags: Flags, command: Command): Promise<void> {
  const options = toOptions(flags, command, await readConfig(flags.config));
  const endpoint = traceEndpoint(process.env, printError);
  const sandbox = await startServer(options).catch((error: unknown) => {
    throw new UsageError(describeStartError(error, options.host, options.port) + formatNpmHint(error));
  });
  const endTraces = await exportTraces(sandbox, endpoint, printError);
  // Installed before the ready message, whose reader may send a signal at once.
  stopOnSignals(() => sandbox.close().then(endTraces));
  sandbox.attach(({ world }) => returnMemory(world));
  const { url, localUrl, tlsUrl, testKey, liveKey, settings } = sandbox;
  const port = Number(new URL(localUrl).port);
  const https = tlsUrl === null ? {} : { tlsUrl };
  const ready = { ready: true, url, localUrl, port, ...https, testKey, liveKey };
  if (flags.json) process.stdout.write(`${JSON.stringify(ready)}\n`);
  else {
    const { formatFirstScreen } = await import("./first-screen.js");
    const { data, store } = options;
    const state = store ? withoutPassword(store) : (data ?? "in memory, lost when the sandbox stops");
    process.stdout.write(formatFirstScreen(sandbox, state, controlAccess(options.host, settings)));
  }
  const log = flags.log ?? (process.stdout.isTTY && !flags.json ? "pretty" : "off");
  if (log === "off") return;
  const { followActivity } = await import("./activity-feed.js");
  const { logActivity } = await import("./activity/log.js");
  sandbox.attach((controlled, replies) => followActivity(controlled, replies, logActivity(log)));
}

/** Returns whether state is kept in memory. The flag overrides the environment, which overrides the config file. */
function isInMemory(command: Command, config: Config): boolean {
  const [memory, data] = ["memory", "data"].map((name) => command.getOptionValueSource(name));
  if (memory === undefined) return data === undefined && config.memory === true;
  if (memory === data) throw new UsageError("--memory and --data cannot be combined");
  return data === undefined || memory === "cli";
}

type Source = "cli" | "env" | "config" | undefined;

/** Returns whether the state is kept in the database of `--store`, by the same order. */
function isInDatabase(command: Command, config: Config): boolean {
  const sourceOf = (name: "store" | "memory" | "data"): Source =>
    (command.getOptionValueSource(name) as Source) ?? (config[name] ? "config" : undefined);
  const [store, memory, data] = [sourceOf("store"), sourceOf("memory"), sourceOf("data")];
  const strongest = (["cli", "env", "config"] as const).find((one) => [store, memory, data].includes(one));
  if (store === undefined || store !== strongest) return false;
  if (store === memory || store === data)
    throw new UsageError("--store cannot be combined with --memory or --data");
  return true;
}

function toOptions(flags: Flags, command: Command, config: Config) {
  const options = toSandboxOptions(flags, config);
  const isShared = isInDatabase(command, config);
  const isWithoutFolder = isShared || isInMemory(command, config);
  return {
    ...options,
    ...listenAddress(options),
    store: isShared ? (options.store ?? null) : null,
    data: isWithoutFolder ? null : resolve(options.data ?? defaultFolder),
    tlsPort: options.tlsPort ?? defaultTlsPort,
    // Also without a data folder: clients must trust the authority only once.
    authorityFolder: authorityFolder(resolve(options.data ?? defaultFolder)),
    driftLock: options.driftLock ?? defaultLockFile,
    scenarios: options.scenarios ?? (existsSync(defaultScenarioFolder) ? defaultScenarioFolder : null),
    loadTools: async (connection: OwnConnection) => (await import("./mcp/http.js")).mcpHandler(connection),
  };
}

function stopOnSignals(close: () => Promise<void>): void {
  let isStopping = false;
  const stop = () => {
    // A second signal does not wait for requests in flight.
    if (isStopping) process.exit(1);
    isStopping = true;
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        printError(String(error));
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  onNpmGone(stop);
}
