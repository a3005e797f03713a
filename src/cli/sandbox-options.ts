/** Options of a sandbox, whose flags override the environment, which overrides the config file, and parsers for other options. */

import { existsSync } from "node:fs";
import { InvalidArgumentError, Option } from "commander";
import * as Type from "typebox";
import {
  defaultHost,
  defaultPort,
  isWebAddress,
  type OptionFlag,
  optionFields,
  optionProblems,
  type SandboxOptions,
} from "../contract/options.js";
import { readJsonFile } from "../contract/read-file.js";
import { parseDuration } from "../time/time.js";
import { UsageError } from "./errors.js";
import { type FlagDetails, type FlagRow, type FlagTable, flagTable } from "./flags.js";

/** Values of flags and environment variables by the names that commander gives them. */
export interface SandboxFlags {
  config?: string;
  [name: string]: unknown;
}

type OptionSchema = Type.TSchema & {
  flag?: OptionFlag;
  enum?: string[];
  type?: string;
  minimum?: number;
  maximum?: number;
  anyOf?: OptionSchema[];
  properties?: Readonly<Record<string, OptionSchema>>;
};

/** An option of the table: its schema, its flag, and its name, which has a dot if it is a field of another. */
interface Declared {
  readonly path: string;
  readonly schema: OptionSchema;
  readonly flag: OptionFlag;
}

const declaredIn = (fields: Readonly<Record<string, OptionSchema>>, before = ""): Declared[] =>
  Object.entries(fields).flatMap(([name, schema]) => {
    const path = before + name;
    if (schema.flag) return [{ path, schema, flag: schema.flag }];
    return declaredIn(schema.properties ?? {}, `${path}.`);
  });

const declaredOptions = declaredIn(optionFields as unknown as Readonly<Record<string, OptionSchema>>);

const parserOfIntegers =
  ({ minimum, maximum }: OptionSchema) =>
  (text: string) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < Number(minimum) || value > Number(maximum))
      throw new InvalidArgumentError(`It must be a whole number from ${minimum} to ${maximum}.`);
    return value;
  };

function parseWebAddress(text: string): string {
  if (isWebAddress(text)) return text;
  throw new InvalidArgumentError("It must be an http or https URL.");
}

/** Adds pairs to the pairs of earlier flags and of the environment. */
function collectAssumptions(pairs: string, previous?: Record<string, string>): Record<string, string> {
  const inherited = previous ?? readPairs(process.env.STANDIN_ASSUMPTIONS ?? "");
  return { ...inherited, ...readPairs(pairs) };
}

function readPairs(text: string): Record<string, string> {
  const pairs = text.split(",").filter((pair) => pair.trim() !== "");
  return Object.fromEntries(
    pairs.map((pair) => {
      const separator = pair.indexOf("=");
      if (separator < 1)
        throw new InvalidArgumentError("An assumption is id=value, such as http.created=ok.");
      return [pair.slice(0, separator).trim(), pair.slice(separator + 1).trim()];
    }),
  );
}

/** Returns how the text of an option is read. Empty for a switch and for any text. */
function readingOf({ path, schema }: Declared): FlagDetails {
  if (path === "assumptions") return { parse: collectAssumptions };
  if (path === "publicUrl" || path === "replicaUrl") return { parse: parseWebAddress };
  if (schema.enum) return { choices: schema.enum };
  const integer = [schema, ...(schema.anyOf ?? [])].find(({ type }) => type === "integer");
  if (integer) return { parse: parserOfIntegers(integer) };
  return schema.type === "array" ? { parse: collectList } : {};
}

const nameOf = ({ flags }: OptionFlag): string => /--[\w-]+/.exec(flags)?.[0] ?? flags;

const variableOf = (flag: OptionFlag): string =>
  flag.env ?? `STANDIN_${nameOf(flag).slice("--".length).replaceAll("-", "_").toUpperCase()}`;

