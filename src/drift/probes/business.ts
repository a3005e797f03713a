/** Probes of references that are used twice, and of refunds that the balance cannot pay. */
import { callsToCreateAccount, postVirtualAccount, requestVirtualAccount } from "../records.js";
import { isSuccess, listIn, NotTestable, valueIn } from "../service-client.js";
import { byAnswer, ofReply, type Probes } from "./probe.js";

export const businessProbes = {
  "business.reference_reuse": {
    group: "business",
    calls: callsToCreateAccount + 1,
    async observe(side) {
      const reference = side.reference();
      const first = await requestVirtualAccount(side, reference);
      const second = await postVirtualAccount(side, reference);
      const replies = [first, second];
      if (!isSuccess(first)) return { value: null, replies, note: "no virtual account could be created" };
      if (second.status === 409) return { value: "conflict", replies };
      const isSame = isSuccess(second) && valueIn(second, "id") === valueIn(first, "id");
      return { value: isSame ? "returned" : null, replies };
    },
  },

  /** A refund of a payment that brought more than the whole balance, so that its money has been paid out. */
  "business.refund_balance": ofReply(
    { group: "business", calls: 3 },
    async ({ service }) => {
      const balance = valueIn(await service.call("getBusinessOverview"), "balance");
      const payments = listIn(
        await service.call("listPayments", { query: { status: "success" } }),
        "payments",
      );
      const paidOut = payments.find(({ net }) => Number(net) > Number(balance));
      if (!paidOut)
        throw new NotTestable(
          "needs a payment whose money has been paid out; pay out the balance of the account",
        );
      const body = { payment_id: paidOut.id, reason: "Standin drift" };
      return service.call("createRefund", { body });
    },
    byAnswer({ taken: "negative", refused: "refused" }),
  ),
} satisfies Partial<Probes>;
