/**
 * The flags of a sandbox's options. Each sets one field of the schema in contract/options.ts, which gives its type,
 * choices and limits, and each has an environment variable that is named after it.
 */
import { InvalidArgumentError, Option } from "commander";
import type * as Type from "typebox";
import { defaultLockFile } from "../contract/drift-lock.js";
import { isWebAddress, optionFields, type SandboxOptions } from "../contract/options.js";
import { collectList } from "./option-parsers.js";

type Groups = "livekit" | "domains" | "tools";
type Leaf<Name extends Groups> = `${Name}.${keyof NonNullable<SandboxOptions[Name]> & string}`;
/** Names of the fields; those of a field in another have a dot. */
export type FieldPath = Exclude<keyof typeof optionFields, Groups> | { [Name in Groups]: Leaf<Name> }[Groups];

interface FlagSpec {
  readonly flags: string;
  readonly description: string;
  /** Environment variable. Default: STANDIN_ and the name of the flag. */
  readonly env?: string;
}

export const defaultPort = 4010;
export const defaultTlsPort = 4443;
export const defaultHost = "127.0.0.1";
export const defaultFolder = ".standin";
export const defaultScenarioFolder = "scenarios";

const specs: Readonly<Record<FieldPath, FlagSpec>> = {
  port: {
    flags: "-p, --port <port>",
    description: `port to listen on; 0 picks a free port (default PORT, else ${defaultPort})`,
  },
  host: {
    flags: "--host <address>",
    description: `address to bind to; beyond loopback, the control API requires --admin-token (default ${defaultHost})`,
  },
  tls: {
    flags: "--tls",
    description: "serve HTTPS as well, with a certificate of the local authority that standin ca prints",
  },
  tlsPort: {
    flags: "--tls-port <port>",
    description: `port of HTTPS; 0 picks a free port (default ${defaultTlsPort})`,
  },
  tlsCert: {
    flags: "--tls-cert <file>",
    description: "certificate in PEM, with those of its issuers, in place of one of the local authority",
  },
  tlsKey: { flags: "--tls-key <file>", description: "private key of --tls-cert in PEM" },
  webhookCa: {
    flags: "--webhook-ca <file>",
    description: "certificates in PEM that webhook receivers may have, besides those of the system",
  },
  publicUrl: {
    flags: "--public-url <url>",
    description: "URL of the sandbox in links (default: the address of each request)",
  },
  trustProxy: {
    flags: "--trust-proxy <proxies>",
    description:
      "addresses or subnets of proxies whose Forwarded and X-Forwarded-* headers are trusted; also loopback, uniquelocal and all",
  },
  allowHosts: {
    flags: "--allow-host <name>",
    description: "additional host name of the sandbox, for the control API and its certificates; repeatable",
  },
  allowOrigins: {
    flags: "--allow-origin <origin>",
    description: "web origin whose pages may call the sandbox from a browser, * for any; repeatable",
  },
  data: {
    flags: "--data <folder>",
    description: `folder in which to keep state (default ${defaultFolder})`,
  },
  store: {
    flags: "--store <url>",
    description: "PostgreSQL database that several sandboxes share, postgres://user:password@host/name",
  },
  replicaUrl: {
    flags: "--replica-url <url>",
    description:
      "URL at which the other sandboxes on the same store reach this one (default: where it listens)",
  },
  durability: {
    flags: "--durability <kind>",
    description:
      "what acknowledged changes survive: a crash of the process, or also a power failure (default process)",
  },
  scenarios: {
    flags: "--scenarios <folder>",
    description: `folder with scenarios of your own (default ${defaultScenarioFolder}, if it exists)`,
  },
  driftLock: {
    flags: "--drift-lock <file>",
    description: `lock file of standin drift, whose dates the assumptions show (default ${defaultLockFile}, if it exists)`,
  },
  load: {
    flags: "--load <scenario>",
    description: "scenario to load into the account of the test key, unless that account has been used",
  },
  seed: {
    flags: "--seed <text>",
    description:
      "seed for ids, codes and people (default standin, or a random one on a host beyond loopback)",
  },
  code: {
    flags: "--code <digits>",
    description:
      "one-time code of the account in place of drawn ones, 4 to 8 digits; SMS codes have 6 (default: drawn codes)",
  },
  webhookSecret: {
    flags: "--webhook-secret <secret>",
    description: "key with which the account's webhooks are signed (default: one that follows from the seed)",
  },
  latency: {
    flags: "--latency <kind>",
    description: "response times: none, or as in the interface (default none)",
  },
  maxSnapshotMB: {
    flags: "--max-snapshot-mb <mb>",
    description: "size up to which a snapshot can be restored, 1 to 500 (default 32)",
  },
  assumptions: {
    flags: "--assume <id=value>",
    description: "set the value of an assumption; repeatable",
    env: "STANDIN_ASSUMPTIONS",
  },
  registeredKeysOnly: {
    flags: "--registered-keys-only",
    description: "refuse API keys that have not been registered",
  },
  maxAccounts: {
    flags: "--max-accounts <count>",
    description:
      "number of accounts beyond which new keys are refused unless they are registered (default: no limit)",
  },
  maxRecords: {
    flags: "--max-records <count>",
    description: "stored records of an account beyond which it cannot grow (default: no limit)",
  },
  maxRequestsPerSecond: {
    flags: "--max-requests-per-second <count>",
    description: "requests to the service per second and API key (default: no limit)",
  },
  accountTtl: {
    flags: "--account-ttl <duration>",
    description:
      "time such as 30d after which an unused account is deleted unless its key is registered (default: never)",
  },
  keys: { flags: "--register-key <key>", description: "API key to register; repeatable" },
  control: {
    flags: "--control <who>",
    description:
      "access to the control API: with the admin token unless on loopback (token), unrestricted (open), or none (off) (default token)",
  },
  adminToken: {
    flags: "--admin-token <token>",
    description: "token that the control API requires in X-Sandbox-Admin",
  },
  "livekit.url": {
    flags: "--livekit-url <url>",
    description: "websocket address of the media server of real-time sessions",
  },
  "livekit.key": { flags: "--livekit-key <key>", description: "API key of the media server" },
  "livekit.secret": { flags: "--livekit-secret <secret>", description: "API secret of the media server" },
  "domains.lookup": {
    flags: "--domains-lookup <kind>",
    description: "where the proofs of domains are looked up: simulated, or real (default simulated)",
  },
  "domains.resolver": {
    flags: "--domains-resolver <address>",
    description: "DNS server for real lookups (default: that of the system)",
  },
  "domains.origin": {
    flags: "--domains-origin <origin>",
    description: "origin of the well-known file; {domain} is the domain (default https://{domain})",
  },
  "tools.scans": {
    flags: "--tools-scans <form>",
    description: "scans with recognised text in a DOCX: picture, or text to edit (default picture)",
  },
};

