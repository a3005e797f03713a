/** `standin start`: runs the sandbox until a signal stops it. */
import { resolve } from "node:path";
import { type Command, Option } from "commander";
import { isWebAddress, type SandboxOptions } from "../contract/options.js";
import { type RunningSandbox, startServer } from "../sandbox.js";
import { isControlOpen } from "../server/guard.js";
import { type Config, readConfig } from "./config.js";
import { documentedCommand } from "./documented-command.js";
import { printError, UsageError } from "./errors.js";
import { collect } from "./option-parsers.js";
import {
  describeStartError,
  portOption,
  type SandboxFlags,
  toBehaviour,
  withAllowOrigin,
  withBehaviour,
} from "./sandbox-options.js";

interface Flags extends SandboxFlags {
  port?: number;
  host?: string;
  publicUrl?: string;
  memory?: true;
  data?: string;
  durability?: "process" | "power";
  json?: true;
  log?: "pretty" | "json" | "off";
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

export const startCommand = (): Command =>
  withBehaviour(
    withAllowOrigin(
      documentedCommand("start", "Start the sandbox.", examples)
        .addOption(portOption(defaultPort))
        .option(
          "--host <address>",
          `address to bind to; beyond loopback, the control API requires --admin-token (default ${defaultHost})`,
        )
        .option(
          "--public-url <url>",
          "URL at which clients reach the sandbox, behind a proxy or in a container",
        )
        .option(
          "--allow-host <name>",
          "additional host name at which the control API answers; repeatable",
          collect,
        ),
    )
      .option("--memory", "keep all state in memory")
      .option("--data <folder>", `folder in which to keep state (default ${defaultFolder})`)
      .addOption(
        new Option(
          "--durability <kind>",
          "what acknowledged changes survive: a crash of the process, or also a power failure (default process)",
        ).choices(["process", "power"]),
      ),
  )
    .option(
      "--admin-token <token>",
      "token that the control API requires in X-Sandbox-Admin (default STANDIN_ADMIN_TOKEN)",
    )
    .addOption(
      new Option(
        "--log <form>",
        "print each request, message and webhook attempt: as text, as lines of JSON, or not at all (default pretty on a terminal, otherwise off)",
      ).choices(["pretty", "json", "off"]),
    )
    .option("--json", "print one line of JSON when ready")
    .action(async (flags: Flags) => {
      await start(flags).catch((error: unknown) => {
        printError(describeStartError(error, flags.host ?? defaultHost, flags.port ?? defaultPort));
        process.exit(2);
      });
    });

async function start(flags: Flags): Promise<void> {
  const config = await readConfig(flags.config);
  const options = toOptions(flags, config);
  const sandbox = await startServer(options);
  // Installed before the ready message, whose reader may send a signal at once.
  stopOnSignals(sandbox);
  const { url, testKey, liveKey } = sandbox;
  if (flags.json) process.stdout.write(`${JSON.stringify({ ready: true, url, testKey, liveKey })}\n`);
  else {
    const { formatFirstScreen } = await import("./first-screen.js");
    const state = options.data ?? "in memory, lost when the sandbox stops";
    const hasControl = isControlOpen(options.host ?? defaultHost, options.adminToken ?? null);
    process.stdout.write(formatFirstScreen(sandbox, state, hasControl));
  }
  const log = flags.log ?? (process.stdout.isTTY && !flags.json ? "pretty" : "off");
  if (log === "off") return;
  const { followActivity } = await import("../activity-feed.js");
  const { logActivity } = await import("./activity/log.js");
  sandbox.attach((controlled, replies) => followActivity(controlled, replies, logActivity(log)));
}

function toOptions(flags: Flags, config: Config): SandboxOptions {
  const memory = flags.memory ?? (flags.data === undefined && config.memory === true);
  if (flags.memory && flags.data !== undefined)
    throw new UsageError("--memory and --data cannot be combined");
  return {
    ...toBehaviour(flags, config),
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
  let isStopping = false;
  const stop = () => {
    // A second signal does not wait for requests in flight.
    if (isStopping) process.exit(1);
    isStopping = true;
    sandbox.close().then(
      () => process.exit(0),
      (error: unknown) => {
        printError(String(error));
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}
