/**
 * The options of a sandbox: one table of their types, limits and flags for the library, the config file and the command
 * line.
 */
import * as Type from "typebox";
import { defaultLockFile } from "./drift-lock.js";
import { formatNearest } from "./nearest.js";
import { compileValidator, detailsOf } from "./validate.js";

export const defaultPort = 4010;
export const defaultTlsPort = 4443;
export const defaultHost = "127.0.0.1";
export const defaultFolder = ".standin";
export const defaultScenarioFolder = "scenarios";
/** Size of the largest snapshots, in MB: they are parsed in one piece. */
export const largestSnapshotMB = 64;

/** Headings in the help of `standin start`. */
type OptionGroup =
  | "Address:"
  | "Access:"
  | "State:"
  | "Limits:"
  | "Behaviour of the sandbox:"
  | "Media server, domains and file tools:";

/** How the command line gives an option. */
export interface OptionFlag {
  readonly flags: string;
  readonly description: string;
  readonly group: OptionGroup;
  /** Environment variable. Default: STANDIN_ and the name of the flag. */
  readonly env?: string;
  /** Whether commands that start a sandbox for themselves, such as `standin exec`, have it too. */
  readonly isForAll: boolean;
}

/** Returns a function that declares an option: its flag, its text in --help, and its own schema. */
const optionsOf =
  (group: OptionGroup, isForAll: boolean) =>
  <Schema extends Type.TSchema>(
    flags: string,
    description: string,
    schema: Schema,
    more: Partial<Pick<OptionFlag, "env" | "isForAll">> = {},
  ): Schema =>
    Object.assign(schema, { flag: { group, flags, description, isForAll, ...more } satisfies OptionFlag });

// Where a sandbox listens, who may use it, where it keeps its state, and how large it grows.
const address = optionsOf("Address:", false);
const access = optionsOf("Access:", false);
const state = optionsOf("State:", false);
const limits = optionsOf("Limits:", false);
const behaviour = optionsOf("Behaviour of the sandbox:", true);
const backends = optionsOf("Media server, domains and file tools:", true);

const onOrOff = () => Type.Optional(Type.Boolean());
const text = () => Type.Optional(Type.String());
const nullableText = () => Type.Optional(Type.Union([Type.String(), Type.Null()]));
const texts = () => Type.Optional(Type.Unsafe<readonly string[]>(Type.Array(Type.String())));
const integer = (minimum: number, maximum: number) => Type.Optional(Type.Integer({ minimum, maximum }));
const limit = () =>
  Type.Optional(Type.Union([Type.Integer({ minimum: 1, maximum: 1_000_000_000 }), Type.Null()]));
const closed = { additionalProperties: false };

