/** Who calls: an API key, a dashboard session token, or the control API's caller. Sections "Authentication" and 4. */
import { refuse } from "../contract/errors.js";
import type { Account } from "../world/account.js";
import { accountId, type World } from "../world/world.js";
import type { Exchange } from "./exchange.js";
import type { SessionTokens } from "./session-tokens.js";
import { type Settings, testKey } from "./settings.js";

const keyForm = /^[\x21-\x7e]{8,128}$/;
const liveForm = /(?:^|[_-])live(?:[_-]|$)/;
const refusedForm = /_(?:invalid|revoked)$/;
const cachedKeys = 10_000;

export const isLiveKey = (key: string): boolean => liveForm.test(key);

/** A key that opens an account. */
export const isKey = (key: string): boolean => keyForm.test(key) && !refusedForm.test(key);

export class Authenticator {
  /** Ids of keys seen lately, so that a key is hashed once and not at every request. */
  readonly #ids = new Map<string, string>();
  readonly #configured: ReadonlySet<string>;

  constructor(
    readonly world: World,
    readonly settings: Settings,
    readonly tokens: SessionTokens,
  ) {
    this.#configured = new Set(settings.keys.map(accountId));
  }

  /** The account of a service call by key; the synchronous way is the usual one. */
  byKey(exchange: Exchange): Account | Promise<Account> {
    const key = exchange.header("x-service-key");
    if (key === undefined || key === "") {
      return refuse("missing_api_key", {
        param: "X-Service-Key",
        message: `The header X-Service-Key is missing; any key will do, such as ${testKey}.`,
      });
    }
    return this.#open(key);
  }

  async bySession(exchange: Exchange): Promise<Account> {
    const header = exchange.header("authorization") ?? "";
    const token = /^Bearer ([\w.~+/-]+=*)$/i.exec(header)?.[1];
    if (!token) {
      refuse("invalid_session_token", {
        param: "Authorization",
        message:
          "The header must be Authorization: Bearer <session token>; POST /_sandbox/session-token gives one.",
      });
    }
    return this.tokens.verify(token as string);
  }

  /** The control API works on the key's account, or on the default one when there is no key. */
  byOptionalKey(exchange: Exchange): Account | Promise<Account> {
    return this.#open(exchange.header("x-service-key") || testKey, false);
  }

  #open(key: string, checkRegistered = this.settings.registeredKeysOnly): Account | Promise<Account> {
    let id = this.#ids.get(key);
    if (id === undefined) {
      if (!keyForm.test(key)) invalidKey("An API key has 8 to 128 visible ASCII characters.");
      if (refusedForm.test(key))
        invalidKey("Keys that end in _invalid or _revoked are refused, so that you can test it.");
      id = accountId(key);
      if (this.#ids.size >= cachedKeys) this.#ids.clear();
      this.#ids.set(key, id);
    }
    const account = this.world.open(id, isLiveKey(key));
    if (!checkRegistered) return account;
    return account instanceof Promise
      ? account.then((opened) => this.#registered(opened))
      : this.#registered(account);
  }

  #registered(account: Account): Account {
    if (account.registered || this.#configured.has(account.id)) return account;
    return invalidKey(
      "This sandbox takes registered keys only; register one with POST /_sandbox/keys or in the config.",
    );
  }
}

const invalidKey = (message: string): never => refuse("invalid_api_key", { param: "X-Service-Key", message });
