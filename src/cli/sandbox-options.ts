/** What a sandbox can be told, whichever command runs it: flags over environment over config file over defaults. */
import { type Command, InvalidArgumentError, Option } from "commander";
import type { SandboxOptions } from "../contract/options.js";
import { type Config, UsageError } from "./config.js";

export interface SettingsFlags {
  allowHost?: string[];
  allowOrigin?: string[];
  seed?: string;
  config?: string;
  latency?: "none" | "documented";
  registeredKeysOnly?: true;
  adminToken?: string;
  assume?: string[];
}

/** Those of SandboxOptions that do not depend on where it listens and where it keeps its state. */
type SettingsOptions = Required<
  Pick<
    SandboxOptions,
    | "allowHosts"
    | "allowOrigins"
    | "seed"
    | "latency"
    | "registeredKeysOnly"
    | "keys"
    | "adminToken"
    | "livekit"
    | "domains"
    | "tools"
  >
> & { assumptions: Record<string, string> };

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535)
    throw new InvalidArgumentError("A port is a number from 0 to 65535.");
  return port;
}

const collect = (value: string, before: string[] | undefined): string[] => [...(before ?? []), value];

export const portOption = (usual: string): Option =>
  new Option("--port <port>", `port to listen on; 0 takes a free one (default ${usual})`).argParser(
    parsePort,
  );

export const allowOriginOption = (): Option =>
  new Option(
    "--allow-origin <origin>",
    "let pages of this origin call from a browser, * for any; repeatable",
  ).argParser(collect);

export const allowHostOption = (): Option =>
  new Option("--allow-host <name>", "answer the control API under this host name too; repeatable").argParser(
    collect,
  );

/** How the sandbox behaves. */
export const withBehaviour = (command: Command): Command =>
  command
    .option("--seed <text>", "seed of ids, codes and people (default standin)")
    .option("--config <file>", "config file (default standin.config.json where there is one)")
    .addOption(
      new Option("--latency <kind>", "answer in the documented times (default none)").choices([
        "none",
        "documented",
      ]),
    )
    .option("--registered-keys-only", "refuse keys that were not registered");

export const assumeOption = (): Option =>
  new Option("--assume <id=value>", "switch an assumption; repeatable").argParser(collect);

export const toSettings = (flags: SettingsFlags, config: Config): SettingsOptions => ({
  allowHosts: flags.allowHost ?? config.allowHosts ?? [],
  allowOrigins: flags.allowOrigin ?? config.allowOrigins ?? [],
  seed: flags.seed ?? config.seed ?? "standin",
  latency: flags.latency ?? config.latency ?? "none",
  registeredKeysOnly: flags.registeredKeysOnly ?? config.registeredKeysOnly ?? false,
  keys: config.keys ?? [],
  adminToken: flags.adminToken ?? process.env.STANDIN_ADMIN_TOKEN ?? config.adminToken ?? null,
  livekit: config.livekit ?? {},
  domains: config.domains ?? {},
  tools: config.tools ?? {},
  assumptions: {
    ...Object.fromEntries(Object.entries(config.assumptions ?? {}).map(([id, value]) => [id, String(value)])),
    ...readSwitches(
      (process.env.STANDIN_ASSUMPTIONS ?? "").split(",").filter(Boolean),
      "STANDIN_ASSUMPTIONS",
    ),
    ...readSwitches(flags.assume ?? [], "--assume"),
  },
});

function readSwitches(pairs: readonly string[], where: string): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const mark = pair.indexOf("=");
      if (mark < 1) throw new UsageError(`${where} takes id=value, such as http.created=ok; got ${pair}`);
      return [pair.slice(0, mark).trim(), pair.slice(mark + 1).trim()];
    }),
  );
}

/** Why a sandbox does not start, in one line that says what would help. */
export function whyNot(error: unknown, host: string, port: number): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const at = `${host}:${port}`;
  if (code === "EADDRINUSE")
    return `${at} is taken by another process; choose another port with --port, or 0 for a free one`;
  if (code === "EACCES")
    return `${at} may not be listened on (${message}); choose a port from 1024 up with --port`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return `${at} is not an address of this machine; choose another with --host`;
  return message ?? String(error);
}
