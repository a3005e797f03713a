/** Webhooks that must be absorbed: early, late, twice, forged or in another order. */
import { eventKinds } from "../../contract/events.js";
import type { Observation } from "../observation.js";
import type { Perturbation } from "../perturbation.js";
import { type Disturbance, disturb, ruleOf, type Used } from "./disturbance.js";

const anyOrder = "Treat reply and webhook as two sources of the same truth, whichever comes first.";
const once = "Remember the id of each event, and handle it once.";

const single: readonly Disturbance[] = [
  {
    name: "twice",
    title: (event) => `The webhook ${event} arrives twice.`,
    right: once,
    webhook: { duplicate: 1 },
  },
  {
    name: "late",
    title: (event) => `The webhook ${event} arrives a second late, after the client's next reads.`,
    right: "Wait for the webhook as long as it may take, or read the state.",
    webhook: { delay: "1s" },
  },
  {
    name: "forged-first",
    title: (event) => `The webhook ${event} arrives with a wrong signature first, and then as it should.`,
    right: "Refuse what is not signed with the secret, and handle the genuine delivery that follows.",
    webhook: { tamper: "signature" },
  },
];

/** Of events that another event always follows. */
const outOfOrder: Disturbance = {
  name: "out-of-order",
  title: (event) => `The webhook ${event} arrives after the event that follows it.`,
  right: "Let a state only move forward, whatever the order of its events.",
  webhook: { reorder: true },
};

const lateAndTwice: Disturbance = {
  name: "late-and-twice",
  title: (event) => `The webhook ${event} arrives a second late, and twice.`,
  right: once,
  webhook: { delay: "1s", duplicate: 1 },
};

const beforeReply: Disturbance = {
  name: "webhook-first",
  title: (operation) => `The webhook of ${operation} arrives before its reply.`,
  right: anyOrder,
  fault: { reply_after: "webhook" },
};

const twiceBeforeReply: Disturbance = {
  ...beforeReply,
  name: "webhooks-first",
  title: (operation) => `The webhook of ${operation} arrives twice before its reply.`,
};

/** Plans the orders of webhooks. Those that combine others come last: they show nothing new once a part is a finding. */
export function planWebhooks(used: readonly Used[], { events, followed }: Observation): Perturbation[] {
  const sent = eventKinds.filter((event) => events.has(event));
  const emitters = used.flatMap(({ operation: { id, emits = [] } }) => {
    const own = sent.filter((event) => emits.includes(event));
    return own.length === 0 ? [] : [{ id, own }];
  });
  return [
    ...emitters.map(({ id }) => disturb("absorbed", id, beforeReply)),
    ...sent.flatMap((event) =>
      [...single, ...(followed.has(event) ? [outOfOrder] : [])].map((one) => disturb("absorbed", event, one)),
    ),
    ...emitters.map(({ id, own }) =>
      disturb("absorbed", id, twiceBeforeReply, [
        ruleOf(id, beforeReply),
        ...own.map((event) => ruleOf(event, { webhook: { duplicate: 1 } })),
      ]),
    ),
    ...sent.map((event) => disturb("absorbed", event, lateAndTwice)),
  ];
}
