/** Deliveries that come twice, in another order than their events, or again after a failure. */
import type { EventKind } from "../service/webhooks/events.js";
import type { CheckGroup, ReceiverCheck } from "./check.js";
import { accepted, isAccepted, pass, unexpected } from "./judgements.js";

const outOfOrder = (name: string, later: EventKind, earlier: EventKind, prefix: string): ReceiverCheck => ({
  id: `again/${name}`,
  title: `${later} before ${earlier} is accepted`,
  sends: `${later}, then ${earlier}`,
  ...accepted("a 2xx to both: deliveries are not ordered"),
  async send(receiver, deliveries) {
    const id = deliveries.random.id(prefix);
    return [
      await receiver.send(deliveries.of(later, { id })),
      await receiver.send(deliveries.of(earlier, { id })),
    ];
  },
});

const afterFailure = "a 2xx to the same bytes after a failure";

export const redeliveryGroup: CheckGroup = {
  name: "again",
  heading: "Duplicates, reordering and retries",
  checks: [
    {
      id: "again/duplicate",
      title: "A duplicate of a delivery is accepted",
      sends: "payout.paid, twice",
      ...accepted("a 2xx to both: a duplicate is not an error"),
      async send(receiver, deliveries) {
        const delivery = deliveries.of("payout.paid");
        return [await receiver.send(delivery), await receiver.send(delivery)];
      },
    },
    outOfOrder("payout-order", "payout.paid", "payout.requested", "po_"),
    outOfOrder("refund-order", "refund.processed", "refund.requested", "rf_"),
    {
      id: "again/retry",
      title: "A retry is accepted",
      sends: "a failed or interrupted delivery, again",
      right: afterFailure,
      // A failure of the receiver's own tests more than an interruption from here.
      async send(receiver, deliveries) {
        const failed = receiver.log.find(
          ({ delivery, status }) => delivery.genuine && status !== null && status >= 500,
        );
        if (failed) return [failed, await receiver.send(failed.delivery)];
        const delivery = deliveries.of("payment.received");
        await receiver.sendAndHangUp(delivery);
        return [await receiver.send(delivery)];
      },
      judge: (exchanges) =>
        exchanges.slice(-1).every(isAccepted) ? pass(exchanges) : unexpected("fail", exchanges, afterFailure),
    },
  ],
};
