/** Checks of genuine deliveries, and of deliveries that are repeated. */
import { type EventKind, eventKinds, events } from "../service/webhooks/events.js";
import {
  accepted,
  type CheckGroup,
  isAccepted,
  pass,
  type ReceiverCheck,
  type TestDeliveries,
  unexpected,
} from "./check.js";

const everyKind: readonly ReceiverCheck[] = eventKinds.map((kind) => ({
  id: `event/${kind}`,
  title: `${kind}: ${events[kind].description}`,
  sends: "valid signature",
  ...accepted("a 2xx; any other status makes the service retry"),
  send: async (receiver, deliveries) => [await receiver.send(deliveries.of(kind))],
}));

const reason = "Adébáyọ̀ wants ₦5,000 back – “too small” 👟 1/2";
const largePayloadKb = 100;

const reversed = (value: object): object =>
  Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, inner]) => [name, typeof inner === "object" && inner !== null ? reversed(inner) : inner]),
  );

const spaced = (payload: object): string =>
  `${JSON.stringify(reversed(payload), null, "\t").replaceAll('": ', '"  :   ')}\n`;

const escaped = (text: string): string =>
  text
    .replaceAll("/", "\\/")
    .replaceAll(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

const ofBytes = (
  name: string,
  title: string,
  sends: string,
  body: (deliveries: TestDeliveries) => string,
  right = "a 2xx, with the HMAC computed over the raw bytes of the body before it is parsed",
): ReceiverCheck => ({
  id: `bytes/${name}`,
  title,
  sends,
  ...accepted(right),
  send: async (receiver, deliveries) => [await receiver.send(deliveries.genuine(body(deliveries)))],
});

export const genuineDeliveryGroups: readonly CheckGroup[] = [
  { name: "event", heading: "Every kind of event", checks: everyKind },
  {
    name: "bytes",
    heading: "Signatures over raw bytes",
    checks: [
      ofBytes("non-ascii", "Non-ASCII text is checked as UTF-8", "non-ASCII letters", (deliveries) =>
        JSON.stringify(deliveries.payload("refund.requested", { reason })),
      ),
      ofBytes("escaped", "Escapes in the JSON are left unchanged", "the same, as \\u escapes", (deliveries) =>
        escaped(JSON.stringify(deliveries.payload("refund.requested", { reason }))),
      ),
      ofBytes(
        "spacing",
        "Whitespace and key order are left unchanged",
        "unusual whitespace and key order",
        (deliveries) => spaced(deliveries.payload("refund.requested")),
      ),
      ofBytes(
        "large",
        `A payload of ${largePayloadKb} KB is accepted`,
        `a reason of ${largePayloadKb} KB`,
        (deliveries) =>
          JSON.stringify(
            deliveries.payload("refund.requested", { reason: "x".repeat(largePayloadKb * 1024) }),
          ),
        "a 2xx: the interface sets no size limit, so accept payloads of this size",
      ),
    ],
  },
];

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
      // An answer of 5xx tests more of the receiver than an interruption by this check does.
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
