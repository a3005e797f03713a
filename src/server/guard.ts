/** Keeps web pages in the tester's browser, and strangers on the network, from steering the sandbox. */
import { timingSafeEqual } from "node:crypto";
import { refuse } from "../contract/errors.js";
import type { Exchange } from "./exchange.js";
import type { Settings } from "./settings.js";

const loopback = /^(?:localhost|[\w-]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\]|::1)$/i;

const isLoopback = (host: string): boolean => loopback.test(host);

/** Whether the control API answers anybody: off loopback only who has the token. */
export const isControlOpen = (boundHost: string, adminToken: string | null): boolean =>
  adminToken !== null || isLoopback(boundHost);

const nameOf = (host: string): string => host.replace(/:\d+$/, "").toLowerCase();

export class Guard {
  readonly #hosts: ReadonlySet<string>;

  constructor(
    readonly settings: Settings,
    /** The address that the server is bound to. */
    readonly boundHost: string,
    publicUrl: string | null,
  ) {
    const names = [...settings.allowHosts, ...(publicUrl ? [new URL(publicUrl).hostname] : [])];
    this.#hosts = new Set(names.map((name) => name.toLowerCase()));
  }

  /** For the control API and the dashboard. */
  check(exchange: Exchange): void {
    const { host = "", origin } = exchange.request.headers;
    if (!this.#knowsHost(host)) {
      refuse("forbidden_origin", {
        param: "Host",
        message: `The control API does not answer to the host ${JSON.stringify(host)}; start with --allow-host ${nameOf(host) || "NAME"} to let it.`,
      });
    }
    if (origin !== undefined && !this.allows(origin) && !sameHost(origin, host)) {
      refuse("forbidden_origin", {
        param: "Origin",
        message: `The control API does not answer to pages of ${origin}; start with --allow-origin ${origin} to let it.`,
      });
    }
    // An image or a script of another site asks without an Origin; a person who follows a link navigates.
    const { "sec-fetch-site": site, "sec-fetch-mode": mode } = exchange.request.headers;
    if (origin === undefined && site === "cross-site" && mode !== "navigate") {
      refuse("forbidden_origin", {
        param: "Sec-Fetch-Site",
        message: "The control API does not answer to what pages of other sites embed.",
      });
    }
    this.#checkAdmin(exchange);
  }

  /** Whether pages of this origin may read replies. */
  allows(origin: string): boolean {
    const { allowOrigins } = this.settings;
    return allowOrigins.includes("*") || allowOrigins.includes(origin);
  }

  /** Headers that let an allowed origin's page read the reply. */
  corsHeaders(exchange: Exchange): string[] {
    const { origin } = exchange.request.headers;
    if (origin === undefined || !this.allows(origin)) return [];
    return [
      "Access-Control-Allow-Origin",
      origin,
      "Vary",
      "Origin",
      "Access-Control-Expose-Headers",
      "X-Request-Id, X-Sandbox-Outcome, X-Sandbox-Fault, X-Sandbox-Rules, X-Sandbox-Account, Retry-After",
    ];
  }

  /** The answer to a browser's preflight; null when this is none that may be answered. */
  preflight(exchange: Exchange): string[] | null {
    const { origin, "access-control-request-method": method } = exchange.request.headers;
    if (exchange.method !== "OPTIONS" || origin === undefined || method === undefined || !this.allows(origin))
      return null;
    const wanted = exchange.header("access-control-request-headers");
    return [
      ...this.corsHeaders(exchange),
      "Access-Control-Allow-Methods",
      "GET, POST, PUT, PATCH, DELETE",
      ...(wanted ? ["Access-Control-Allow-Headers", wanted] : []),
      "Access-Control-Max-Age",
      "600",
    ];
  }

  #knowsHost(host: string): boolean {
    const name = nameOf(host);
    if (isLoopback(name) || this.#hosts.has(name)) return true;
    return (
      !isLoopback(this.boundHost) &&
      (name === this.boundHost || /^(?:\d{1,3}\.){3}\d{1,3}$/.test(name) || name.startsWith("["))
    );
  }

  #checkAdmin(exchange: Exchange): void {
    const { adminToken } = this.settings;
    const isOpen = isControlOpen(this.boundHost, adminToken);
    if (adminToken === null && isOpen) return;
    const given = exchange.header("x-sandbox-admin");
    if (adminToken !== null && given !== undefined && sameText(given, adminToken)) return;
    const message = isOpen
      ? "The control API needs the header X-Sandbox-Admin with the token of --admin-token."
      : "The sandbox is bound off loopback without --admin-token, so the control API is closed; start it with one.";
    refuse("admin_token_required", { param: "X-Sandbox-Admin", message });
  }
}

function sameHost(origin: string, host: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === host.toLowerCase();
}

function sameText(a: string, b: string): boolean {
  const [first, second] = [Buffer.from(a), Buffer.from(b)];
  return first.length === second.length && timingSafeEqual(first, second);
}