const rowOf = (declared: Declared): FlagRow => {
  const { flag } = declared;
  return [flag.flags, flag.description, { ...readingOf(declared), env: variableOf(flag) }];
};

/** Returns the row of the option that sets a field. */
export const sandboxOption = (path: keyof typeof optionFields): FlagRow =>
  rowOf(declaredOptions.find((one) => one.path === path) as Declared);

/** The port of commands for which no environment variable sets it. `use` follows "port to listen on" in the help. */
export const portFlag = (use = "") =>
  ["--port <port>", `port to listen on${use} (default: a free port)`, { parse: parsePort }] as const;

/** Returns the options of a group, and others after them. */
export const sandboxOptions = (group: OptionFlag["group"], ...more: readonly FlagRow[]): FlagTable =>
  flagTable(group, [...declaredOptions.filter(({ flag }) => flag.group === group).map(rowOf), ...more]);

/** The options that determine how the sandbox behaves. */
export const behaviour: FlagTable = sandboxOptions("Behaviour of the sandbox:", [
  "--config <file>",
  "config file (default standin.config.json, if it exists)",
  { env: "STANDIN_CONFIG" },
]);

/** Returns the fields that flags and the environment have set, as an object of the schema. */
function readFields(flags: SandboxFlags): Partial<SandboxOptions> {
  const found: Record<string, Record<string, unknown> | unknown> = {};
  for (const { path, flag } of declaredOptions) {
    const value = flags[new Option(flag.flags).attributeName()];
    if (value === undefined) continue;
    const [name = "", inner] = path.split(".");
    if (inner === undefined) found[name] = value;
    else found[name] = { ...(found[name] as object), [inner]: value };
  }
  return found;
}

const nested = ["livekit", "domains", "tools", "assumptions"] as const;

/** Returns the options of a sandbox, from flags and environment, or else from the config file. */
export function toSandboxOptions(flags: SandboxFlags, { memory: _, ...config }: Config): SandboxOptions {
  const given = readFields(flags);
  const merged: Record<string, unknown> = { ...config, ...given };
  for (const name of nested) merged[name] = { ...config[name], ...given[name] };
  return merged;
}

/** Returns the options that commands have which start a sandbox for themselves. */
export function toBehaviour(flags: SandboxFlags, config: Config): SandboxOptions {
  const options: Record<string, unknown> = { ...toSandboxOptions(flags, config) };
  for (const { path, flag } of declaredOptions) if (!flag.isForAll) delete options[path];
  return options;
}

/**
 * Returns a message about settings with the names of flags in place of the names of the library's options. Names that are also
 * ordinary words, such as `port`, are replaced only at the beginning of the message.
 */
function withFlagNames(message: string): string {
  const flagNames = new Map(declaredOptions.map(({ path, flag }) => [path, nameOf(flag)]));
  const [setting = ""] = /^[\w.]+(?= must be )/.exec(message) ?? [];
  const begun = (flagNames.get(setting) ?? setting) + message.slice(setting.length);
  return begun.replace(/\b[a-z]+(?:[A-Z]\w*|\.\w+)\b/g, (name) => flagNames.get(name) ?? name);
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
  return message === undefined ? String(error) : withFlagNames(message);
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

export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535)
    throw new InvalidArgumentError("A port is a number from 0 to 65535.");
  return port;
}

/** Parses a timeout into ms. */
export function parseTimeoutFlag(text: string): number {
  const ms = parseDuration(text);
  if (ms === null || ms === 0)
    throw new InvalidArgumentError("A timeout is a duration such as 500ms, 90s or 5m.");
  return ms;
}

export function parseCount(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError("It must be a whole number from 1.");
  return Number(text);
}

/** Collects comma-separated values of an option that can be repeated. */
export const collectList = (value: string, previous: readonly string[] = []): string[] => [
  ...previous,
  ...value.split(",").map((item) => item.trim()),
];