/** All options except the library's own, in the order of --help-all. The config file has the same options. */
export const optionFields = {
  /** Port to listen on. Default 0, which selects a free port; 4010 on the command line. */
  port: address(
    "-p, --port <port>",
    `port to listen on; 0 picks a free port (default PORT, else ${defaultPort})`,
    integer(0, 65535),
  ),
  /** Address to bind. Default 127.0.0.1. */
  host: address(
    "--host <address>",
    `address to bind to; beyond loopback, the control API requires --admin-token (default ${defaultHost})`,
    text(),
  ),
  /** Serves HTTPS beside HTTP, with a certificate of a local authority that is kept in the data folder. Default false. */
  tls: address(
    "--tls",
    "serve HTTPS as well, with a certificate of the local authority that standin ca prints",
    onOrOff(),
  ),
  /** Port of HTTPS. Default 0, which selects a free port; 4443 on the command line. */
  tlsPort: address(
    "--tls-port <port>",
    `port of HTTPS; 0 picks a free port (default ${defaultTlsPort})`,
    integer(0, 65535),
  ),
  /**
   * File with a certificate in PEM, followed by the certificates of its issuers, instead of a certificate of the local
   * authority.
   */
  tlsCert: address(
    "--tls-cert <file>",
    "certificate in PEM, followed by its issuers' certificates, instead of the local authority's",
    nullableText(),
  ),
  /** File with the private key of `tlsCert` in PEM. */
  tlsKey: address("--tls-key <file>", "private key of --tls-cert in PEM", nullableText()),
  /** URL under which clients reach the sandbox. Default: the address that each request came in on. */
  publicUrl: address(
    "--public-url <url>",
    "URL of the sandbox in links (default: the address of each request)",
    nullableText(),
  ),
  /**
   * IP addresses and subnets of proxies whose `Forwarded` and `X-Forwarded-*` headers are trusted; also `loopback`,
   * `linklocal`, `uniquelocal` and `all`. Default: none.
   */
  trustProxy: address(
    "--trust-proxy <proxies>",
    "addresses or subnets of proxies whose Forwarded and X-Forwarded-* headers are trusted; also loopback, uniquelocal and all",
    texts(),
  ),
  /** Host names that the control API accepts in addition to loopback names. */
  allowHosts: address(
    "--allow-host <name>",
    "additional host name of the sandbox, for the control API and its certificates; repeatable",
    texts(),
    { isForAll: true },
  ),
  /** Web origins that may call from a browser; `*` allows any. */
  allowOrigins: address(
    "--allow-origin <origin>",
    "web origin whose pages may call the sandbox from a browser, * for any; repeatable",
    texts(),
    { isForAll: true },
  ),
  /**
   * Access to the control API and the tester's pages. `token`: requires the admin token; on loopback, only if one is
   * set. `open`: unrestricted. `off`: disabled. Default `token`.
   */
  control: access(
    "--control <who>",
    "access to the control API: with the admin token unless on loopback (token), unrestricted (open), or none (off) (default token)",
    Type.Optional(Type.Enum(["open", "token", "off"])),
  ),
  /** Token that the control API requires when the sandbox is bound to a non-loopback address. */
  adminToken: access(
    "--admin-token <token>",
    "token that the control API requires in X-Sandbox-Admin",
    nullableText(),
  ),
  /** Registered keys. */
  keys: access("--register-key <key>", "API key to register; repeatable", texts(), { isForAll: true }),
  /** Folder of the file store. Default null, which keeps everything in memory. */
  data: state("--data <folder>", `folder in which to keep state (default ${defaultFolder})`, nullableText()),
  /**
   * URL of a PostgreSQL database, `postgres://…`, that several sandboxes share as their store. Default null. Cannot be
   * combined with `data`.
   */
  store: state(
    "--store <url>",
    "PostgreSQL database that several sandboxes share, postgres://user:password@host/name",
    nullableText(),
  ),
  /** URL at which the other sandboxes on the same store reach this one. Default: the address that it listens on. */
  replicaUrl: state(
    "--replica-url <url>",
    "URL at which the other sandboxes on the same store reach this one (default: where it listens)",
    nullableText(),
  ),
  /** Failure that acknowledged changes survive: the end of the process, or a power failure. Default `process`. */
  durability: state(
    "--durability <kind>",
    "what acknowledged changes survive: a crash of the process, or also a power failure (default process)",
    Type.Optional(Type.Enum(["process", "power"])),
  ),
  /** Folder with your own scenarios, which are listed and loaded like the built-in ones. Default null. */
  scenarios: state(
    "--scenarios <folder>",
    `folder with scenarios of your own (default ${defaultScenarioFolder}, if it exists)`,
    nullableText(),
    { isForAll: true },
  ),
  /** Lock file of `standin drift`, whose dates the assumptions show. Default null. */
  driftLock: state(
    "--drift-lock <file>",
    `lock file of standin drift, whose dates the assumptions show (default ${defaultLockFile}, if it exists)`,
    nullableText(),
    { isForAll: true },
  ),
  /**
   * Scenario that is loaded into the account of the default key when the sandbox begins to listen, unless that account
   * has been used. Default null.
   */
  load: state(
    "--load <scenario>",
    "scenario to load into the account of the test key, unless that account has been used",
    nullableText(),
  ),
  /** Maximum number of accounts, beyond which new keys are refused unless they are registered. Default null, for no limit. */
  maxAccounts: limits(
    "--max-accounts <count>",
    "number of accounts beyond which new keys are refused unless they are registered (default: no limit)",
    limit(),
  ),
  /** Maximum number of stored records of an account, messages and events included. Default null, for no limit. */
  maxRecords: limits(
    "--max-records <count>",
    "stored records of an account beyond which it cannot grow (default: no limit)",
    limit(),
  ),
  /** Maximum number of requests to the service per second and API key. Default null, for no limit. */
  maxRequestsPerSecond: limits(
    "--max-requests-per-second <count>",
    "requests to the service per second and API key (default: no limit)",
    limit(),
  ),
  /**
   * Duration such as `30d` after which an unused account is deleted unless its key is registered. Default null, for
   * never. Does not apply to a PostgreSQL store.
   */
  accountTtl: limits(
    "--account-ttl <duration>",
    "time such as 30d after which an unused account is deleted unless its key is registered (default: never)",
    nullableText(),
  ),
  /** Seed of ids, codes and people. Default `standin`, or, on a host beyond loopback, a random seed that the store keeps. */
  seed: behaviour(
    "--seed <text>",
    "seed for ids, codes and people (default standin, or a random one on a host beyond loopback)",
    text(),
  ),
  /** Fixed one-time code of the account of the default key, 4 to 8 digits. Default null, which draws codes. */
  code: behaviour(
    "--code <digits>",
    "one-time code of the account in place of drawn ones, 4 to 8 digits; SMS codes have 6 (default: drawn codes)",
    nullableText(),
  ),
  /** Webhook secret of the account of the default key. Default null, which derives it from the seed. */
  webhookSecret: behaviour(
    "--webhook-secret <secret>",
    "key with which the account's webhooks are signed (default: derived from the seed)",
    nullableText(),
  ),
  /** File with certificates in PEM that webhook receivers may have, in addition to the system's. Default null. */
  webhookCa: behaviour(
    "--webhook-ca <file>",
    "certificates in PEM that webhook receivers may have, in addition to the system's",
    nullableText(),
  ),
  /** `documented` gives replies the response times that the interface states under "Limits". Default `none`. */
  latency: behaviour(
    "--latency <kind>",
    "response times: none, or as in the interface (default none)",
    Type.Optional(Type.Enum(["none", "documented"])),
  ),
  /** Assumptions to switch, by id. */
  assumptions: behaviour(
    "--assume <id=value>",
    "set the value of an assumption; repeatable",
    Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]))),
    {
      env: "STANDIN_ASSUMPTIONS",
    },
  ),
  /** Size up to which a snapshot can be restored, in MB of 1,048,576 bytes. Default 32. */
  maxSnapshotMB: behaviour(
    "--max-snapshot-mb <mb>",
    `size up to which a snapshot can be restored, 1 to ${largestSnapshotMB} (default 32)`,
    integer(1, largestSnapshotMB),
  ),
  /** Refuses keys that were not registered with the control API or in `keys`. Default false. */
  registeredKeysOnly: behaviour(
    "--registered-keys-only",
    "refuse API keys that have not been registered",
    onOrOff(),
  ),
  /** Media server that accepts the tokens of real-time sessions. */
  livekit: Type.Optional(
    Type.Object(
      {
        /** Websocket address. */
        url: backends(
          "--livekit-url <url>",
          "websocket address of the media server of real-time sessions",
          text(),
        ),
        key: backends("--livekit-key <key>", "API key of the media server", text()),
        secret: backends("--livekit-secret <secret>", "API secret of the media server", text()),
      },
      closed,
    ),
  ),
  /** How the proofs of domains are looked up. */
  domains: Type.Optional(
    Type.Object(
      {
        /**
         * `simulated`: proofs are published with the control API. `real`: proofs are looked up in the DNS and on the
         * web.
         */
        lookup: backends(
          "--domains-lookup <kind>",
          "where the proofs of domains are looked up: simulated, or real (default simulated)",
          Type.Optional(Type.Enum(["simulated", "real"])),
        ),
        /** IP address of the DNS server, with an optional port. Default null, which uses the system's. */
        resolver: backends(
          "--domains-resolver <address>",
          "DNS server for real lookups (default: the system's)",
          nullableText(),
        ),
        /** Origin of the well-known file. `{domain}` is replaced by the domain. Default `https://{domain}`. */
        origin: backends(
          "--domains-origin <origin>",
          "origin of the well-known file; {domain} is the domain (default https://{domain})",
          nullableText(),
        ),
      },
      closed,
    ),
  ),
  /** Options of the file tools. */
  tools: Type.Optional(
    Type.Object(
      {
        /**
         * Result of a scan with recognised text in a DOCX. `picture`: its picture, with hidden text. `text`: the text
         * alone, which can be edited. Default `picture`.
         */
        scans: backends(
          "--tools-scans <form>",
          "scans with recognised text in a DOCX: picture, or text to edit (default picture)",
          Type.Optional(Type.Enum(["picture", "text"])),
        ),
      },
      closed,
    ),
  ),
};

