/** The double-entry ledger of the business money: what each record has moved between which accounts. */
import * as Type from "typebox";
import { naira, Timestamp } from "../contract/schemas.js";
import type { LedgerEntry } from "../world/money/ledger.js";
import { type Kobo, toNaira } from "../world/money/money.js";
import { operation } from "./operation.js";

const Amounts = Type.Record(Type.String(), naira());

const toAmounts = (kobo: Readonly<Partial<Record<string, Kobo>>>): Record<string, number> =>
  Object.fromEntries(Object.entries(kobo).map(([name, amount]) => [name, toNaira(amount ?? 0)]));

export const getLedger = operation({
  id: "getLedger",
  route: "GET /_sandbox/ledger",
  summary: "Get the balances of the business money and its ledger entries, newest first",
  description: "The amounts of an entry add up to zero, and so do all balances.",
  auth: "control",
  query: Type.Object({
    record: Type.Optional(Type.String({ description: "Id of a record: only its entries are listed" })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, description: "Default: all" })),
  }),
  reply: {
    200: Type.Object({
      balances: Amounts,
      items: Type.Array(
        Type.Object({
          at: Timestamp,
          record: Type.String({ description: "Id of the record whose move posted the entry" }),
          amounts: Amounts,
        }),
      ),
    }),
  },

  handle({ account, query: { record, limit = Number.POSITIVE_INFINITY } }) {
    const entries: LedgerEntry[] = [];
    for (const entry of account.ledger.newest(record)) {
      if (entries.length === limit) break;
      entries.push(entry);
    }
    return {
      balances: toAmounts(account.ledger.balances()),
      items: entries.map(({ at, about, legs }) => ({ at, record: about, amounts: toAmounts(legs) })),
    };
  },
});
