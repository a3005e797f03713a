/** What the service sends: every kind of event, and bodies whose bytes a receiver must not touch before it has checked them. */
import { eventKinds, events } from "../contract/events.js";
import type { Check, CheckGroup } from "./check.js";
import { accepted } from "./judgements.js";
import type { Posts } from "./posts.js";

const everyKind: readonly Check[] = eventKinds.map((kind) => ({
  id: `event/${kind}`,
  title: `${kind}: ${events[kind].description}`,
  sends: "right signature",
  ...accepted("a 2xx, without which the delivery is sent again"),
  send: async (wire, posts) => [await wire.post(posts.of(kind))],
}));

const reason = "Adébáyọ̀ wants ₦5,000 back – “too small” 👟 1/2";
const kilobytes = 100;

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
  body: (posts: Posts) => string,
  right = "a 2xx, with the HMAC taken over the raw bytes of the body before anything parses it",
): Check => ({
  id: `bytes/${name}`,
  title,
  sends,
  ...accepted(right),
  send: async (wire, posts) => [await wire.post(posts.genuine(body(posts)))],
});

export const genuineGroups: readonly CheckGroup[] = [
  { name: "event", heading: "Every kind of event", checks: everyKind },
  {
    name: "bytes",
    heading: "The signature is one of raw bytes",
    checks: [
      ofBytes("non-ascii", "Text of all the world is checked as UTF-8", "letters beyond ASCII", (posts) =>
        JSON.stringify(posts.payload("refund.requested", { reason })),
      ),
      ofBytes("escaped", "Escapes in the JSON are left as they came", "the same, as \\u escapes", (posts) =>
        escaped(JSON.stringify(posts.payload("refund.requested", { reason }))),
      ),
      ofBytes(
        "spacing",
        "Spacing and key order are left as they came",
        "odd spacing and key order",
        (posts) => spaced(posts.payload("refund.requested")),
      ),
      ofBytes(
        "large",
        `A payload of ${kilobytes} KB is taken`,
        `a reason of ${kilobytes} KB`,
        (posts) =>
          JSON.stringify(posts.payload("refund.requested", { reason: "x".repeat(kilobytes * 1024) })),
        "a 2xx: the interface sets no limit to a payload, so leave room for one of this size",
      ),
    ],
  },
];
