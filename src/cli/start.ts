/** `standin start`: flags over environment over config file over defaults. */
import { resolve } from "node:path";
import { Command, InvalidArgumentError, Option } from "commander";
import { type RunningSandbox, type SandboxOptions, startServer, version } from "../sandbox.js";
import { type Config, readConfig, UsageError } from "./config.js";
import { firstScreen } from "./first-screen.js";

interface Flags {
  port?: number;
  host?: string;
  publicUrl?: string;
  allowHost?: string[];
  allowOrigin?: string[];
  memory?: true;
  data?: string;
  durability?: "process" | "power";
  seed?: string;
  config?: string;
  latency?: "none" | "documented";
  registeredKeysOnly?: true;
  adminToken?: string;
  assume?: string[];
  json?: true;
}

const defaultPort = 4010;
const defaultFolder = ".standin";

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535)
    throw new InvalidArgumentError("A port is a number from 0 to 65535.");
  return port;
}

const collect = (value: string, before: string[] | undefined): string[] => [...(before ?? []), value];

export const startCommand = (): Command =>
  new Command("start")
    .description("Run the sandbox.")
    .addOption(
      new Option("--port <port>", `port to listen on; 0 takes a free one (default ${defaultPort})`).argParser(
        parsePort,
      ),
    )
    .option(
      "--host <address>",
      "address to bind; off loopback, the control API needs --admin-token (default 127.0.0.1)",
    )
    .option("--public-url <url>", "the URL under which clients reach it, behind a proxy or in a container")
    .option("--allow-host <name>", "answer the control API under this host name too; repeatable", collect)
    .option(
      "--allow-origin <origin>",
      "let pages of this origin call from a browser, * for any; repeatable",
      collect,
    )
    .option("--memory", "keep everything in memory")
    .option("--data <folder>", `keep state in this folder (default ${defaultFolder})`)
    .addOption(
      new Option("--durability <kind>", "what acknowledged changes survive (default process)").choices([
        "process",
        "power",
      ]),
    )
    .option("--seed <text>", "seed of ids, codes and people (default standin)")
    .option("--config <file>", "config file (default standin.config.json where there is one)")
    .addOption(
      new Option("--latency <kind>", "answer in the documented times (default none)").choices([
        "none",
        "documented",
      ]),
    )
    .option("--registered-keys-only", "refuse keys that were not registered")
    .option("--admin-token <token>", "token that the control API asks for in X-Sandbox-Admin")
    .option("--assume <id=value>", "switch an assumption; repeatable", collect)
    .option("--json", "print one line of JSON when ready")
    .action(async (flags: Flags) => {
      await start(flags).catch((error: unknown) => {
        process.stderr.write(`standin: ${explain(error, flags)}\n`);
        process.exit(2);
      });
    });

async function start(flags: Flags): Promise<void> {
  const config = await readConfig(flags.config);
  const options = toOptions(flags, config);
  const sandbox = await startServer(options);
  // Before anybody is told: who knows that it is ready may stop it.
  stopOnSignals(sandbox);
  const { url, testKey, liveKey } = sandbox;
  const where = options.data ?? "in memory, gone when it stops";
  if (flags.json) process.stdout.write(`${JSON.stringify({ ready: true, url, testKey, liveKey })}\n`);
  else process.stdout.write(firstScreen(sandbox, version, where));
}

function toOptions(flags: Flags, config: Config): SandboxOptions {
  const memory = flags.memory ?? (flags.data === undefined && config.memory === true);
  if (flags.memory && flags.data !== undefined)
    throw new UsageError("--memory and --data exclude each other");
  return {
    port: flags.port ?? config.port ?? defaultPort,
    host: flags.host ?? config.host ?? "127.0.0.1",
    publicUrl: checkUrl(flags.publicUrl ?? config.publicUrl ?? null),
    allowHosts: flags.allowHost ?? config.allowHosts ?? [],
    allowOrigins: flags.allowOrigin ?? config.allowOrigins ?? [],
    data: memory ? null : resolve(flags.data ?? config.data ?? defaultFolder),
    durability: flags.durability ?? config.durability ?? "process",
    seed: flags.seed ?? config.seed ?? "standin",
    latency: flags.latency ?? config.latency ?? "none",
    registeredKeysOnly: flags.registeredKeysOnly ?? config.registeredKeysOnly ?? false,
    keys: config.keys ?? [],
    adminToken: flags.adminToken ?? process.env.STANDIN_ADMIN_TOKEN ?? config.adminToken ?? null,
    livekit: config.livekit ?? {},
    domains: config.domains ?? {},
    assumptions: {
      ...Object.fromEntries(
        Object.entries(config.assumptions ?? {}).map(([id, value]) => [id, String(value)]),
      ),
      ...readSwitches(
        (process.env.STANDIN_ASSUMPTIONS ?? "").split(",").filter(Boolean),
        "STANDIN_ASSUMPTIONS",
      ),
      ...readSwitches(flags.assume ?? [], "--assume"),
    },
  };
}

function checkUrl(url: string | null): string | null {
  if (url === null || (URL.canParse(url) && /^https?:/.test(url))) return url;
  throw new UsageError(`--public-url must be an http or https URL; got ${url}`);
}

function readSwitches(pairs: readonly string[], where: string): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const mark = pair.indexOf("=");
      if (mark < 1) throw new UsageError(`${where} takes id=value, such as http.created=ok; got ${pair}`);
      return [pair.slice(0, mark).trim(), pair.slice(mark + 1).trim()];
    }),
  );
}

function stopOnSignals(sandbox: RunningSandbox): void {
  let stopping = false;
  const stop = () => {
    // Asked a second time, it does not wait for what is in flight.
    if (stopping) process.exit(1);
    stopping = true;
    sandbox.close().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`standin: ${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}

/** One line that says what is in the way and what would help. */
function explain(error: unknown, { port, host }: Flags): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const at = `${host ?? "127.0.0.1"}:${port ?? defaultPort}`;
  if (code === "EADDRINUSE")
    return `${at} is taken by another process; choose another port with --port, or 0 for a free one`;
  if (code === "EACCES")
    return `${at} may not be listened on (${message}); choose a port from 1024 up with --port`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return `${at} is not an address of this machine; choose another with --host`;
  return message ?? String(error);
}
