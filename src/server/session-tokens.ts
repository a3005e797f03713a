/** Issues and verifies dashboard session tokens: HS256 JWTs that name an account and expire by its clock. */

import { createHash } from "node:crypto";
import { controlRoutes } from "../contract/control-routes.js";
import { refuse } from "../contract/errors.js";
import { randomHex } from "../time/random.js";
import { hour, second, toIso } from "../time/time.js";
import type { Account } from "../world/account/account.js";
import { isAccountId } from "../world/account/account-id.js";
import type { World } from "../world/world.js";

const issuer = "standin";
const audience = "dashboard";
const alg = "HS256";
const tokenLifetimeMs = hour;

export class SessionTokens {
  readonly #secret: Uint8Array;

  constructor(
    readonly world: World,
    /** Seed chosen by the tester. The default seed is public, so the secret is random if none was chosen. */
    seed: string = randomHex(32),
  ) {
    this.#secret = createHash("sha256").update(`session token\0${seed}`).digest();
  }

  async issue(account: Account): Promise<{ token: string; expires_at: string }> {
    const { SignJWT } = await import("jose");
    const now = account.clock.now();
    const issued = Math.floor(now / second);
    const expires = issued + tokenLifetimeMs / second;
    const token = await new SignJWT({ mode: account.live ? "live" : "test" })
      .setProtectedHeader({ alg, typ: "JWT" })
      .setIssuer(issuer)
      .setSubject(account.id)
      .setAudience(audience)
      .setIssuedAt(issued)
      .setExpirationTime(expires)
      .sign(this.#secret);
    return { token, expires_at: toIso(expires * second) };
  }

  /** Returns the account that a token names, or refuses the token with the reason. */
  async verify(token: string): Promise<Account> {
    const { compactVerify, decodeJwt, errors, jwtVerify } = await import("jose");
    const algorithms = [alg];
    try {
      // The signature comes first; expiry depends on the clock of the account that the token names.
      await compactVerify(token, this.#secret, { algorithms });
      const { sub, mode } = decodeJwt(token);
      if (typeof sub !== "string" || !isAccountId(sub)) return invalid("it names no account");
      const account = await this.world.open(sub, mode === "live");
      const currentDate = account.clock.date();
      await jwtVerify(token, this.#secret, { issuer, audience, algorithms, currentDate });
      return account;
    } catch (error) {
      if (error instanceof errors.JWTExpired) {
        return refuse("expired_session_token", {
          param: "Authorization",
          message: `The session token has expired; ${controlRoutes.createSessionToken} issues a new one.`,
        });
      }
      if (error instanceof errors.JOSEError) return invalid(error.message);
      throw error;
    }
  }
}

const invalid = (why: string): never =>
  refuse("invalid_session_token", {
    param: "Authorization",
    message: `The session token is not valid: ${why}.`,
  });
