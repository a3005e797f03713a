/** The balances of the business money over time, from the ledger. */
import type { ActivityEntry } from "../../../../client/account/types.js";
import type { CallReply } from "../../../../client/control-call.js";

export type LedgerView = CallReply<"getLedger">;
type Amounts = LedgerView["items"][number]["amounts"];

/** Balances that are shown, with the ledger accounts that each adds up. */
export const balanceNames = {
  balance: ["pending", "available"],
  available: ["available"],
  pending: ["pending"],
  held: ["held"],
} as const;
export type BalanceName = keyof typeof balanceNames;
export type Balances = Readonly<Record<BalanceName, number>>;

/** An entry of the ledger with the balances after it. */
export interface Posting {
  /** Its number from 1, the oldest first, as text. */
  readonly id: string;
  readonly at: string;
  /** Id of the record that posted it. */
  readonly record: string;
  /** Who paid or is paid, and what happened, in a sentence. */
  readonly what: string;
  readonly amounts: Amounts;
  readonly after: Balances;
}

const kobo = (naira: number): number => Math.round(naira * 100);

const balancesOf = (of: Amounts): Balances => {
  const sum = (names: readonly string[]) =>
    names.reduce((total, name) => total + kobo(of[name] ?? 0), 0) / 100;
  return {
    balance: sum(balanceNames.balance),
    available: sum(balanceNames.available),
    pending: sum(balanceNames.pending),
    held: sum(balanceNames.held),
  };
};

/**
 * Returns the entries with the balances after each of them, newest first. `moves`: the changes of state, newest first, whose
 * sentences say what an entry is for. A record that moved several times at one time has as many entries as its newest moves.
 */
export function toPostings(
  { balances, items }: LedgerView,
  moves: readonly Pick<ActivityEntry, "at" | "title" | "refs">[],
): Posting[] {
  const sentences = new Map<string, string[]>();
  for (const { at, title, refs } of moves) {
    const key = `${refs.record} ${at}`;
    sentences.set(key, [...(sentences.get(key) ?? []), title]);
  }
  const now: Record<string, number> = { ...balances };
  return items.map(({ at, record, amounts }, index) => {
    const after = balancesOf(now);
    for (const [name, amount] of Object.entries(amounts))
      now[name] = (kobo(now[name] ?? 0) - kobo(amount)) / 100;
    const what = sentences.get(`${record} ${at}`)?.shift() ?? record;
    return { id: String(items.length - index), at, record, what, amounts, after };
  });
}
