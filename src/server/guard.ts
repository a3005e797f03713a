/** Keeps web pages in the tester's browser, and strangers on the network, away from the control API. */
import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { refuse } from "../contract/errors.js";
import type { Settings } from "./settings.js";

const loopback = /^(?:localhost|[\w-]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\]|::1)$/i;

const isLoopback = (host: string): boolean => loopback.test(host);

/** Returns whether the control API is available: off loopback, only with an admin token. */
export const isControlOpen = (boundHost: string, adminToken: string | null): boolean =>
  adminToken !== null || isLoopback(boundHost);

const nameOf = (host: string): string => host.replace(/:\d+$/, "").toLowerCase();

export class Guard {
  readonly #hosts: ReadonlySet<string>;

  constructor(
    readonly settings: Settings,
    /** The address that the server is bound to. */
    public boundHost: string,
  ) {
    const { allowHosts, publicUrl } = settings;
    const names = [...allowHosts, ...(publicUrl ? [new URL(publicUrl).hostname] : [])];
    this.#hosts = new Set(names.map((name) => name.toLowerCase()));
  }

  /** Refuses requests to the control API and the tester's pages that come from elsewhere. */
  check({ headers }: Pick<IncomingMessage, "headers">): void {
    const { host = "", origin } = headers;
    if (!this.#knowsHost(host)) {
      refuse("forbidden_origin", {
        param: "Host",
        message: `The control API does not answer to the host ${JSON.stringify(host)}; start with --allow-host ${nameOf(host) || "NAME"} to allow it.`,
      });
    }
    if (origin !== undefined && !this.allows(origin) && !isSameHost(origin, host)) {
      refuse("forbidden_origin", {
        param: "Origin",
        message: `The control API does not answer to pages of ${origin}; start with --allow-origin ${origin} to allow it.`,
      });
    }
    // Browsers request images and scripts of other sites without an Origin; a person who follows a link navigates.
    const { "sec-fetch-site": site, "sec-fetch-mode": mode } = headers;
    if (origin === undefined && site === "cross-site" && mode !== "navigate") {
      refuse("forbidden_origin", {
        param: "Sec-Fetch-Site",
        message: "The control API does not answer requests that pages of other sites embed.",
      });
    }
    this.#checkAdminToken(headers["x-sandbox-admin"]);
  }

  /** Returns whether pages of this origin may read replies. */
  allows(origin: string): boolean {
    const { allowOrigins } = this.settings;
    return allowOrigins.includes("*") || allowOrigins.includes(origin);
  }

  #knowsHost(host: string): boolean {
    const name = nameOf(host);
    if (isLoopback(name) || this.#hosts.has(name)) return true;
    return (
      !isLoopback(this.boundHost) &&
      (name === this.boundHost || /^(?:\d{1,3}\.){3}\d{1,3}$/.test(name) || name.startsWith("["))
    );
  }

  #checkAdminToken(given: string | string[] | undefined): void {
    const { adminToken } = this.settings;
    const isOpen = isControlOpen(this.boundHost, adminToken);
    if (adminToken === null && isOpen) return;
    if (adminToken !== null && given !== undefined && isSameText(String(given), adminToken)) return;
    const message = isOpen
      ? "The control API needs the header X-Sandbox-Admin with the token of --admin-token."
      : "The sandbox is bound to a non-loopback address without --admin-token, so the control API is closed; start it with a token.";
    refuse("admin_token_required", { param: "X-Sandbox-Admin", message });
  }
}

function isSameHost(origin: string, host: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === host.toLowerCase();
}

function isSameText(a: string, b: string): boolean {
  const [first, second] = [Buffer.from(a), Buffer.from(b)];
  return first.length === second.length && timingSafeEqual(first, second);
}
