import { isObject } from "../../../contract/json.js";
import type { ConductRule } from "../rule.js";
import type { ClientCall } from "../traffic.js";

/** Yields the payments that a reply shows, with their statuses. */
function* paymentsIn({ reply }: ClientCall): Generator<[id: string, status: string]> {
  const { payments, payment_id: id, status } = reply;
  if (typeof id === "string" && typeof status === "string") yield [id, status];
  for (const one of Array.isArray(payments) ? payments : [])
    if (isObject(one) && typeof one.id === "string" && typeof one.status === "string")
      yield [one.id, one.status];
}

export const heldAsPaid: ConductRule = {
  id: "held-as-paid",
  title: "A payment is treated as paid while it is held",
  reason: "Held money is not yours yet: it may go back to the customer.",
  right:
    "Deliver, refund and pay out only what has the status success, and wait for payment.issue_resolved otherwise.",
  judge({ calls, deliveries }) {
    const seen = new Map<string, string>();
    // A webhook may have told the client of the release, which its requests do not show.
    const isTold = deliveries.some(({ event }) => event === "payment.issue_resolved");
    return calls.flatMap((call) => {
      const { payment_id: id } = call.body;
      const acts = call.operation === "createRefund" && typeof id === "string" && seen.get(id) === "held";
      for (const [payment, status] of paymentsIn(call)) seen.set(payment, status);
      if (!acts || isTold) return [];
      const happened = `The payment ${id} was refunded while the last reply had shown it as held.`;
      return [{ about: call.operation, happened, evidence: [call.id] }];
    });
  },
};
