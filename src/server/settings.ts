/** What a running sandbox was told: by flags, environment, config file or the library's options. */
import { isIP } from "node:net";
import { type Assumptions, resolveAssumptions } from "../contract/assumptions.js";

export interface LiveKitSettings {
  /** Websocket address. */
  url: string;
  key: string;
  secret: string;
}

export interface DomainSettings {
  /** `simulated`: proofs are published with the control API; `real`: DNS and the web are asked. */
  lookup: "simulated" | "real";
  /** IP address of the DNS server to ask, with a port or without; null: the system's. */
  resolver: string | null;
  /** Where the well-known file is fetched, in place of `https://{domain}`; `{domain}` is filled in. */
  origin: string | null;
}

export interface ToolSettings {
  /** `auto`: audio is converted with the ffmpeg on PATH where there is one; `off`: always with the built-in engine. */
  ffmpeg: "auto" | "off";
  /** `auto`: documents are converted with the LibreOffice on PATH where there is one; `off`: always with the built-in engine. */
  libreoffice: "auto" | "off";
}

export interface Settings {
  seed: string;
  assumptions: Assumptions;
  /** `documented`: replies take the times that the interface's Limits give. */
  latency: "none" | "documented";
  /** Refuse keys that were not registered with the control API or the config. */
  registeredKeysOnly: boolean;
  /** Keys that the config registers. */
  keys: readonly string[];
  /** Needed on the control API and the pages when bound off loopback. */
  adminToken: string | null;
  /** Names beside loopback ones under which the control API answers. */
  allowHosts: readonly string[];
  /** Web origins that may call from a browser; `*` for any. */
  allowOrigins: readonly string[];
  /** The media server for which the tokens of real-time sessions are made. */
  livekit: LiveKitSettings;
  domains: DomainSettings;
  tools: ToolSettings;
  /** Check every reply against its schema and fail loudly when one is off its contract. */
  validateReplies: boolean;
}

/** The account of a request that carries no key, and the keys that the first screen prints. */
export const testKey = "svc_test_demo";
export const liveKey = "svc_live_demo";

/** What flags, config file and library options may say; all else has its default. */
export interface SettingsOptions {
  allowHosts?: readonly string[];
  allowOrigins?: readonly string[];
  seed?: string;
  latency?: "none" | "documented";
  registeredKeysOnly?: boolean;
  keys?: readonly string[];
  adminToken?: string | null;
  assumptions?: Readonly<Record<string, string>>;
  /** A media server that accepts the tokens of real-time sessions. */
  livekit?: Partial<LiveKitSettings>;
  domains?: Partial<DomainSettings>;
  /** Programs that the file tools may use. */
  tools?: Partial<ToolSettings>;
  /** Hold every reply against its schema and fail loudly when it is off its contract. */
  validateReplies?: boolean;
}

/** Key and secret are those of the media server's own development mode. */
const mediaServer: LiveKitSettings = {
  url: "wss://media.standin.test",
  key: "devkey",
  secret: "secret",
};

/** A setting that cannot be: which one, and what would be right. */
class SettingsError extends Error {}

function must(right: boolean, setting: string, rule: string, got: unknown): void {
  if (!right) throw new SettingsError(`${setting} must be ${rule}; got ${JSON.stringify(got)}`);
}

function toLiveKit(given: Partial<LiveKitSettings> = {}): LiveKitSettings {
  const all = { ...mediaServer, ...given };
  const isSocket = /^wss?:\/\//i.test(all.url) && URL.canParse(all.url);
  must(isSocket, "livekit.url", "a websocket address such as ws://127.0.0.1:7880", all.url);
  for (const name of ["key", "secret"] as const) must(all[name] !== "", `livekit.${name}`, "some text", "");
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

function toDomains(given: Partial<DomainSettings> = {}): DomainSettings {
  const all: DomainSettings = { lookup: "simulated", resolver: null, origin: null, ...given };
  const { resolver, origin } = all;
  const server = "the IP address of a DNS server, such as 127.0.0.1:5353";
  must(resolver === null || isResolver(resolver), "domains.resolver", server, resolver);
  const web = "an http or https origin, such as http://127.0.0.1:8080 or http://{domain}:8080";
  must(origin === null || isOrigin(origin), "domains.origin", web, origin);
  return all;
}

export const toSettings = (options: SettingsOptions): Settings => ({
  seed: options.seed ?? "standin",
  assumptions: resolveAssumptions(options.assumptions ?? {}),
  latency: options.latency ?? "none",
  registeredKeysOnly: options.registeredKeysOnly ?? false,
  keys: options.keys ?? [],
  adminToken: options.adminToken ?? null,
  allowHosts: options.allowHosts ?? [],
  allowOrigins: options.allowOrigins ?? [],
  livekit: toLiveKit(options.livekit),
  domains: toDomains(options.domains),
  tools: { ffmpeg: "auto", libreoffice: "auto", ...options.tools },
  validateReplies: options.validateReplies ?? false,
});
