/** Keeps web pages in the tester's browser, and strangers on the network, away from the control API. */

import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { Refusal, refuse } from "../contract/errors.js";
import type { RequestContext } from "./request-context.js";
import type { ServerSettings } from "./settings.js";

/** Names of this machine: the names of RFC 6761, section 6.3, and loopback addresses. */
const loopback = /^(?:(?:[\w-]+\.)*localhost\.?|127(?:\.\d{1,3}){3}|\[::1\]|::1)$/i;

/** Returns whether only this machine reaches a server that listens on this host. */
export const isLoopback = (host: string): boolean => loopback.test(host);

/** Who may use the control API: anybody, holders of the admin token, nobody until there is a token, or nobody at all. */
export type ControlAccess = "anybody" | "token" | "closed" | "off";

/** Returns who may use the control API of a sandbox that is bound to `boundHost`. */
export function controlAccess(
  boundHost: string,
  { control, adminToken }: Pick<ServerSettings, "control" | "adminToken">,
): ControlAccess {
  if (control === "off") return "off";
  if (control === "open") return "anybody";
  if (adminToken !== null) return "token";
  return isLoopback(boundHost) ? "anybody" : "closed";
}

/**
 * Matches IP literals, names without a dot such as container names, and the empty name: no page of another site has
 * these.
 */
const isLocalName = /^(?:[^.]*|\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\])$/i;

const nameOf = (host: string): string => host.replace(/:\d+$/, "").toLowerCase();

/** Removes the final dot of a fully qualified name. */
const withoutFinalDot = (name: string): string => name.replace(/\.$/, "");

export class Guard {
  readonly #hosts: ReadonlySet<string>;
  /** The last host that was accepted, cached because nearly all requests name it. */
  #lastHost: string | null = null;
  /** Cookie of signed-in browsers. Null if there is no token to sign in with. */
  readonly #cookie: SignInCookie | null;

  constructor(
    readonly settings: ServerSettings,
    /** The address that the server is bound to. */
    public boundHost: string,
  ) {
    const { adminToken, allowHosts, publicUrl } = settings;
    const names = [...allowHosts, ...(publicUrl ? [new URL(publicUrl).hostname] : [])];
    this.#hosts = new Set(names.map((name) => name.toLowerCase()));
    this.#cookie = adminToken === null ? null : new SignInCookie(adminToken);
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

  /**
   * Refuses requests to the control API and the tester's pages from other hosts and sites, and without the admin token
   * where it is required.
   */
  check(context: RequestContext): void {
    this.checkOrigin(context);
    this.#checkAccess(context);
  }

  /** Refuses requests of other hosts and of pages of other sites, and all requests if the control API is off. */
  checkOrigin({ host, request: { headers } }: RequestContext): void {
    const { origin } = headers;
    if (!this.#knowsHost(host)) {
      refuse("forbidden_origin", {
        param: "Host",
        message: `The control API does not answer to the host ${JSON.stringify(host)}; start with --allow-host ${nameOf(host) || "NAME"} to allow it.`,
      });
    }
    if (origin !== undefined && !this.allows(origin) && !this.#isOwn(origin, host)) {
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
    if (this.access === "off") refuse("control_off");
  }

  /** Who may use the control API. */
  get access(): ControlAccess {
    return controlAccess(this.boundHost, this.settings);
  }

  /** Returns the header Set-Cookie for the browser of a person who knows the admin token, or null if it is wrong. */
  cookieFor(context: RequestContext, token: string): string | null {
    return this.#cookie && this.#isAdminToken(token) ? this.#cookie.formatFor(context) : null;
  }

  /** Returns whether pages of this origin may read replies. */
  allows(origin: string): boolean {
    const { allowOrigins } = this.settings;
    return allowOrigins.includes("*") || allowOrigins.includes(origin);
  }

  #knowsHost(host: string): boolean {
    const name = nameOf(host);
    if (isLoopback(name) || this.#hosts.has(withoutFinalDot(name))) return true;
    return !isLoopback(this.boundHost) && name !== "" && (name === this.boundHost || isLocalName.test(name));
  }

  #isOwn(origin: string, host: string): boolean {
    const { publicUrl } = this.settings;
    if (!URL.canParse(origin)) return false;
    return (
      new URL(origin).host === host.toLowerCase() ||
      (publicUrl !== null && new URL(publicUrl).origin === origin)
    );
  }

  #isAdminToken(given: string): boolean {
    const { adminToken } = this.settings;
    return adminToken !== null && isSameText(given, adminToken);
  }

  #checkAccess(context: RequestContext): void {
    const { access } = this;
    if (access === "anybody") return;
    const given = context.header("x-sandbox-admin");
    // Prometheus and load balancers send tokens in Authorization.
    const bearer = /^Bearer (.+)$/i.exec(context.header("authorization") ?? "")?.[1];
    if (given !== undefined ? this.#isAdminToken(given) : this.#cookie?.isIn(context)) return;
    if (given === undefined && bearer !== undefined && this.#isAdminToken(bearer)) return;
    const message =
      access === "token"
        ? "The control API needs the header X-Sandbox-Admin with the token of --admin-token."
        : "The sandbox is bound to a non-loopback address without --admin-token, so the control API is closed; start it with a token, or with --control open.";
    refuse("admin_token_required", { param: "X-Sandbox-Admin", message });
  }
}

/** Compares two texts in a time that does not depend on where they differ. */
export function isSameText(a: string, b: string): boolean {
  const [first, second] = [Buffer.from(a), Buffer.from(b)];
  return first.length === second.length && timingSafeEqual(first, second);
}

/** The cookie of browsers that have signed in with the admin token. */
class SignInCookie {
  /**
   * Name of the cookie. It depends on the token, because all ports of a host name share cookies, and other sandboxes
   * may run there.
   */
  readonly #name: string;
  readonly #value: string;

  constructor(adminToken: string) {
    this.#value = createHmac("sha256", adminToken).update("standin sign-in").digest("base64url");
    this.#name = `standin_${this.#value.slice(0, 8)}`;
  }

  /** Returns whether the request has the cookie. */
  isIn(context: RequestContext): boolean {
    const cookies = context.header("cookie")?.split(/;\s*/) ?? [];
    const given = cookies.find((cookie) => cookie.startsWith(`${this.#name}=`));
    return given !== undefined && isSameText(given, `${this.#name}=${this.#value}`);
  }

  /** Returns the header Set-Cookie. The cookie lasts until the browser is closed. */
  formatFor({ basePath, baseUrl }: RequestContext): string {
    const secure = baseUrl.startsWith("https:") ? "; Secure" : "";
    return `${this.#name}=${this.#value}; Path=${basePath}/; HttpOnly; SameSite=Lax${secure}`;
  }
}
