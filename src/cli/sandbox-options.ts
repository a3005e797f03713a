/** Options of the commands that start a sandbox. Flags override the environment, which overrides the config file. */
import { type Command, Option } from "commander";
import type { Config } from "./config.js";
import { UsageError } from "./errors.js";
import { collect, parsePort, parseSnapshotLimit } from "./option-parsers.js";

export interface SandboxFlags {
  allowHost?: string[];
  allowOrigin?: string[];
  seed?: string;
  config?: string;
  latency?: "none" | "documented";
  registeredKeysOnly?: true;
  maxSnapshotMb?: number;
  adminToken?: string;
  assume?: string[];
}

/** `use` follows "port to listen on" in the help. */
export const portOption = (defaultPort: number, use = ""): Option =>
  new Option(
    "--port <port>",
    `port to listen on${use}; 0 picks a free port (default ${defaultPort})`,
  ).argParser(parsePort);

export const withAllowOrigin = (command: Command): Command =>
  command.option(
    "--allow-origin <origin>",
    "web origin whose pages may call the sandbox from a browser, * for any; repeatable",
    collect,
  );

/** Adds the options that determine how the sandbox behaves. */
export const withBehaviour = (command: Command): Command =>
  command
    .option("--seed <text>", "seed for ids, codes and people (default standin)")
    .option("--config <file>", "config file (default standin.config.json, if it exists)")
    .addOption(
      new Option("--latency <kind>", "response times: none, or as in the interface (default none)").choices([
        "none",
        "documented",
      ]),
    )
    .addOption(
      new Option(
        "--max-snapshot-mb <mb>",
        "size up to which a snapshot can be restored, 1 to 500 (default 32)",
      ).argParser(parseSnapshotLimit),
    )
    .option("--registered-keys-only", "refuse API keys that have not been registered")
    .option("--assume <id=value>", "set the value of an assumption; repeatable", collect);

/** Returns the options that are independent of where the sandbox listens and where it keeps its state. */
export const toBehaviour = (flags: SandboxFlags, config: Config) => ({
  allowHosts: flags.allowHost ?? config.allowHosts ?? [],
  allowOrigins: flags.allowOrigin ?? config.allowOrigins ?? [],
  seed: flags.seed ?? config.seed ?? "standin",
  latency: flags.latency ?? config.latency ?? "none",
  registeredKeysOnly: flags.registeredKeysOnly ?? config.registeredKeysOnly ?? false,
  keys: config.keys ?? [],
  maxSnapshotMB: flags.maxSnapshotMb ?? config.maxSnapshotMB ?? 32,
  adminToken: flags.adminToken ?? process.env.STANDIN_ADMIN_TOKEN ?? config.adminToken ?? null,
  livekit: config.livekit ?? {},
  domains: config.domains ?? {},
  tools: config.tools ?? {},
  assumptions: {
    ...Object.fromEntries(Object.entries(config.assumptions ?? {}).map(([id, value]) => [id, String(value)])),
    ...parseAssumptions(
      (process.env.STANDIN_ASSUMPTIONS ?? "").split(",").filter(Boolean),
      "STANDIN_ASSUMPTIONS",
    ),
    ...parseAssumptions(flags.assume ?? [], "--assume"),
  },
});

function parseAssumptions(pairs: readonly string[], source: string): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const separator = pair.indexOf("=");
      if (separator < 1)
        throw new UsageError(`${source} must be id=value, such as http.created=ok; got ${pair}`);
      return [pair.slice(0, separator).trim(), pair.slice(separator + 1).trim()];
    }),
  );
}

/** Describes in one line why a sandbox could not start, and what to change. */
export function describeStartError(error: unknown, host: string, port: number): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const address = `${host}:${port}`;
  if (code === "EADDRINUSE")
    return `${address} is already in use; choose another port with --port, or 0 for a free port`;
  if (code === "EACCES")
    return `listening on ${address} is not permitted (${message}); choose a port from 1024 up with --port`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return `${address} is not an address of this machine; choose another with --host`;
  return message ?? String(error);
}
