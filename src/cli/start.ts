/** `standin start`: the sandbox, until a signal stops it. */
import { resolve } from "node:path";
import { type Command, Option } from "commander";
import { isWebAddress, type SandboxOptions } from "../contract/options.js";
import { type RunningSandbox, startServer, version } from "../sandbox.js";
import { isControlOpen } from "../server/guard.js";
import { type Config, readConfig, UsageError } from "./config.js";
import {
  allowHostOption,
  allowOriginOption,
  assumeOption,
  portOption,
  type SettingsFlags,
  toSettings,
  whyNot,
  withBehaviour,
} from "./sandbox-options.js";
import { taught } from "./taught.js";

interface Flags extends SettingsFlags {
  port?: number;
  host?: string;
  publicUrl?: string;
  memory?: true;
  data?: string;
  durability?: "process" | "power";
  json?: true;
}

const defaultPort = 4010;
const defaultHost = "127.0.0.1";
const defaultFolder = ".standin";

const examples = [
  "standin start",
  "standin start --memory --port 0 --json",
  "standin start --latency documented --assume http.created=ok",
  "standin start --host 0.0.0.0 --admin-token opensesame --registered-keys-only",
];

const whereAndWhat = (): Command =>
  taught("start", "Run the sandbox.", examples)
    .addOption(portOption(String(defaultPort)))
    .option(
      "--host <address>",
      `address to bind; off loopback, the control API needs --admin-token (default ${defaultHost})`,
    )
    .option("--public-url <url>", "the URL under which clients reach it, behind a proxy or in a container")
    .addOption(allowHostOption())
    .addOption(allowOriginOption())
    .option("--memory", "keep everything in memory")
    .option("--data <folder>", `keep state in this folder (default ${defaultFolder})`)
    .addOption(
      new Option("--durability <kind>", "what acknowledged changes survive (default process)").choices([
        "process",
        "power",
      ]),
    );

export const startCommand = (): Command =>
  withBehaviour(whereAndWhat())
    .option("--admin-token <token>", "token that the control API asks for in X-Sandbox-Admin")
    .addOption(assumeOption())
    .option("--json", "print one line of JSON when ready")
    .action(async (flags: Flags) => {
      await start(flags).catch((error: unknown) => {
        const why = whyNot(error, flags.host ?? defaultHost, flags.port ?? defaultPort);
        process.stderr.write(`standin: ${why}\n`);
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
  else {
    const { firstScreen } = await import("./first-screen.js");
    const open = isControlOpen(options.host ?? defaultHost, options.adminToken ?? null);
    process.stdout.write(firstScreen(sandbox, version, where, open));
  }
}

function toOptions(flags: Flags, config: Config): SandboxOptions {
  const memory = flags.memory ?? (flags.data === undefined && config.memory === true);
  if (flags.memory && flags.data !== undefined)
    throw new UsageError("--memory and --data exclude each other");
  return {
    ...toSettings(flags, config),
    port: flags.port ?? config.port ?? defaultPort,
    host: flags.host ?? config.host ?? defaultHost,
    publicUrl: checkUrl(flags.publicUrl ?? config.publicUrl ?? null),
    data: memory ? null : resolve(flags.data ?? config.data ?? defaultFolder),
    durability: flags.durability ?? config.durability ?? "process",
  };
}

function checkUrl(url: string | null): string | null {
  if (url === null || isWebAddress(url)) return url;
  throw new UsageError(`--public-url must be an http or https URL; got ${url}`);
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
