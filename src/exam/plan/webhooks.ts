/** Webhooks that must be absorbed: forged, and in every order in which they, their retry, the reply and the next read can meet. */

import { methodOf, pathOf } from "../../contract/operation.js";
import type { WebhookFaults } from "../../rules/faults.js";
import { type EventKind, eventKinds } from "../../service/webhooks/events.js";
import { second } from "../../time/time.js";
import { retryDelays } from "../../world/webhooks/delivery.js";
import { forgeries } from "../conduct/rules.js";
import type { Observation, Shape } from "../observation.js";
import type { Perturbation } from "../perturbation.js";
import { type Disturbance, disturb, manyRefusals, repeating, ruleOf, type Used } from "./disturbance.js";
import { unknownFields } from "./replies.js";

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
    name: "retried",
    title: (event) => `The answer to the webhook ${event} is lost, so that it arrives again a second later.`,
    right: once,
    webhook: { lose_answer: true },
  },
  {
    name: "late",
    title: (event) => `The webhook ${event} arrives a second late, after the client's next reads.`,
    right: "Wait for the webhook as long as it may take, or read the state.",
    webhook: { delay: "1s" },
  },
];

const forged = (
  [
    ["forged-first", "signature"],
    ["unsigned-first", "unsigned"],
    ["short-first", "short"],
    ["changed-first", "body"],
  ] as const
).map(
  ([name, tamper]): Disturbance => ({
    name,
    title: (event) => `The webhook ${event} arrives ${forgeries[tamper]} first, and then as it should.`,
    right: "Refuse what is not signed with the secret, and handle the genuine delivery that follows.",
    webhook: { tamper },
  }),
);

const cutOff: Disturbance = {
  name: "cut-off",
  title: (event) => `The webhook ${event} breaks off in the middle, and arrives again a second later.`,
  right: "Expect that a request to your receiver breaks off, and go on with the next one.",
  webhook: { cut_off: true },
};

/** Objects whose fields the contract leaves open, with values of one type. */
const openMaps = ["data.checks", "data.extracted"];

const inKnownMaps = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).filter(([path]) => !openMaps.some((map) => path.startsWith(`${map}.`))),
  );

const withUnknownFields = (payloads: Shape): Disturbance => ({
  name: "unknown-field",
  title: (event) => `The webhook ${event} has fields that are not in the contract, at each depth.`,
  right: "Read the fields that you need by name, and ignore the others.",
  webhook: { set: inKnownMaps(unknownFields(payloads)) },
  always: true,
});

/** A name as many clients' users have it: letters with two marks, which Latin-1 and ASCII do not have. */
const letters = "Adébáyọ̀ Ọláṣubọ̀mí";

const withLetters = (payloads: Shape): Disturbance => ({
  name: "letters",
  title: (event) => `The webhook ${event} has letters beyond ASCII.`,
  right: "Compute the signature of the bytes of the body as they arrived, before they are decoded.",
  webhook: { set: inKnownMaps(unknownFields(payloads, letters)) },
  always: true,
});

/** Perturbations of events that another event always follows. */
const outOfOrder: Disturbance = {
  name: "out-of-order",
  title: (event) => `The webhook ${event} arrives after the event that follows it.`,
  right: "Let a state only move forward, whatever the order of its events.",
  webhook: { reorder: true },
};

const never: Disturbance = {
  name: "never",
  title: (event) => `The webhook ${event} never arrives.`,
  right: "Give every wait an end, and read the state if no webhook tells it.",
  webhook: { drop: true },
  always: true,
};

/**
 * Plans requests that fail in the work on a webhook, which then arrives again. A receiver that has noted the event and not done
 * its work is as a restart would leave it.
 */
export const planInterruptions = (used: readonly Used[], { workOn }: Observation): Perturbation[] =>
  used.flatMap(({ operation }) => {
    const { id } = operation;
    // One of several writes may meet a delivery by chance.
    const isRead = methodOf(operation) === "GET";
    const work = workOn.get(id)?.find(({ after }) => isRead || after === 0);
    if (!work) return [];
    const { event, account, after } = work;
    const interruption = (name: string, times: number, often: string, sign?: "dropped"): Perturbation => {
      // A receiver that accepts the event may have left a write to a person, and is not told of it again.
      const isToldAgain = isRead || sign === undefined;
      const interrupted: Disturbance = {
        name,
        title: (subject) =>
          `${subject} is refused ${often} with 503 in the work on the webhook ${event}${isToldAgain ? ", which arrives again" : ""}.`,
        right: "Remember an event as handled once its work is done: it comes again if that has failed.",
        ...(sign && { sign }),
      };
      const fault = { error: "provider_unavailable", retry_after: retryDelays[0] / second } as const;
      const rules = [
        ruleOf(id, { fault, times, ...(after > 0 && { after }) }),
        ...(isToldAgain ? [ruleOf(event, { ...retried, always: true })] : []),
      ];
      return { ...disturb("absorbed", id, interrupted, rules), account };
    };
    return repeating([
      interruption("interrupted", 1, "once"),
      interruption("interrupted-often", manyRefusals, `${manyRefusals} times`, "dropped"),
    ]);
  });

/**
 * Plans an earlier result of an address check, which a person can answer more than once: the good one has overtaken it. A test in
 * which the receiver turns results away may count them.
 */
