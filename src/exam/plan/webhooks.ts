/** Webhooks that must be absorbed: forged, and in every order in which they, their retry, the reply and the next read can meet. */

import { methodOf, pathOf } from "../../contract/operation.js";
import type { WebhookFaults } from "../../rules/faults.js";
import { type EventKind, eventKinds } from "../../service/webhooks/events.js";
import type { Observation, Shape } from "../observation.js";
import type { Perturbation } from "../perturbation.js";
import { type Disturbance, disturb, ruleOf, type Used } from "./disturbance.js";
import { expectNull, unknownFields } from "./replies.js";

const anyOrder = "Treat reply and webhook as two sources of the same truth, whichever comes first.";
const once = "Remember the id of each event, and handle it once.";

const refuseForgeries =
  "Refuse what is not signed with the secret, and handle the genuine delivery that follows.";

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
  {
    name: "forged-first",
    title: (event) => `The webhook ${event} arrives with a wrong signature first, and then as it should.`,
    right: refuseForgeries,
    webhook: { tamper: "signature" },
  },
];

const forged: readonly Disturbance[] = (
  [
    ["unsigned-first", "without a signature", "unsigned"],
    ["changed-first", "with a body that was changed after it was signed", "body"],
  ] as const
).map(([name, how, tamper]) => ({
  name,
  title: (event) => `The webhook ${event} arrives ${how} first, and then as it should.`,
  right: refuseForgeries,
  webhook: { tamper },
}));

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

/** Fields of events that the contract allows to be null. */
const nullableFields = ["data.payer_name"];

/** Plans fields of events that are null. */
const planEventNulls = ({ events }: Observation): Perturbation[] =>
  [...events].flatMap(([event, shape]) =>
    nullableFields
      .filter((path) => [...(shape.values.get(path) ?? [])].some((value) => value !== null))
      .map((path) =>
        disturb("survived", event, {
          name: "null",
          title: (subject) => `Every webhook ${subject} has null for ${path}, as the contract allows.`,
          right: expectNull,
          webhook: { set: { [path]: null } },
          sign: "null",
          always: true,
        }),
      ),
  );

/** Amounts in naira that are added to fields of an event: they end in kobo, and agree with each other. */
const kobo = { "data.amount": 0.87, "data.fee": 0.36, "data.net": 0.51 };

/**
 * Plans amounts of events that end in kobo: a share of them has more than two decimals unless it is rounded. Leaves out
 * clients that read payments, where the event would contradict the list.
 */
const planKobo = (used: readonly Used[], { events }: Observation): Perturbation[] =>
  used.some(({ operation }) => operation.id === "listPayments")
    ? []
    : [...events].flatMap(([event, shape]) => {
        const amounts = Object.entries(kobo).map(([path, more]): [string, number | undefined] => {
          const naira = [...(shape.values.get(path) ?? [])].find((value) => typeof value === "number");
          return [path, naira === undefined ? undefined : Math.round((naira + more) * 100) / 100];
        });
        if (amounts.some(([, naira]) => naira === undefined)) return [];
        return [
          disturb("survived", event, {
            name: "kobo",
            title: (subject) => `Every webhook ${subject} tells amounts that end in kobo.`,
            right: "Count money in kobo, as whole numbers, and round what you compute from it.",
            webhook: { set: Object.fromEntries(amounts) },
            always: true,
          }),
        ];
      });

/** Plans what events tell that tests seldom have: null, and amounts that end in kobo. */
export const planRareEvents = (used: readonly Used[], baseline: Observation): Perturbation[] => [
  ...planEventNulls(baseline),
  ...planKobo(used, baseline),
];

/** Plans webhooks that never arrive. */
export const planLostWebhooks = ({ events }: Observation): Perturbation[] =>
  eventKinds.filter((event) => events.has(event)).map((event) => disturb("survived", event, never));

/** Reply, read, webhook, retry. */
const lateAndTwice: Disturbance = {
  name: "late-and-twice",
  title: (event) => `The webhook ${event} arrives a second late, and twice.`,
  right: once,
  webhook: { delay: "1s", duplicate: 1 },
};

