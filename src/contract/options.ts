/** The options of a sandbox: one schema for the library, the config file and the flags. */
import * as Type from "typebox";
import { formatNearest } from "./nearest.js";
import { compileValidator, detailsOf } from "./validate.js";

const text = Type.Optional(Type.String());
const texts = Type.Optional(Type.Unsafe<readonly string[]>(Type.Array(Type.String())));
const nullableText = Type.Optional(Type.Union([Type.String(), Type.Null()]));
const limit = Type.Optional(Type.Union([Type.Integer({ minimum: 1, maximum: 1_000_000_000 }), Type.Null()]));
const flag = Type.Optional(Type.Boolean());
const closed = { additionalProperties: false };

/** All options except those that only the library has. The config file has the same. */
export const optionFields = {
  /** Port to listen on. Default 0, which selects a free port; 4010 on the command line. */
  port: Type.Optional(Type.Integer({ minimum: 0, maximum: 65535 })),
  /** Serves HTTPS beside HTTP, with a certificate of a local authority that is kept in the data folder. Default false. */
  tls: flag,
  /** Port of HTTPS. Default 0, which selects a free port; 4443 on the command line. */
  tlsPort: Type.Optional(Type.Integer({ minimum: 0, maximum: 65535 })),
  /** File with a certificate in PEM, followed by those of its issuers, in place of one of the local authority. */
  tlsCert: nullableText,
  /** File with the private key of `tlsCert` in PEM. */
  tlsKey: nullableText,
  /** Address to bind. Default 127.0.0.1. */
  host: text,
  /** URL under which clients reach the sandbox. Default: the address that each request came in on. */
  publicUrl: nullableText,
  /**
   * IP addresses and subnets of proxies whose `Forwarded` and `X-Forwarded-*` headers are trusted; also `loopback`,
   * `linklocal`, `uniquelocal` and `all`. Default: none.
   */
  trustProxy: texts,
  /** Host names that the control API accepts in addition to loopback names. */
  allowHosts: texts,
  /** Web origins that may call from a browser; `*` allows any. */
  allowOrigins: texts,
  /** Folder of the file store. Default null, which keeps everything in memory. */
  data: nullableText,
  /**
   * URL of a PostgreSQL database, `postgres://…`, that several sandboxes share as their store. Default null. Cannot be
   * combined with `data`.
   */
  store: nullableText,
  /** URL at which the other sandboxes on the same store reach this one. Default: the address that it listens on. */
  replicaUrl: nullableText,
  /** Failure that acknowledged changes survive: the end of the process, or a power failure. Default `process`. */
  durability: Type.Optional(Type.Enum(["process", "power"])),
  /** Seed of ids, codes and people. Default `standin`, or, on a host beyond loopback, a random one that the store keeps. */
  seed: text,
  /** `documented` gives replies the response times that the interface states under "Limits". Default `none`. */
  latency: Type.Optional(Type.Enum(["none", "documented"])),
  /** Refuses keys that were not registered with the control API or in `keys`. Default false. */
  registeredKeysOnly: flag,
  /** Registered keys. */
  keys: texts,
  /** Maximum number of accounts, beyond which new keys are refused unless they are registered. Default null, for no limit. */
  maxAccounts: limit,
  /** Maximum number of stored records of an account, messages and events included. Default null, for no limit. */
  maxRecords: limit,
  /** Maximum number of requests to the service per second and API key. Default null, for no limit. */
  maxRequestsPerSecond: limit,
  /**
   * Duration such as `30d` after which an unused account is deleted unless its key is registered. Default null, for
   * never. Does not apply to a PostgreSQL store.
   */
  accountTtl: nullableText,
  /** Size up to which a snapshot can be restored, in MB of 1,048,576 bytes. Default 32. */
  maxSnapshotMB: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
  /**
   * Access to the control API and the tester's pages. `token`: requires the admin token; on loopback, only if one is
   * set. `open`: unrestricted. `off`: disabled. Default `token`.
   */
  control: Type.Optional(Type.Enum(["open", "token", "off"])),
  /** Token that the control API requires when the sandbox is bound to a non-loopback address. */
  adminToken: nullableText,
  /** Folder with scenarios of your own, which are listed and loaded like the built-in ones. Default null. */
  scenarios: nullableText,
  /** Lock file of `standin drift`, whose dates the assumptions show. Default null. */
  driftLock: nullableText,
  /**
   * Scenario that is loaded into the account of the default key when the sandbox begins to listen, unless that account
   * has been used. Default null.
   */
  load: nullableText,
  /** File with certificates in PEM that webhook receivers may have, in addition to those of the system. Default null. */
  webhookCa: nullableText,
  /** Fixed one-time code of the account of the default key, 4 to 8 digits. Default null, for drawn ones. */
  code: nullableText,
  /** Webhook secret of the account of the default key. Default null, for one that follows from the seed. */
  webhookSecret: nullableText,
  /** Media server that accepts the tokens of real-time sessions. */
  livekit: Type.Optional(
    Type.Object(
      {
        /** Websocket address. */
        url: text,
        key: text,
        secret: text,
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
        lookup: Type.Optional(Type.Enum(["simulated", "real"])),
        /** IP address of the DNS server, with an optional port. Default null, which uses the system's. */
        resolver: nullableText,
        /** Origin of the well-known file. `{domain}` is replaced by the domain. Default `https://{domain}`. */
        origin: nullableText,
      },
      closed,
    ),
  ),
  /** Options of the file tools. */
  tools: Type.Optional(
    Type.Object(
      {
        /**
         * What a scan with recognised text becomes in a DOCX. `picture`: its picture, with hidden text. `text`: the text
         * alone, which can be edited. Default `picture`.
         */
        scans: Type.Optional(Type.Enum(["picture", "text"])),
      },
      closed,
    ),
  ),
  /** Assumptions to switch, by id. */
  assumptions: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]))),
};

const LibraryOptions = Type.Object(
  {
    ...optionFields,
    /** Checks every reply against its schema; a reply that violates it becomes a 500. Default false. */
    validateReplies: flag,
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

/** Options of version 0.2, with what to do instead. */
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
  if (store && !isPostgresUrl(store))
    problems.push(
      "store must be the URL of a PostgreSQL database, such as postgres://user:password@host/name.",
    );
  if (store && data) problems.push("store and data cannot be combined.");
  return problems;
}

/** Returns the names of all fields, nested ones with dots. */
const namesIn = ({ properties }: Type.TObject): string[] =>
  Object.entries(properties).flatMap(([name, field]) => [
    name,
    ...(Type.IsObject(field) ? namesIn(field).map((inner) => `${name}.${inner}`) : []),
  ]);
