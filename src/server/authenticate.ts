/** Finds the account of a request by its API key or dashboard session token (interface: "Authentication"). */

import { describeKeyProblem, isLiveKey, misplacedKeys } from "../contract/api-keys.js";
import { controlRoutes } from "../contract/control-routes.js";
import { refuse } from "../contract/errors.js";
import type { Auth } from "../contract/operation.js";
import type { Account } from "../world/account/account.js";
import { accountId } from "../world/account/account-id.js";
import type { World } from "../world/world.js";
import type { Guard } from "./guard.js";
import type { Quotas } from "./quotas.js";
import type { RequestContext } from "./request-context.js";
import type { SessionTokens } from "./session-tokens.js";
import { type ServerSettings, testKey } from "./settings.js";

const keyCacheSize = 10_000;

export class Authenticator {
  /** Account ids by recently used key, so that a key is not hashed again for every request. */
  readonly #ids = new Map<string, string>();
  readonly #configured: ReadonlySet<string>;

  constructor(
    readonly world: World,
    readonly settings: ServerSettings,
    readonly tokens: SessionTokens,
    readonly guard: Guard,
    /** Limits of the operator, or null if there are none. */
    readonly quotas: Quotas | null,
  ) {
    this.#configured = new Set(settings.keys.map(accountId));
  }

  /** Returns the caller's account, or refuses. Returns no promise for an account in memory, unless the operator set limits. */
  accountOf(context: RequestContext, auth: Auth): Account | Promise<Account> {
    if (auth !== "key") return this.#byOther(context, auth);
    const key = this.#keyOf(context);
    const isLimited = this.quotas !== null || this.settings.registeredKeysOnly;
    return isLimited ? this.#byKey(key) : this.#open(key);
  }

  async #byOther(context: RequestContext, auth: Auth): Promise<Account> {
    if (auth === "session") return this.#limited(await this.#bySession(context));
    this.guard.check(context);
    const id = context.header("x-sandbox-account");
    if (id !== undefined) return this.#byId(id);
    // The control API works on the default account when there is no key.
    const key = context.header("x-service-key") || testKey;
    const account = await this.#open(key);
    return key === testKey ? account : this.#admitted(account);
  }

  #keyOf(context: RequestContext): string {
    const key = context.header("x-service-key");
    if (key !== undefined && key !== "") return key;
    const place = placeOfKey(context);
    const any = this.settings.registeredKeysOnly
      ? `send a key that is registered; ${controlRoutes.registerKey} registers one`
      : `any key works, such as ${testKey}`;
    const hint = place === null ? any : `the API key belongs there, not in ${place}`;
    return refuse("missing_api_key", {
      param: "X-Service-Key",
      message: `The header X-Service-Key is missing; ${hint}.`,
    });
  }

  async #byKey(key: string): Promise<Account> {
    const account = await this.#open(key);
    if (!this.settings.registeredKeysOnly || this.#isRegistered(account)) return this.#limited(account);
    this.world.discard(account);
    return invalidKey(
      `This sandbox accepts registered keys only; register one with ${controlRoutes.registerKey} or in the config.`,
    );
  }

  /** Applies the quotas to a request of an account. */
  #limited(account: Account): Account | Promise<Account> {
    this.quotas?.takeRequest(account.id);
    return this.#admitted(account);
  }

  /** Refuses a new account if the maximum number of accounts is reached. */
  #admitted(account: Account): Account | Promise<Account> {
    return this.quotas && !this.#isRegistered(account) ? this.quotas.admit(account) : account;
  }

  /** Finds the account of a control call by its id, which only the dashboard and the tester's tools know. */
  async #byId(id: string): Promise<Account> {
    const account = await this.world.existing(id);
    if (account) return account;
    return refuse("resource_not_found", {
      param: "X-Sandbox-Account",
      message: `There is no account ${JSON.stringify(id.slice(0, 100))}; ${controlRoutes.listAccounts} lists those in use.`,
    });
  }

  async #bySession(context: RequestContext): Promise<Account> {
    const header = context.header("authorization") ?? "";
    const token = /^Bearer ([\w.~+/-]+=*)$/i.exec(header)?.[1];
    if (token !== undefined) return this.tokens.verify(token);
    return refuse("invalid_session_token", {
      param: "Authorization",
      message: `The header must be Authorization: Bearer <session token>; ${controlRoutes.createSessionToken} issues one.`,
    });
  }

  #open(key: string): Account | Promise<Account> {
    let id = this.#ids.get(key);
    if (id === undefined) {
      const problem = describeKeyProblem(key);
      if (problem !== null) invalidKey(problem);
      id = accountId(key);
      if (this.#ids.size >= keyCacheSize) this.#ids.clear();
      this.#ids.set(key, id);
    }
    return this.world.open(id, isLiveKey(key));
  }

  #isRegistered({ id, registered }: Account): boolean {
    return registered || this.#configured.has(id);
  }
}

/** Returns the header or query parameter in which the client seems to have sent its key, or null. */
function placeOfKey({ request, target }: RequestContext): string | null {
  const names = request.rawHeaders.filter((_, index) => index % 2 === 0);
  const header = names.find((name) => misplacedKeys.headers.some((known) => known === name.toLowerCase()));
  if (header !== undefined) return header;
  const query = target.includes("?") ? new URLSearchParams(target.slice(target.indexOf("?"))) : [];
  for (const [name] of query)
    if (misplacedKeys.parameters.some((known) => known === name.toLowerCase())) return `the query (${name})`;
  return null;
}

const invalidKey = (message: string): never => refuse("invalid_api_key", { param: "X-Service-Key", message });
