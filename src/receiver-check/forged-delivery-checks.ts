/**
 * Forged deliveries. The signature header holds the lowercase hex HMAC of the raw body, and a mismatch is rejected
 * (interface: "Signature"). Whitespace around it is not checked, since HTTP strips it.
 */
import { sign } from "../world/webhooks/delivery.js";
import { type CheckGroup, type ReceiverCheck, refused, type TestDeliveries } from "./check.js";
import type { TestDelivery } from "./receiver-connection.js";

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
