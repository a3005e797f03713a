/** Monthly allowance of free number lookups, renewed on the first of each month of the account's clock. */
import type { AccountContext } from "../records/account-context.js";

export class FreeTier {
  constructor(readonly account: AccountContext) {}

  /** Returns the number of free calls left this month. */
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

  /** Inside a commit: uses one free call. Returns false if none is left. */
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
