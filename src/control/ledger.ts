/** The double-entry ledger of the business money: what each record has moved between which accounts. */

import * as Type from "typebox";
import { controlRoutes } from "../contract/control-routes.js";
import { naira, Timestamp } from "../contract/schemas.js";
import { collect } from "../time/turns.js";
import type { Account } from "../world/account/account.js";
import { type Kobo, toNaira } from "../world/money/money.js";
import { operation } from "./operation.js";

const Amounts = Type.Record(Type.String(), naira());

const toAmounts = (kobo: Readonly<Partial<Record<string, Kobo>>>): Record<string, number> =>
  Object.fromEntries(Object.entries(kobo).map(([name, amount]) => [name, toNaira(amount ?? 0)]));

function* newestEntries({ ledger }: Account, record: string | undefined, limit: number) {
  let count = 0;
  for (const { at, about, legs } of ledger.newest(record)) {
    if (count++ === limit) return;
    yield { at, record: about, amounts: toAmounts(legs) };
  }
}

export const getLedger = operation({
  id: "getLedger",
  route: controlRoutes.getLedger,
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

  async handle({ account, query: { record, limit = Number.POSITIVE_INFINITY } }) {
    // Read before the entries, which are those of this moment too, as they are listed over several turns.
    const balances = toAmounts(account.ledger.balances());
    return { balances, items: await collect(newestEntries(account, record, limit)) };
  },
});
