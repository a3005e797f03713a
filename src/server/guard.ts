/** Keeps web pages in the tester's browser, and strangers on the network, away from the control API. */
import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { Refusal, refuse } from "../contract/errors.js";
import type { Settings } from "./settings.js";

const loopback = /^(?:localhost|[\w-]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\]|::1)$/i;

const isLoopback = (host: string): boolean => loopback.test(host);

/** Returns whether the control API is available: off loopback, only with an admin token. */
export const isControlOpen = (boundHost: string, adminToken: string | null): boolean =>
  adminToken !== null || isLoopback(boundHost);

/** IP literals, names without a dot such as those of containers, and none: no page of another site has these. */
const isLocalName = /^(?:[^.]*|\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\])$/i;

const nameOf = (host: string): string => host.replace(/:\d+$/, "").toLowerCase();

export class Guard {
  readonly #hosts: ReadonlySet<string>;
  /** The last host that was accepted: nearly all requests name the same. */
  #lastHost: string | null = null;

  constructor(
    readonly settings: Settings,
    /** The address that the server is bound to. */
    public boundHost: string,
  ) {
    const { allowHosts, publicUrl } = settings;
    const names = [...allowHosts, ...(publicUrl ? [new URL(publicUrl).hostname] : [])];
    this.#hosts = new Set(names.map((name) => name.toLowerCase()));
  }

  /**
   * Returns the refusal of a call of the service on the sandbox's own port under a host name that is not its own, or null. On
   * loopback, such a name comes from a web page whose DNS entry was changed to this machine.
   */
  refusalOfHost({ headers, url = "" }: Pick<IncomingMessage, "headers" | "url">): Refusal | null {
    const { host = "" } = headers;
    if (host === this.#lastHost || !url.startsWith("/v1/") || !isLoopback(this.boundHost)) return null;
    const name = nameOf(host);
    if (isLocalName.test(name) || this.#knowsHost(host)) {
      this.#lastHost = host;
      return null;
    }
    return new Refusal("forbidden_origin", {
      param: "Host",
      message: `The sandbox does not answer to the host ${JSON.stringify(host.slice(0, 100))}; start with --allow-host ${name.slice(0, 100)} to allow it.`,
    });
  }

  /** Refuses requests to the control API and the tester's pages that come from elsewhere, or without the admin token. */
  check(request: Pick<IncomingMessage, "headers">): void {
    this.checkOrigin(request);
    this.#checkAdminToken(request.headers["x-sandbox-admin"]);
  }

  /** Refuses requests that come from pages of other sites. */
  checkOrigin({ headers }: Pick<IncomingMessage, "headers">): void {
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