const LibraryOptions = Type.Object(
  {
    ...optionFields,
    /** Checks every reply against its schema; a reply that violates it becomes a 500. Default false. */
    validateReplies: Type.Optional(Type.Boolean()),
  },
  closed,
);

export type SandboxOptions = Type.Static<typeof LibraryOptions> & {
  /** Called with problems that occur outside a request. Default: writes them to stderr. */
  warn?(message: string): void;
};

type Complete<Name extends "livekit" | "domains" | "tools"> = Required<NonNullable<SandboxOptions[Name]>>;
export type LiveKitSettings = Complete<"livekit">;
export type DomainSettings = Complete<"domains">;
export type ToolSettings = Complete<"tools">;

/** Throws a TypeError that lists all problems of the options of `createSandbox`. */
export async function checkOptions(options: unknown): Promise<void> {
  const { warn, ...data } = (options ?? {}) as Record<string, unknown>;
  const problems =
    typeof options === "object" ? await optionProblems(LibraryOptions, data) : ["must be an object."];
  if (warn !== undefined && typeof warn !== "function") problems.push("warn must be a function.");
  if (problems.length > 0)
    throw new TypeError(`The options of the sandbox are not valid: ${problems.join(" ")}`);
}

/** Returns whether the text is a URL of PostgreSQL. */
export const isPostgresUrl = (text: string): boolean => /^postgres(?:ql)?:\/\//i.test(text);

