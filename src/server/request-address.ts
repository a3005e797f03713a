/** The address at which a client reached the sandbox: from its request, or as a trusted proxy reports it. */
import type { Request } from "express";

/** Returns whether the proxy at an address is trusted. */
export type Trust = (address: string) => boolean;

export interface RequestAddress {
  protocol: string;
  /** Host name and port, as the client sent them. Empty if it sent none. */
  host: string;
  /** Prefix that a proxy removed from the request's path, without a trailing slash. */
  prefix: string;
}

/** Returns an IP address or a host name as it is written in a URL. */
export const formatHost = (name: string): string => (name.includes(":") ? `[${name}]` : name);

/** Returns the host of a URL for the address that a server is bound to: the loopback address if it is bound to all. */
export function nameOfHost(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  return host === "::" ? "[::1]" : formatHost(host);
}

const prefixPattern = /^(?:\/[\w.~-]+)+$/;

export function addressOf({ headers, protocol, socket }: Request, trust: Trust | null): RequestAddress {
  const direct = { protocol, host: headers.host ?? "", prefix: "" };
  if (!trust?.(socket.remoteAddress ?? "")) return direct;
  const { forwarded } = headers;
  const given = forwarded ? readForwarded(forwarded) : readForwardedBy(headers);
  const prefix = firstOf(headers["x-forwarded-prefix"])?.replace(/\/+$/, "") ?? "";
  return {
    protocol: given.protocol === "http" || given.protocol === "https" ? given.protocol : direct.protocol,
    host: given.host || direct.host,
    prefix: prefixPattern.test(prefix) ? prefix : "",
  };
}

/** Returns the first element of a header, which is the client's: each proxy appends its own element. */
const firstOf = (header: string | string[] | undefined): string | undefined =>
  (Array.isArray(header) ? header[0] : header)?.split(",")[0]?.trim();

function readForwardedBy(headers: Request["headers"]): Partial<RequestAddress> {
  const host = firstOf(headers["x-forwarded-host"]);
  const port = firstOf(headers["x-forwarded-port"]);
  const protocol = firstOf(headers["x-forwarded-proto"])?.toLowerCase();
  const needsPort = host && /^\d+$/.test(port ?? "") && !/:\d+$/.test(host) && !isDefaultPort(port, protocol);
  return {
    ...(host ? { host: needsPort ? `${host}:${port}` : host } : {}),
    ...(protocol ? { protocol } : {}),
  };
}

const isDefaultPort = (port: string | undefined, protocol = "http"): boolean =>
  port === (protocol === "https" ? "443" : "80");

/** Reads the first element of the header Forwarded (RFC 7239): `for=192.0.2.1;host="shop.example:8443";proto=https`. */
function readForwarded(header: string): Partial<RequestAddress> {
  const [element = ""] = /^(?:[^,"]|"(?:[^"\\]|\\.)*")*/.exec(header) ?? [];
  const found: Partial<RequestAddress> = {};
  for (const [, name = "", quoted, token] of element.matchAll(/(\w+)=(?:"((?:[^"\\]|\\.)*)"|([^;,\s]+))/g)) {
    const value = quoted?.replaceAll(/\\(.)/g, "$1") ?? token ?? "";
    if (name.toLowerCase() === "host") found.host = value;
    if (name.toLowerCase() === "proto") found.protocol = value.toLowerCase();
  }
  return found;
}
