/** The cookie of browsers that have signed in with the admin token. */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { RequestContext } from "./request-context.js";

/** Compares two texts in a time that does not depend on where they differ. */
export function isSameText(a: string, b: string): boolean {
  const [first, second] = [Buffer.from(a), Buffer.from(b)];
  return first.length === second.length && timingSafeEqual(first, second);
}

export class SignInCookie {
  /** Differs by token: cookies are shared by all ports of a host name, where other sandboxes may run. */
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