/** Completes sentences such as `store must be …`. */
export const postgresUrlRule = "the URL of a PostgreSQL database, such as postgres://user:password@host/name";

export const isWebAddress = (text: unknown): text is string =>
  typeof text === "string" && URL.canParse(text) && /^https?:/.test(text);

/** Returns a sentence for each problem of the options. */
export async function optionProblems(schema: Type.TObject, options: unknown): Promise<string[]> {
  const validate = await compileValidator(schema);
  if (validate(options)) {
    return urlProblems(options as SandboxOptions);
  }
  const known = namesIn(schema);
  return detailsOf(validate).map(({ code, param, message }) =>
    code === "unknown_field" ? describeUnknown(param, known) : message,
  );
}

/** Options of version 0.2 that were removed, with advice. */
const removedOptions: Readonly<Record<string, string>> = {
  "tools.ffmpeg": "leave it out, since the built-in engine converts every sound that it can decode",
  "tools.libreoffice": "leave it out, since the built-in engine converts every document",
};

function describeUnknown(param: string, known: readonly string[]): string {
  const instead = Object.hasOwn(removedOptions, param) ? removedOptions[param] : undefined;
  if (instead) return `${param} was removed in version 0.3: ${instead}.`;
  return `${param} is not known${formatNearest(param, known, { maxDistance: Number.POSITIVE_INFINITY })}.`;
}

function urlProblems({ publicUrl, replicaUrl, store, data }: SandboxOptions): string[] {
  const problems = Object.entries({ publicUrl, replicaUrl })
    .filter(([, url]) => url && !isWebAddress(url))
    .map(([name, url]) => `${name} must be an http or https URL; got ${JSON.stringify(url)}.`);
  // The URL may contain a password.
  if (store && !isPostgresUrl(store)) problems.push(`store must be ${postgresUrlRule}.`);
  if (store && data) problems.push("store and data cannot be combined.");
  return problems;
}

/** Returns the names of all fields, nested ones with dots. */
const namesIn = ({ properties }: Type.TObject): string[] =>
  Object.entries(properties).flatMap(([name, field]) => [
    name,
    ...(Type.IsObject(field) ? namesIn(field).map((inner) => `${name}.${inner}`) : []),
  ]);
