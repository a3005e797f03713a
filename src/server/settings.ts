/** Completes the options of a sandbox with their defaults, and checks what their schema cannot. */
import { statSync } from "node:fs";
import { isIP } from "node:net";
import express from "express";
import { isKey, keyRule } from "../contract/api-keys.js";
import type { GeneralAssumptions } from "../contract/assumptions/general.js";
import {
  type DomainSettings,
  isPostgresUrl,
  type LiveKitSettings,
  postgresUrlRule,
  type SandboxOptions,
} from "../contract/options.js";
import { fixedCodePattern, fixedCodeRule, givenSecretPattern, givenSecretRule } from "../contract/schemas.js";
import { parseDuration } from "../time/time.js";
import type { FixedSettings } from "../world/records/account-settings.js";
import { formatHost } from "./request-address.js";
import { authorityFolder, type TlsSettings } from "./tls/identity.js";

/** Test and live key that the first screen prints. Control calls without a key use the account of the test key. */
export const testKey = "svc_test_demo";
export const liveKey = "svc_live_demo";

/** Key and secret of the media server's development mode. */
const defaultLiveKit: LiveKitSettings = {
  url: "wss://media.standin.test",
  key: "devkey",
  secret: "secret",
};

/** Thrown for an invalid setting. The message says what is valid. */
class SettingsError extends Error {}

function check(isValid: boolean, setting: string, rule: string, got: unknown): void {
  if (!isValid) throw new SettingsError(`${setting} must be ${rule}; got ${JSON.stringify(got)}`);
}

function toLiveKit(given: SandboxOptions["livekit"] = {}): LiveKitSettings {
  const all = { ...defaultLiveKit, ...given };
  const isSocket = /^wss?:\/\//i.test(all.url) && URL.canParse(all.url);
  check(isSocket, "livekit.url", "a websocket address such as ws://127.0.0.1:7880", all.url);
  for (const name of ["key", "secret"] as const) check(all[name] !== "", `livekit.${name}`, "some text", "");
  if ((given.key === undefined) !== (given.secret === undefined)) {
    const missing = given.key === undefined ? "livekit.key" : "livekit.secret";
    throw new SettingsError(`livekit.key and livekit.secret belong together; ${missing} is missing`);
  }
  return all;
}

function isResolver(text: string): boolean {
  const [, v6, v4, port] = /^(?:\[(.+)\]|([\d.]+)):(\d{1,5})$/.exec(text) ?? [];
  return isIP(text) > 0 || (isIP(v6 ?? v4 ?? "") > 0 && Number(port) > 0 && Number(port) < 65_536);
}

