/** Checks of deliveries: genuine and repeated ones are accepted, and forged ones are refused. */
import { type EventKind, eventKinds, events } from "../service/webhooks/events.js";
import { sign } from "../world/webhooks/delivery.js";
import {
  accepted,
  type CheckGroup,
  isAccepted,
  pass,
  type ReceiverCheck,
  refused,
  type TestDeliveries,
  unexpected,
} from "./check.js";
import type { TestDelivery } from "./receiver-connection.js";

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

const lowercaseHexOnly = "a 4xx such as 401: the header holds lowercase hex and nothing else";

/** Comparing decoded hex is safe: a sender that knows the uppercase digits knows the signature. */
const upperCaseAccepted = {
  verdict: "advice",
  remark:
    ": it accepted the valid signature in uppercase, which is safe, although the service never sends it",
} as const;

const forged = (
  name: string,
  title: string,
  sends: string,
  forge: (deliveries: TestDeliveries) => TestDelivery,
  right = "a 4xx such as 401",
  ifAccepted?: Parameters<typeof refused>[1],
): ReceiverCheck => ({
  id: `forged/${name}`,
  title,
  sends,
  ...refused(right, ifAccepted),
  send: async (receiver, deliveries) => [await receiver.send(forge(deliveries))],
});

const changeLastDigit = (hex: string): string => hex.slice(0, -1) + (hex.endsWith("0") ? "1" : "0");

const withChangedByte = (deliveries: TestDeliveries): TestDelivery => {
  const { body, signature } = deliveries.of("payout.paid", { amount: 7000 });
  return { body: body.replace('"amount":7000', '"amount":9000'), signature, genuine: false };
};

/** Returns a delivery whose signature is in uppercase. Tries until the signature contains a letter, which uppercase can change. */
const inUpperCase = (deliveries: TestDeliveries): TestDelivery => {
  const delivery = deliveries.forged(({ right }) => right.toUpperCase());
  return /[A-F]/.test(delivery.signature ?? "") ? delivery : inUpperCase(deliveries);
};

/**
 * Forged deliveries. The signature header holds the lowercase hex HMAC of the raw body, and a mismatch is rejected
 * (interface: "Signature"). Whitespace around it is not checked, since HTTP strips it.
 */
export const forgedDeliveryGroup: CheckGroup = {
  name: "forged",
  heading: "Forged deliveries",
  checks: [
    forged("wrong", "A wrong signature is refused", "last digit changed", (deliveries) =>
      deliveries.forged(({ right }) => changeLastDigit(right)),
    ),
    forged("missing", "A delivery without a signature is refused", "no signature header", (deliveries) =>
      deliveries.forged(() => null),
    ),
    forged("empty", "An empty signature is refused", "empty signature header", (deliveries) =>
      deliveries.forged(() => ""),
    ),
    forged(
      "other-secret",
      "A signature by another secret is refused",
      "signed by another secret",
      (deliveries) => deliveries.forged(({ body }) => sign(body, deliveries.otherSecret)),
    ),
    forged(
      "other-body",
      "A valid signature of another delivery is refused",
      "signature of another body",
      (deliveries) => deliveries.forged(() => deliveries.of("payout.paid").signature),
    ),
    forged("changed-byte", "A changed body is refused", "one byte of the body changed", withChangedByte),
    forged(
      "uppercase",
      "Uppercase hex is refused",
      "valid, in uppercase",
      inUpperCase,
      lowercaseHexOnly,
      upperCaseAccepted,
    ),
    forged(
      "truncated",
      "The first half of a signature is refused",
      "the first 32 digits",
      (deliveries) => deliveries.forged(({ right }) => right.slice(0, 32)),
      lowercaseHexOnly,
    ),
    forged(
      "longer",
      "A signature with extra digits is refused",
      "valid, followed by 00",
      (deliveries) => deliveries.forged(({ right }) => `${right}00`),
      lowercaseHexOnly,
    ),
    forged(
      "prefixed",
      "A signature with a prefix is refused",
      "valid, prefixed with sha256=",
      (deliveries) => deliveries.forged(({ right }) => `sha256=${right}`),
      lowercaseHexOnly,
    ),
    forged("not-ascii", "A signature that is not ASCII is refused", "é repeated 64 times", (deliveries) =>
      deliveries.forged(() => "é".repeat(64)),
    ),
    forged("empty-body", "An empty body with a wrong signature is refused", "empty body", (deliveries) => ({
      body: "",
      signature: sign("", deliveries.otherSecret),
      genuine: false,
    })),
  ],
};
