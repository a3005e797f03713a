/** Deliveries may come twice, in another order than the events happened, and once more after a failure. */
import type { EventKind } from "../contract/events.js";
import type { Check, CheckGroup } from "./check.js";
import { accepted, instead, isSuccess, pass } from "./judgements.js";

const outOfOrder = (name: string, later: EventKind, earlier: EventKind, prefix: string): Check => ({
  id: `again/${name}`,
  title: `${later} before ${earlier} is taken`,
  sends: `${later}, then ${earlier}`,
  ...accepted("a 2xx to both: deliveries keep no order"),
  async send(wire, posts) {
    const id = posts.random.id(prefix);
    return [await wire.post(posts.of(later, { id })), await wire.post(posts.of(earlier, { id }))];
  },
});

const afterFailure = "a 2xx to the same bytes after a failure";

export const againGroup: CheckGroup = {
  name: "again",
  heading: "Twice, out of order, and after a failure",
  checks: [
    {
      id: "again/duplicate",
      title: "The same delivery twice is taken twice",
      sends: "payout.paid, twice",
      ...accepted("a 2xx to both: the second is no news, and no error"),
      async send(wire, posts) {
        const post = posts.of("payout.paid");
        return [await wire.post(post), await wire.post(post)];
      },
    },
    outOfOrder("payout-order", "payout.paid", "payout.requested", "po_"),
    outOfOrder("refund-order", "refund.processed", "refund.requested", "rf_"),
    {
      id: "again/retry",
      title: "A retry is taken",
      sends: "what failed, or was broken off, again",
      right: afterFailure,
      // A failure of its own tells more than one of ours: without one, we hang up before it can answer.
      async send(wire, posts) {
        const failed = wire.log.find(({ post, status }) => post.genuine && status !== null && status >= 500);
        if (failed) return [failed, await wire.post(failed.post)];
        const post = posts.of("payment.received");
        await wire.hangUp(post);
        return [await wire.post(post)];
      },
      judge: (exchanges) =>
        exchanges.slice(-1).every(isSuccess) ? pass(exchanges) : instead("fail", exchanges, afterFailure),
    },
  ],
};