const isOrigin = (text: string): boolean =>
  /^https?:\/\/[^\s/\\?#@]+\/?$/.test(text) && URL.canParse(text.replaceAll("{domain}", "example.com"));

/** Returns the name of a host that may be given with its scheme, its port or a dot at its end, or as an IP address. */
function toHostName(given: string): string {
  const host = isIP(given) ? formatHost(given) : given.trim().replace(/^https?:\/\//i, "");
  const url = `http://${host}`;
  const isHost = /^[^\s/?#@]+\/?$/.test(host) && URL.canParse(url);
  check(isHost, "allowHosts", "host names such as host.docker.internal", given);
  return new URL(url).hostname.replace(/\.$/, "");
}

/** Returns a host as it is written in a certificate, where an IPv6 address has no brackets. */
export const toCertifiedName = (given: string): string => toHostName(given).replace(/^\[(.*)\]$/, "$1");

/** Returns an origin as browsers send it. */
function toAllowedOrigin(given: string): string {
  if (given === "*" || given === "null") return given;
  const isUrl = /^https?:\/\/[^\s/?#@]+\/?$/i.test(given) && URL.canParse(given);
  check(isUrl, "allowOrigins", "origins such as http://localhost:5173, or *", given);
  return new URL(given).origin;
}

function toDomains(given: SandboxOptions["domains"] = {}): DomainSettings {
  const all: DomainSettings = { lookup: "simulated", resolver: null, origin: null, ...given };
  const { resolver, origin } = all;
  const server = "the IP address of a DNS server, such as 127.0.0.1:5353";
  check(resolver === null || isResolver(resolver), "domains.resolver", server, resolver);
  const web = "an http or https origin, such as http://127.0.0.1:8080 or http://{domain}:8080";
  check(origin === null || isOrigin(origin), "domains.origin", web, origin);
  return all;
}

/** Returns a function that returns whether a proxy at an address is trusted, or null if none is. */
function toTrust(given: readonly string[]): ((address: string) => boolean) | null {
  if (given.length === 0) return null;
  if (given.includes("all")) return () => true;
  try {
    return express()
      .set("trust proxy", [...given])
      .get("trust proxy fn");
  } catch {
    const rule = "IP addresses, subnets such as 10.0.0.0/8, loopback, linklocal, uniquelocal or all";
    return check(false, "trustProxy", rule, given) as never;
  }
}

/** Refuses the address of another kind of database. The message does not show it, because it may contain a password. */
function checkStore(store: string | null | undefined): void {
  if (store && !isPostgresUrl(store)) throw new SettingsError(`store must be ${postgresUrlRule}`);
}

/** Returns the time to live of unused accounts in ms, or null if they are kept. */
function toTtl(given: string | null): number | null {
  if (given === null) return null;
  const ttl = parseDuration(given);
  check(ttl !== null && ttl > 0, "accountTtl", "a duration such as 30d or 12h", given);
  return ttl;
}

/** Returns the registered keys. Refuses a key that no request could use because of its form. */
function toKeys(given: readonly string[]): readonly string[] {
  for (const key of given) check(isKey(key), "keys", keyRule, key);
  return given;
}

function toFolder(scenarios: string | null): string | null {
  const isFolder =
    scenarios === null || statSync(scenarios, { throwIfNoEntry: false })?.isDirectory() === true;
  check(isFolder, "scenarios", "a folder", scenarios);
  return scenarios;
}

/** Returns the settings that the account of the default key has whenever it is new or the sandbox starts. */
function toFixedSettings({ code, webhookSecret }: SandboxOptions): FixedSettings {
  const fixed: FixedSettings = {};
  if (code) {
    check(new RegExp(fixedCodePattern).test(code), "code", fixedCodeRule, code);
    fixed.code = code;
  }
  if (webhookSecret) {
    check(
      new RegExp(givenSecretPattern).test(webhookSecret),
      "webhookSecret",
      givenSecretRule,
      webhookSecret,
    );
    fixed.webhook_secret = webhookSecret;
  }
  return fixed;
}

const isPair = (one: unknown, other: unknown): boolean => (one == null) === (other == null);

/** Returns how HTTPS is served, or null if it is not. */
function toTls(
  { tls, tlsPort = 0, tlsCert, tlsKey, host, publicUrl, data }: SandboxOptions,
  allowHosts: readonly string[],
  folder: string | null,
): TlsSettings | null {
  check(isPair(tlsCert, tlsKey), "tlsCert and tlsKey", "given together", tlsCert ?? tlsKey ?? null);
  if (!tls && !tlsCert) return null;
  const isAny = host === undefined || host === "0.0.0.0" || host === "::";
  return {
    port: tlsPort,
    files: tlsCert && tlsKey ? { certificate: tlsCert, key: tlsKey } : null,
    authorityFolder: folder ?? (data ? authorityFolder(data) : null),
    hosts: [
      // A zone, as in fe80::1%eth0, is only valid on this machine.
      ...(isAny ? [] : [host.replace(/%.*/, "")]),
      ...allowHosts,
      ...(publicUrl ? [new URL(publicUrl).hostname] : []),
    ].map(toCertifiedName),
  };
}

/** Default seed of a sandbox that only this machine reaches. Secrets and codes of its accounts can be computed. */
const publicSeed = "standin";

/** Options with all defaults filled in. */
export type ServerSettings = ReturnType<typeof toSettings>;

/**
 * Returns the settings, or throws an error that names the invalid one. `resolve` returns the values in force of all
 * assumptions, given the switched ones.
 */
export function toSettings<Values extends GeneralAssumptions>(
  options: SandboxOptions & { authorityFolder?: string },
  resolve: (switched: Readonly<Record<string, unknown>>) => Values,
) {
  const switched = Object.entries(options.assumptions ?? {}).map(([id, value]) => [id, String(value)]);
  const allowHosts = (options.allowHosts ?? []).map(toHostName);
  checkStore(options.store);
  return {
    publicUrl: options.publicUrl?.replace(/\/+$/, "") ?? null,
    replicaUrl: options.replicaUrl?.replace(/\/+$/, "") ?? null,
    seed: options.seed ?? publicSeed,
    assumptions: resolve(Object.fromEntries(switched)),
    latency: options.latency ?? "none",
    registeredKeysOnly: options.registeredKeysOnly ?? false,
    keys: toKeys(options.keys ?? []),
    maxAccounts: options.maxAccounts ?? null,
    maxRecords: options.maxRecords ?? null,
    maxRequestsPerSecond: options.maxRequestsPerSecond ?? null,
    accountTtl: toTtl(options.accountTtl ?? null),
    maxSnapshotMB: options.maxSnapshotMB ?? 32,
    control: options.control ?? ("token" as const),
    adminToken: options.adminToken ?? null,
    driftLock: options.driftLock ?? null,
    scenarios: toFolder(options.scenarios ?? null),
    trustProxy: toTrust(options.trustProxy ?? []),
    allowHosts,
    tls: toTls(options, allowHosts, options.authorityFolder ?? null),
    allowOrigins: (options.allowOrigins ?? []).map(toAllowedOrigin),
    livekit: toLiveKit(options.livekit),
    domains: toDomains(options.domains),
    fixed: toFixedSettings(options),
    tools: { scans: "picture", ...options.tools } as const,
    validateReplies: options.validateReplies ?? false,
  };
}