/** An order in which the webhook of an operation, the reply and the reads that follow are made to meet. */
interface Order {
  name: string;
  /** A sentence about the operation that says what happens. */
  title(operation: string): string;
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

/** Orders of reply, webhook, retry and next read that concern more than the webhook. Combinations come last. */
const orders: readonly Order[] = [
  {
    name: "webhook-first",
    title: (operation) => `The webhook of ${operation} arrives before its reply.`,
    webhookFirst: true,
  },
  {
    name: "webhook-before-read",
    title: (operation) => `The webhook of ${operation} arrives after its reply and before any read.`,
    readsWait: shortWait,
  },
  {
    name: "webhooks-first",
    title: (operation) => `The webhook of ${operation} arrives twice before its reply.`,
    webhookFirst: true,
    webhook: { duplicate: 1 },
  },
  {
    name: "twice-before-read",
    title: (operation) => `The webhook of ${operation} arrives twice after its reply and before any read.`,
    webhook: { duplicate: 1 },
    readsWait: shortWait,
  },
  {
    name: "around-reply-and-read",
    title: (operation) => `The webhook of ${operation} arrives before its reply, and again after the read.`,
    webhookFirst: true,
    webhook: { lose_answer: true },
  },
  {
    name: "around-reply",
    title: (operation) => `The webhook of ${operation} arrives before its reply, and again before any read.`,
    webhookFirst: true,
    webhook: { lose_answer: true },
    readsWait: retryWait,
  },
];

/** An operation, its events that were sent, and the reads that show its records. */
interface Emitter {
  id: string;
  own: readonly EventKind[];
  reads: readonly string[];
}

/** Returns the part of the service in which an operation is, such as `business`. Reads of other parts show none of its records. */
const partOf = ({ operation }: Used): string | undefined => pathOf(operation).split("/")[2];

function planOrder({ id, own, reads }: Emitter, order: Order): Perturbation[] {
  const { name, title, webhookFirst, webhook, readsWait } = order;
  if (readsWait !== undefined && reads.length === 0) return [];
  const rules = [
    ...(webhookFirst ? [ruleOf(id, { fault: { reply_after: "webhook" } })] : []),
    ...(webhook ? own.map((event) => ruleOf(event, { webhook })) : []),
    ...(readsWait === undefined ? [] : reads.map((read) => ruleOf(read, { fault: { latency: readsWait } }))),
  ];
  return [disturb("absorbed", id, { name, title, right: webhook ? once : anyOrder }, rules)];
}

/** Returns the kinds of events that were sent, and the operations that send them. */
function emittersOf(
  used: readonly Used[],
  { events }: Observation,
): { sent: EventKind[]; emitters: Emitter[] } {
  const sent = eventKinds.filter((event) => events.has(event));
  const emitters = used.flatMap((target): Emitter[] => {
    const { id, emits = [] } = target.operation;
    const own = sent.filter((event) => emits.includes(event));
    const reads = used
      .filter((other) => methodOf(other.operation) === "GET" && partOf(other) === partOf(target))
      .map(({ operation }) => operation.id);
    return own.length === 0 ? [] : [{ id, own, reads }];
  });
  return { sent, emitters };
}

const [webhookFirst, ...otherOrders] = orders as [Order, ...Order[]];

/** Plans what happens to one webhook, and webhooks that arrive before the reply. */
export function planWebhooks(used: readonly Used[], baseline: Observation): Perturbation[] {
  const { events, followed } = baseline;
  const { sent, emitters } = emittersOf(used, baseline);
  return [
    ...emitters.flatMap((emitter) => planOrder(emitter, webhookFirst)),
    ...sent.flatMap((event) =>
      [
        ...single,
        ...(followed.has(event) ? [outOfOrder] : []),
        ...forged,
        withUnknownFields(events.get(event) as Shape),
        withLetters(events.get(event) as Shape),
      ].map((disturbance) => disturb("absorbed", event, disturbance)),
    ),
  ];
}

/** Plans the other orders of webhooks. They combine others, and show nothing new once a part is a finding. */
export function planWebhookOrders(used: readonly Used[], baseline: Observation): Perturbation[] {
  const { sent, emitters } = emittersOf(used, baseline);
  return [
    ...otherOrders.flatMap((order) => emitters.flatMap((emitter) => planOrder(emitter, order))),
    ...sent.map((event) => disturb("absorbed", event, lateAndTwice)),
  ];
}
