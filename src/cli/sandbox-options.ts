/** Options and config file of the commands that start a sandbox. Flags override the environment, which overrides the config file. */

import { existsSync } from "node:fs";
import { type Command, Option } from "commander";
import * as Type from "typebox";
import { optionFields, optionProblems, type SandboxOptions } from "../contract/options.js";
import { readJsonFile } from "../contract/read-file.js";
import { UsageError } from "./errors.js";
import {
  defaultHost,
  defaultPort,
  type FieldPath,
  optionFor,
  readFields,
  withFlagName,
  withVariable,
} from "./option-flags.js";
import { parsePort } from "./option-parsers.js";

/** Values of flags and environment variables by the names that commander gives them. */
export interface SandboxFlags {
  config?: string;
  [name: string]: unknown;
}

/** The port of commands for which no environment variable sets it. `use` follows "port to listen on" in the help. */
export const portOption = (use = ""): Option =>
  new Option("--port <port>", `port to listen on${use} (default: a free port)`).argParser(parsePort);

export const withFields = (command: Command, group: string, paths: readonly FieldPath[]): Command => {
  for (const path of paths) command.addOption(optionFor(path).helpGroup(group));
  return command;
};

const behaviour: readonly FieldPath[] = [
  "seed",
  "code",
  "webhookSecret",
  "webhookCa",
  "latency",
  "assumptions",
  "maxSnapshotMB",
  "registeredKeysOnly",
];

/** Adds the options that determine how the sandbox behaves. */
export const withBehaviour = (command: Command): Command =>
  withFields(command, "Behaviour of the sandbox:", behaviour).addOption(
    withVariable(
      new Option("--config <file>", "config file (default standin.config.json, if it exists)"),
    ).helpGroup("Behaviour of the sandbox:"),
  );

const nested = ["livekit", "domains", "tools", "assumptions"] as const;

/** Returns the options of a sandbox, from flags and environment, or else from the config file. */
export function toSandboxOptions(flags: SandboxFlags, { memory: _, ...config }: Config): SandboxOptions {
  const given = readFields(flags);
  const merged: Record<string, unknown> = { ...config, ...given };
  for (const name of nested) merged[name] = { ...config[name], ...given[name] };
  return merged;
}

/** Fields that say where the sandbox listens, who may use it and where it keeps its state. */
const placeFields = [
  "port",
  "tls",
  "tlsPort",
  "tlsCert",
  "tlsKey",
  "host",
  "publicUrl",
  "trustProxy",
  "control",
  "adminToken",
  "data",
  "store",
  "replicaUrl",
  "durability",
  "load",
  "maxAccounts",
  "maxRecords",
  "maxRequestsPerSecond",
  "accountTtl",
] as const satisfies readonly (keyof typeof optionFields)[];

/** Returns the options except `placeFields`, for commands that start a sandbox for themselves. */
export function toBehaviour(flags: SandboxFlags, config: Config): SandboxOptions {
  const options: Record<string, unknown> = { ...toSandboxOptions(flags, config) };
  for (const name of placeFields) delete options[name];
  return options;
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
  return message === undefined ? String(error) : withFlagName(message);
}

const ConfigSchema = Type.Object(
  { ...optionFields, memory: Type.Optional(Type.Boolean()) },
  { additionalProperties: false },
);
export type Config = Type.Static<typeof ConfigSchema>;

export const defaultConfigFile = "standin.config.json";

/** Reads the config from `file`. Without one, reads the default config file if it exists. */
export async function readConfig(file: string | undefined): Promise<Config> {
  const path = file ?? defaultConfigFile;
  if (file === undefined && !existsSync(path)) return {};
  const config = await readJsonFile(path, `the config file ${path}`);
  const problems = await optionProblems(ConfigSchema, config);
  if (problems.length > 0) throw new UsageError(`the config file ${path} is invalid: ${problems.join(" ")}`);
  return config as Config;
}

/** Returns the port in the variable PORT, which hosting platforms set for the servers that they run. */
function portOfPlatform(): number {
  const { PORT: text } = process.env;
  if (!text) return defaultPort;
  try {
    return parsePort(text);
  } catch {
    throw new UsageError(`PORT must be a number from 0 to 65535; got ${text}`);
  }
}

/** Completes the address. PORT applies if neither a flag, STANDIN_PORT nor the config file sets a port. */
export const listenAddress = ({ host = defaultHost, port = portOfPlatform() }: SandboxOptions) => ({
  host,
  port,
});