type FieldSchema = Type.TSchema & {
  enum?: string[];
  type?: string;
  minimum?: number;
  maximum?: number;
  anyOf?: FieldSchema[];
  properties?: Readonly<Record<string, FieldSchema>>;
};

function schemaAt(path: FieldPath): FieldSchema {
  const [name = "", inner] = path.split(".");
  const field: FieldSchema = optionFields[name as keyof typeof optionFields];
  return (inner === undefined ? field : field.properties?.[inner]) as FieldSchema;
}

const parserOfIntegers =
  ({ minimum, maximum }: FieldSchema) =>
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

/** Adds pairs to those of earlier flags and of the environment. */
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

function withParser(option: Option, path: FieldPath): Option {
  const schema = schemaAt(path);
  if (path === "assumptions") return option.argParser(collectAssumptions as never);
  if (path === "publicUrl" || path === "replicaUrl") return option.argParser(parseWebAddress);
  if (schema.enum) return option.choices(schema.enum);
  const integer = [schema, ...(schema.anyOf ?? [])].find(({ type }) => type === "integer");
  if (integer) return option.argParser(parserOfIntegers(integer));
  return schema.type === "array" ? option.argParser(collectList as never) : option;
}

const variableOf = (flag: string): string =>
  `STANDIN_${flag.replace(/^--/, "").replaceAll("-", "_").toUpperCase()}`;

/** Names the environment variable of an option, after its flag unless it has another name. */
export const withVariable = (option: Option, variable = variableOf(option.long as string)): Option =>
  option.env(variable);

/** Creates the option that sets a field. */
export function optionFor(path: FieldPath): Option {
  const { flags, description, env } = specs[path];
  return withParser(withVariable(new Option(flags, description), env), path);
}

/** Returns the fields that flags and the environment have set, as an object of the schema. */
export function readFields(flags: Readonly<Record<string, unknown>>): Partial<SandboxOptions> {
  const found: Record<string, Record<string, unknown> | unknown> = {};
  for (const [path, spec] of Object.entries(specs)) {
    const value = flags[new Option(spec.flags).attributeName()];
    if (value === undefined) continue;
    const [name = "", inner] = path.split(".");
    if (inner === undefined) found[name] = value;
    else found[name] = { ...(found[name] as object), [inner]: value };
  }
  return found;
}

/** Returns a message about a setting with the name of its flag in place of that of the library's option. */
export function withFlagName(message: string): string {
  const [setting = ""] = /^[\w.]+(?= must be )/.exec(message) ?? [];
  if (!Object.hasOwn(specs, setting)) return message;
  const [flag = setting] = /--[\w-]+/.exec(specs[setting as FieldPath].flags) ?? [];
  return flag + message.slice(setting.length);
}
