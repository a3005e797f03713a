/**
 * Double-entry ledger of the business money, in kobo: the only source of every balance. An entry's legs add up to zero,
 * and so do all balances. Sources of money are negative; holdings and destinations are positive.
 */

import type { Kobo } from "../../contract/money.js";
import type { AccountContext } from "../records/account-context.js";
import { fixedTable, table } from "../store/table.js";

export const ledgerAccounts = [
  /** Gross amount of payments that are successful, held, or failed after being held. */
  "received",
  "received_held",
  "received_failed",
  /** Money of the merchant: pending settlement, available for payout, held back, or being paid out. */
  "pending",
  "available",
  "held",
  "in_payout",
  /** Fees of the service. */
  "fees",
  /** Money that has left: to customers (refunds and failed held payments) and to the merchant's bank. */
  "refunded",
  "returned",
  "paid_out",
] as const;
export type LedgerAccount = (typeof ledgerAccounts)[number];

/** Amount in kobo that an entry adds to each ledger account. */
export type Legs = Readonly<Partial<Record<LedgerAccount, Kobo>>>;

export interface LedgerEntry {
  at: string;
  /** Id of the record whose move made the entry. */
  about: string;
  legs: Legs;
}

type Balances = Partial<Record<LedgerAccount, Kobo>>;

export const ledgerBalances = fixedTable<{ balances: Balances }>("ledger");
export const ledgerEntries = table<LedgerEntry, "about">("ledger_entries", { index: ["about"] });

export class Ledger {
  constructor(readonly account: AccountContext) {}

  balances(): Balances {
    return this.account.state.get(ledgerBalances, "balances") ?? {};
  }

  balance(of: LedgerAccount): Kobo {
    return this.balances()[of] ?? 0;
  }

  /** Yields entries, newest first. Default: entries of all records. */
  newest(about?: string): Generator<LedgerEntry> {
    return this.account.state.newest(ledgerEntries, { about });
  }

  /** Inside a commit: adds an entry. Throws if its legs do not add up to zero, which rolls the commit back. */
  post(about: string, legs: Legs): void {
    const { state, clock } = this.account;
    const sum = Object.values(legs).reduce((total, kobo) => total + kobo, 0);
    if (sum !== 0) throw new Error(`the legs of ${about} add up to ${sum} kobo: ${JSON.stringify(legs)}`);
    const balances = this.balances();
    for (const [name, kobo] of Object.entries(legs) as [LedgerAccount, Kobo][]) {
      balances[name] = (balances[name] ?? 0) + kobo;
    }
    state.put(ledgerBalances, "balances", balances);
    const entry: LedgerEntry = { at: clock.iso(), about, legs };
    state.put(ledgerEntries, `entry_${state.size(ledgerEntries) + 1}`, entry);
  }
}
