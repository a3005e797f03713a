/**
 * Sources from which calls are paid: the free tier of the month, and the play-money wallet (`GET /v1/balance`), which
 * is not the business balance. Amounts in kobo.
 */

import type { Kobo } from "../../contract/money.js";
import type { AccountContext } from "../records/account-context.js";
import { ownRecords, type WalletState } from "../records/account-settings.js";
import { CachedRecord, type State } from "../store/state.js";
import { table } from "../store/table.js";

/** Calls and cost in kobo by type, for one day of the account's clock. */
export type UsageDay = Record<string, { count: number; cost: Kobo }>;

/** Usage by date (YYYY-MM-DD). */
export const usageDays = table<UsageDay>("usage", { internal: true });

export class Wallet {
  readonly #wallet;
  readonly #usage;

  constructor(
    readonly state: State,
    readonly options: {
      today(): string;
      /** Returns whether calls are paid from the wallet; assumption charging.test_keys. */
      isDebited(): boolean;
    },
  ) {
    this.#wallet = new CachedRecord(state, ownRecords);
    this.#usage = new CachedRecord(state, usageDays);
  }

  get balance(): Kobo {
    return (this.#wallet.get("wallet") as WalletState).balance;
  }

  set balance(balance: Kobo) {
    this.#wallet.put("wallet", { balance });
  }

  /** Returns whether a call can be paid. */
  covers(cost: Kobo): boolean {
    return cost === 0 || !this.options.isDebited() || this.balance >= cost;
  }

  /** Charges a call and records it in the usage. Returns false if the balance is too low for a call that is not free. */
  charge(type: string, cost: Kobo): boolean {
    const isCovered = this.covers(cost);
    this.#add(-cost);
    this.#book(this.options.today(), type, 1, cost);
    return isCovered;
  }

  /** Refunds a charge. The call stays in the usage of the day on which it was paid, without its cost. */
  refund(type: string, cost: Kobo): void {
    this.#add(cost);
    this.#book(this.#paidOn(type, cost), type, 0, -cost);
  }

  /** Returns the days from `from` to `to` (YYYY-MM-DD, inclusive) with calls, oldest first; types in order of first call. */
  usageDays(from: string, to: string): [date: string, day: UsageDay][] {
    const dates = [...this.state.ids(usageDays)].filter((date) => date >= from && date <= to).sort();
    return dates.map((date) => [date, this.state.get(usageDays, date) as UsageDay]);
  }

  usage(date: string): Readonly<UsageDay> {
    return this.#usage.get(date) ?? {};
  }

  #add(amount: Kobo): void {
    this.balance += this.options.isDebited() ? amount : 0;
  }

  /** Returns the last day with at least this cost of this type: a refund may happen after midnight. */
  #paidOn(type: string, cost: Kobo): string {
    const today = this.options.today();
    const paid = (date: string): boolean => (this.usage(date)[type]?.cost ?? 0) >= cost;
    return paid(today) ? today : ([...this.state.ids(usageDays)].sort().findLast(paid) ?? today);
  }

  #book(date: string, type: string, count: number, cost: Kobo): void {
    const day = this.usage(date);
    const row = day[type] ?? { count: 0, cost: 0 };
    this.#usage.put(date, { ...day, [type]: { count: row.count + count, cost: row.cost + cost } });
  }
}

/** Monthly allowance of free number lookups, renewed on the first of each month of the account's clock. */
export class FreeTier {
  constructor(readonly account: AccountContext) {}

  /** Returns the number of free calls left this month. */
  get left(): number {
    const { free_tier, free_tier_remaining, free_tier_month } = this.account.settings;
    return free_tier_month === this.#month ? free_tier_remaining : free_tier;
  }

  /** Must be set inside a commit. */
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
