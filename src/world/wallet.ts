/** The play-money wallet that calls are paid from (`GET /v1/balance`); not the business balance. Amounts in kobo. */
import { CachedRecord } from "./cached-record.js";
import type { Kobo } from "./money.js";
import type { State } from "./state.js";

export interface WalletState {
  balance: Kobo;
}

/** Calls and kobo by type, for one day of the account's clock. */
export type UsageDay = Record<string, { count: number; cost: Kobo }>;

export class Wallet {
  readonly #wallet: CachedRecord<WalletState>;
  readonly #usage: CachedRecord<UsageDay>;

  constructor(
    state: State,
    readonly today: () => string,
  ) {
    this.#wallet = new CachedRecord(state, "account");
    this.#usage = new CachedRecord(state, "usage");
  }

  get balance(): Kobo {
    return (this.#wallet.get("wallet") as WalletState).balance;
  }

  set balance(balance: Kobo) {
    this.#wallet.put("wallet", { balance });
  }

  /** Takes the price of a call and books it in the usage; false when the wallet cannot pay. */
  charge(type: string, cost: Kobo): boolean {
    const left = this.balance - cost;
    this.balance = left;
    this.#book(type, 1, cost);
    return left >= 0;
  }

  /** Gives a charge back; the call stays in the usage, without its cost. */
  refund(type: string, cost: Kobo): void {
    this.balance += cost;
    this.#book(type, 0, -cost);
  }

  usage(date: string): Readonly<UsageDay> {
    return this.#usage.get(date) ?? {};
  }

  #book(type: string, count: number, cost: Kobo): void {
    const date = this.today();
    const day = this.usage(date);
    const row = day[type] ?? { count: 0, cost: 0 };
    this.#usage.put(date, { ...day, [type]: { count: row.count + count, cost: row.cost + cost } });
  }
}
