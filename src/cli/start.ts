/** `standin start`: runs the sandbox until a signal stops it. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type Command, Help, type Option } from "commander";
import { firstCall } from "../client/first-call.js";
import { controlPath, controlRoutes } from "../contract/control-routes.js";
import { defaultLockFile } from "../contract/drift-lock.js";
import { defaultFolder, defaultScenarioFolder, defaultTlsPort, isWebAddress } from "../contract/options.js";
import {
  type OwnConnection,
  type RunningSandbox,
  type SandboxServer,
  startServer,
  version,
} from "../sandbox.js";
import { type ControlAccess, controlAccess } from "../server/guard.js";
import { authorityFolder } from "../server/tls/identity.js";
import { serviceOperations } from "../service/index.js";
import { withoutPassword } from "../world/store/postgres/database.js";
import { topCommand } from "./command-list.js";
import { printError, UsageError } from "./errors.js";
import { type FlagsOf, flagTable, withFlags } from "./flags.js";
import { colors } from "./output/print.js";
import {
  behaviour,
  type Config,
  describeStartError,
  listenAddress,
  readConfig,
  type SandboxFlags,
  sandboxOptions,
  toSandboxOptions,
} from "./sandbox-options.js";
import { onNpmGone } from "./signals.js";

const memory = flagTable("State:", [["--memory", "keep all state in memory", { env: "STANDIN_MEMORY" }]]);

const output = flagTable("Output:", [
  [
    "--log <form>",
    "print each request, message and webhook attempt: as text, as lines of JSON, or not at all (default pretty on a terminal, otherwise off)",
    { choices: ["pretty", "json", "off"], env: "STANDIN_LOG" },
  ],
  ["--json", "print one line of JSON when ready", { env: "STANDIN_JSON" }],
]);

const help = flagTable("Options:", [["--help-all", "describe all options"]]);

type Flags = SandboxFlags & FlagsOf<typeof output>;

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
  const command = withFlags(
    topCommand("start", examples, notes),
    sandboxOptions("Address:"),
    sandboxOptions("Access:"),
    memory,
    sandboxOptions("State:"),
    sandboxOptions("Limits:"),
    behaviour,
    sandboxOptions("Media server, domains and file tools:"),
    output,
    help,
  );
  let described = dailyOptions;
  command.createHelp = () =>
    Object.assign(new Help(), command.configureHelp(), { visibleOptions: described });
  return command
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

/** Formats how to pass another port through npm, if npm started the program and the port is in use. */
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
  const { url, localUrl, tlsUrl, testKey, liveKey, settings } = sandbox;
  const port = Number(new URL(localUrl).port);
  const https = tlsUrl === null ? {} : { tlsUrl };
  const ready = { ready: true, url, localUrl, port, ...https, testKey, liveKey };
  if (flags.json) process.stdout.write(`${JSON.stringify(ready)}\n`);
  else {
    const { data, store } = options;
    const state = store ? withoutPassword(store) : (data ?? "in memory, lost when the sandbox stops");
    process.stdout.write(formatFirstScreen(sandbox, state, controlAccess(options.host, settings)));
  }
  const log = flags.log ?? (process.stdout.isTTY && !flags.json ? "pretty" : "off");
  if (log === "off") return;
  const { followActivity, logActivity } = await import("./activity/log.js");
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
  const strongest = (["cli", "env", "config"] as const).find((source) =>
    [store, memory, data].includes(source),
  );
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

const protocols = ["http/json", "http/protobuf"];

/**
 * Returns the endpoint if the variables ask for traces over HTTP, or null. Warns of a protocol that the sandbox does not
 * speak, and refuses an endpoint that is no URL.
 */
function traceEndpoint(env: NodeJS.ProcessEnv, warn: (message: string) => void): URL | null {
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
 * Exports what happens in the sandbox as spans, if there is an endpoint. Returns a function that exports the remaining spans once
 * the sandbox has stopped. Without an endpoint, nothing is loaded.
 */
async function exportTraces(
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
    // The origin leaves out a password in the URL.
    failed: (reason) => warn(`traces cannot be exported to ${endpoint.origin}: ${reason}; this is said once`),
  });
  sandbox.attach(({ world }) => {
    world.observers.push(({ id }, activity) => tracer.observe(id, activity));
    world.traceHeadersOf = (id, attempt) => tracer.headersOf(id, attempt);
  });
  return () => tracer.close();
}

const trustNote = "  (clients trust it with the authority that standin ca prints)";
const anyKey = "Every other API key opens its own account.";
const registeredKeysOnly = `Only registered keys are accepted: of --register-key, of the config file, and of ${controlRoutes.registerKey}.`;

const accessNotes: Readonly<Record<Exclude<ControlAccess, "anybody">, string>> = {
  token: "These require the admin token.",
  closed:
    "The control API and its pages are closed, because the address is not loopback. Set --admin-token to open them.",
  off: "The control API and its pages are off.",
};

/** `state` says where state is kept, `access` who may use the control API. */
export function formatFirstScreen(sandbox: RunningSandbox, state: string, access: ControlAccess): string {
  const hasControl = access === "anybody" || access === "token";
  const { url, localUrl, testKey, liveKey } = sandbox;
  const { registeredKeysOnly: isStrict } = sandbox.settings;
  const row = (label: string, value: string) => `  ${colors.dim(label.padEnd(12))}${value}`;
  return [
    "",
    `  ${colors.bold(colors.green("Standin"))} ${version} ${colors.dim("is ready. Nothing real is sent or charged.")}`,
    "",
    row("Base URL", colors.bold(url)),
    ...(localUrl === url ? [] : [row("Local URL", localUrl)]),
    ...(sandbox.tlsUrl === null ? [] : [row("HTTPS", `${sandbox.tlsUrl}${sandbox.ca ? trustNote : ""}`)]),
    ...(isStrict
      ? [row("Keys", "registered ones only")]
      : [row("Test key", testKey), row("Live key", liveKey)]),
    row("State", state),
    "",
    `  ${colors.dim("Try it:")}`,
    `  ${firstCall(url, isStrict ? "<registered key>" : testKey)}`,
    "",
    `  ${colors.dim("See what happened:")}`,
    ...(hasControl
      ? [
          row("Inbox", `${url}${controlPath("listMessages")}`),
          row("Requests", `${url}${controlPath("listRequests")}`),
          row("Webhooks", `${url}${controlPath("listDeliveries")}`),
        ]
      : []),
    ...(access === "anybody" ? [] : [`  ${accessNotes[access]}`]),
    row("Docs", `${url}/docs`),
    row("Dashboard", `${url}/`),
    "",
    `  ${colors.dim(`${isStrict ? registeredKeysOnly : anyKey} Press Ctrl+C to stop.`)}`,
    "",
    "",
  ].join("\n");
}