export const planEarlierResults = ({ events, turnedAway }: Observation): Perturbation[] => {
  const event = "verification.completed";
  const said = events.get(event);
  if (!said?.has("data.type", "address") || !said.has("data.status", "verified") || turnedAway.has(event))
    return [];
  return [
    disturb("absorbed", event, {
      name: "earlier-result",
      title: (subject) =>
        `The webhook ${subject} of an earlier result, review, arrives after the one of verified.`,
      right: "Let the newest result decide, or let a state only move forward.",
      when: { data: { type: "address", status: "verified" } },
      webhook: { earlier: { "data.status": "review" } },
    }),
  ];
};

/** Plans webhooks that never arrive. */
export const planLostWebhooks = (baseline: Observation): Perturbation[] =>
  sentOf(baseline).map((event) => disturb("survived", event, never));

/** Reply, read, webhook, retry. */
const lateAndTwice: Disturbance = {
  name: "late-and-twice",
  title: (event) => `The webhook ${event} arrives a second late, and twice.`,
  right: once,
  webhook: { delay: "1s", duplicate: 1 },
};

/** An order in which the webhook of an operation, the reply and the reads that follow are made to meet. */
interface Order {
  /** Whether the reply waits for the webhook. */
  webhookFirst?: true;
  webhook?: WebhookFaults;
  /** How long reads wait before the service takes them. */
  readsWait?: string;
}

/** Time in which a webhook has arrived, and that clients wait for a reply. */
const shortWait = "500ms";
/** Time in which the first retry of a webhook has arrived, and that clients wait for a reply. */
const retryWait = "1200ms";

const webhookFirst = { webhookFirst: true } as const;
const twice = { webhook: { duplicate: 1 } };
const retried = { webhook: { lose_answer: true } } as const;

/** Orders of reply, webhook, retry and next read that concern more than the webhook. Combinations come last. */
const orders: readonly [name: string, arrives: string, Order][] = [
  ["webhook-first", "before its reply", webhookFirst],
  ["webhook-before-read", "after its reply and before any read", { readsWait: shortWait }],
  ["webhooks-first", "twice before its reply", { ...webhookFirst, ...twice }],
  ["twice-before-read", "twice after its reply and before any read", { ...twice, readsWait: shortWait }],
  ["around-reply-and-read", "before its reply, and again after the read", { ...webhookFirst, ...retried }],
  [
    "around-reply",
    "before its reply, and again before any read",
    { ...webhookFirst, ...retried, readsWait: retryWait },
  ],
];

/** An operation that has sent events, with their kinds and the reads that show its records. */
interface Emitter {
  id: string;
  own: readonly EventKind[];
  reads: readonly string[];
}

/** Returns the part of the service in which an operation is, such as `business`. Reads of other parts show none of its records. */
const partOf = ({ operation }: Used): string | undefined => pathOf(operation).split("/")[2];

/** Returns the operations that have sent events. */
const emittersOf = (used: readonly Used[], sent: readonly EventKind[]): Emitter[] =>
  used.flatMap((target) => {
    const { id, emits = [] } = target.operation;
    const own = sent.filter((event) => emits.includes(event));
    const reads = used
      .filter((other) => methodOf(other.operation) === "GET" && partOf(other) === partOf(target))
      .map(({ operation }) => operation.id);
    return own.length === 0 ? [] : [{ id, own, reads }];
  });

const planOrders = (emitters: readonly Emitter[], some: typeof orders): Perturbation[] =>
  some.flatMap(([name, arrives, { webhookFirst, webhook, readsWait }]) =>
    emitters
      .filter(({ reads }) => readsWait === undefined || reads.length > 0)
      .map(({ id, own, reads }) => {
        const title = (operation: string) => `The webhook of ${operation} arrives ${arrives}.`;
        const rules = [
          ...(webhookFirst ? [ruleOf(id, { fault: { reply_after: "webhook" } })] : []),
          ...(webhook ? own.map((event) => ruleOf(event, { webhook })) : []),
          ...(readsWait ? reads.map((read) => ruleOf(read, { fault: { latency: readsWait } })) : []),
        ];
        return disturb("absorbed", id, { name, title, right: webhook ? once : anyOrder }, rules);
      }),
  );

/** Returns the kinds of events that were sent, in the order of the catalogue. */
const sentOf = ({ events }: Observation): EventKind[] => eventKinds.filter((event) => events.has(event));

/** Plans what happens to one webhook, and webhooks that arrive before the reply. */
export function planWebhooks(used: readonly Used[], baseline: Observation): Perturbation[] {
  const { events, followed } = baseline;
  const sent = sentOf(baseline);
  return [
    ...planOrders(emittersOf(used, sent), orders.slice(0, 1)),
    ...sent.flatMap((event) =>
      [
        ...single,
        ...forged.slice(0, 1),
        ...(followed.has(event) ? [outOfOrder] : []),
        ...forged.slice(1),
        cutOff,
        withUnknownFields(events.get(event) as Shape),
        withLetters(events.get(event) as Shape),
      ].map((disturbance) => disturb("absorbed", event, disturbance)),
    ),
  ];
}

/** Plans the other orders of webhooks. They combine others, and show nothing new once a part is a finding. */
export function planWebhookOrders(used: readonly Used[], baseline: Observation): Perturbation[] {
  const sent = sentOf(baseline);
  return [
    ...planOrders(emittersOf(used, sent), orders.slice(1)),
    ...sent.map((event) => disturb("absorbed", event, lateAndTwice)),
  ];
}
