/** Free calls of the number lookups: so many a month of the account's clock, renewed on the first. */
import type { AccountContext } from "../account-context.js";

export class FreeTier {
  constructor(readonly account: AccountContext) {}

  /** Calls that are left this month. */
  get left(): number {
    const { free_tier, free_tier_remaining, free_tier_month } = this.account.settings;
    return free_tier_month === this.#month ? free_tier_remaining : free_tier;
  }

  /** Inside a commit. */
  set left(calls: number) {
    const { account } = this;
    account.settings = {
      ...account.settings,
      free_tier_remaining: calls,
      free_tier_month: this.#month,
    };
  }

  /** Inside a commit: uses one up; false when none is left. */
  take(): boolean {
    const { left } = this;
    if (left === 0) return false;
    this.left = left - 1;
    return true;
  }

  get #month(): string {
    return this.account.clock.iso().slice(0, 7);
  }
}
