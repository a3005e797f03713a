/** Limits that the operator of a sandbox may set. By default, nothing is limited. */
import { controlRoutes } from "../contract/control-routes.js";
import { refuse } from "../contract/errors.js";
import { realNow, second } from "../time/time.js";
import type { Account } from "../world/account/account.js";
import type { World } from "../world/world.js";
import type { ServerSettings } from "./settings.js";

type Limits = Pick<ServerSettings, "maxAccounts" | "maxRecords" | "maxRequestsPerSecond">;

/** Number of requests that a key may still send, as of a time in ms. */
interface Allowance {
  requests: number;
  at: number;
}

/** Maximum number of keys whose allowances are remembered. */
const maxAllowances = 10_000;

export class Quotas {
  readonly #allowances = new Map<string, Allowance>();

  constructor(
    readonly world: World,
    readonly limits: Limits,
  ) {}

  /** Refuses a request of a key that has sent more than its share of the last second. */
  takeRequest(accountId: string): void {
    const { maxRequestsPerSecond: rate } = this.limits;
    if (rate === null) return;
    const now = realNow();
    const { requests, at } = this.#allowances.get(accountId) ?? { requests: rate, at: now };
    const available = Math.min(rate, requests + (Math.max(0, now - at) * rate) / second);
    if (available < 1)
      refuse("rate_limited", {
        message: `This sandbox limits the requests per second of each key (--max-requests-per-second ${rate}).`,
        headers: { "Retry-After": "1" },
      });
    if (this.#allowances.size >= maxAllowances) this.#allowances.clear();
    this.#allowances.set(accountId, { requests: available - 1, at: now });
  }

  /** Refuses a new account if the maximum number of accounts is reached. */
  async admit(account: Account): Promise<Account> {
    const { maxAccounts } = this.limits;
    if (maxAccounts === null || account.isUsed) return account;
    if (await this.world.admit(account, maxAccounts)) return account;
    return refuse("invalid_api_key", {
      param: "X-Service-Key",
      message: `This sandbox has as many accounts as it may have (--max-accounts ${maxAccounts}); further keys have to be registered with ${controlRoutes.registerKey}.`,
    });
  }

  /** Inside a commit: refuses the request if the account has grown from `before` records beyond the limit. */
  checkRecords({ state }: Account, before: number): void {
    const { maxRecords } = this.limits;
    const { recordCount } = state;
    if (maxRecords === null || recordCount <= maxRecords || recordCount <= before) return;
    refuse("storage_unavailable", {
      message: `The account has ${before} records, and this sandbox stores at most ${maxRecords} (--max-records). ${controlRoutes.resetAccount} empties it.`,
    });
  }
}

/** Returns the quotas, or null if the settings limit nothing. */
export function quotasOf(world: World, limits: Limits): Quotas | null {
  const { maxAccounts, maxRecords, maxRequestsPerSecond } = limits;
  const isLimited = [maxAccounts, maxRecords, maxRequestsPerSecond].some((limit) => limit !== null);
  return isLimited ? new Quotas(world, limits) : null;
}
