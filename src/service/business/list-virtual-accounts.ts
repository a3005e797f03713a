import * as Type from "typebox";
import { exactly } from "../../contract/schemas.js";
import { collect, inTurns } from "../../time/turns.js";
import type { Account } from "../../world/account/account.js";
import { type Kobo, toNaira } from "../../world/money/money.js";
import { operation } from "../operation.js";
import { payment } from "./machines/payment.js";
import { virtualAccount } from "./machines/virtual-account.js";
import { VirtualAccountInList } from "./schemas.js";

/** Returns the number and gross of successful payments by virtual account id. */
function* receivedByAccount({
  records,
}: Account): Generator<void, ReadonlyMap<string, { payments: number; total: Kobo }>> {
  const totals = new Map<string, { payments: number; total: Kobo }>();
  for (const { state: status, virtual_account_id: id, amount } of records.newest(payment)) {
    yield;
    if (id === null || status !== "success") continue;
    const { payments, total } = totals.get(id) ?? { payments: 0, total: 0 };
    totals.set(id, { payments: payments + 1, total: total + amount });
  }
  return totals;
}

export const listVirtualAccounts = operation({
  id: "listVirtualAccounts",
  route: "GET /v1/business/virtual-accounts",
  summary: "List virtual accounts and their totals received",
  description: "Each account has the number and the total of its successful payments.",
  auth: "key",
  reply: { 200: exactly({ accounts: Type.Array(VirtualAccountInList) }) },
  assumptions: ["lists", "business.virtual_accounts"],

  async prepare({ account }) {
    const totals = await inTurns(receivedByAccount(account));
    return collect(account.records.newest(virtualAccount), (record) => {
      const { payments, total } = totals.get(record.id) ?? { payments: 0, total: 0 };
      return { ...virtualAccount.view(record), payments, total_received: toNaira(total) };
    });
  },

  handle: ({ prepared: accounts }) => ({ accounts }),
});
