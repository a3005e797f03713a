/** Replies that must be absorbed: refused for a moment, slow, or saying the same in another way. */
import { type Latency, methodOf } from "../../contract/operation.js";
import { formatDuration, second } from "../../time/time.js";
import { mostCalls, type Shape } from "../observation.js";
import type { Perturbation } from "../perturbation.js";
import { type Disturbance, disturb, type Used } from "./disturbance.js";

/** Retry-After in seconds: longer than the tolerance of the rules of conduct, and short enough to wait for. */
export const retryAfter = 2;

const retryRead = "Repeat a read that was refused with 429 or 503 after Retry-After.";
const tolerate = "Read the fields that you need by name, and ignore the others.";

const rateLimited: Disturbance = {
  name: "rate-limited",
  title: (read) => `${read} is refused once with 429 and Retry-After: ${retryAfter}.`,
  right: retryRead,
  fault: { error: "rate_limited", retry_after: retryAfter },
};

const unavailable: Disturbance = {
  name: "unavailable",
  title: (read) => `${read} is refused once with 503 and Retry-After: ${retryAfter}.`,
  right: retryRead,
  fault: { error: "provider_unavailable", retry_after: retryAfter },
};

/** Perturbations of reads that are made more than once. */
const laterRefusal: Disturbance = {
  ...rateLimited,
  name: "rate-limited-later",
  title: (read) => `The second ${read} is refused once with 429 and Retry-After: ${retryAfter}.`,
  after: 1,
};

/** Plans reads that are refused for a moment. */
export const planRefusedReads = (used: readonly Used[]): Perturbation[] =>
  used
    .filter(({ operation }) => methodOf(operation) === "GET")
    .flatMap(({ operation, calls }) => {
      const first = disturb("absorbed", operation.id, rateLimited);
      return [
        first,
        ...[unavailable, ...(mostCalls(calls) > 1 ? [laterRefusal] : [])].map((disturbance) => ({
          ...disturb("absorbed", operation.id, disturbance),
          repeats: first.id,
        })),
      ];
    });

const unknownField = "standin_unknown";

/** Returns a field that is not in the contract, at each depth of a value. */
export const unknownFields = ({ objects }: Shape, value = "a later version"): Record<string, unknown> =>
  Object.fromEntries(
    [...objects].map((path) => [path === "" ? unknownField : `${path}.${unknownField}`, { of: value }]),
  );

const withUnknownFields = (replies: Shape): Disturbance => ({
  name: "unknown-field",
  title: (operation) => `Every reply of ${operation} has fields that are not in the contract, at each depth.`,
  right: tolerate,
  fault: { set: unknownFields(replies) },
  always: true,
});

const reversedLists: Disturbance = {
  name: "reversed",
  title: (operation) => `The items of every reply of ${operation} are in another order.`,
  right: "Find an item by its fields, or sort the list: its order is not in the contract.",
  fault: { reply: "reversed_lists" },
  always: true,
};

/** Lists whose order the interface states: most recent first. */
const orderedLists: ReadonlySet<string> = new Set(["listAudits", "listMediaScans", "listStreamingSessions"]);

const canBeReversed = ({ operation, calls: { replies } }: Used): boolean =>
  methodOf(operation) === "GET" &&
  !orderedLists.has(operation.id) &&
  [...replies.lists.values()].some((length) => length > 1);

const harmless: readonly Disturbance[] = [
  {
    name: "reordered",
    title: (operation) => `The fields of every reply of ${operation} are in another order.`,
    right: tolerate,
    fault: { reply: "reordered" },
    always: true,
  },
];

/** Latency in ms of a slow reply, and the longest one that the interface states and that is tried. */
const slow = { defaultMs: 1_500, maxMs: 4 * second };

/** Returns a reply that takes as long as the interface allows, or for some time where it says nothing. */
function slowReply({ operation: { latency } }: Used): Disturbance {
  const [, stated] = Array.isArray(latency) ? (latency as Latency) : [];
  const ms = stated !== undefined && stated <= slow.maxMs ? stated : slow.defaultMs;
  return {
    name: "slow",
    title: (operation) => `A reply of ${operation} takes ${formatDuration(ms)} longer.`,
    right: "Wait for a reply for at least some seconds, and for as long as the interface says.",
    fault: { latency: `${ms}ms` },
  };
}

/** Plans replies that say the same in another way, or later. */
export const planHarmless = (used: readonly Used[]): Perturbation[] =>
  used
    .filter(({ calls }) => calls.replies.objects.size > 0)
    .flatMap((target) =>
      [
        withUnknownFields(target.calls.replies),
        ...(canBeReversed(target) ? [reversedLists] : []),
        ...harmless,
        slowReply(target),
      ].map((disturbance) => disturb("absorbed", target.operation.id, disturbance)),
    );

/** Fields that the contract allows to be null, with what agrees with that, and a field whose value they take the place of. */
const nullable: Readonly<Record<string, { set: Record<string, unknown>; instead: string }>> = {
  getBusinessOverview: { set: { remaining: null, business_verified: true }, instead: "remaining" },
  listAudits: { set: { "*.status": "pending", "*.score": null, "*.grade": null }, instead: "*.score" },
  listPayments: { set: { "payments.*.payer_name": null }, instead: "payments.*.payer_name" },
};

/** The right behaviour where a field is null: one cause, in replies and in events. */
export const expectNull = "Expect null wherever the contract allows it.";

/** Plans fields that are null. Tests may miss the value, and the client may not fail as a program does that expects none. */
export const planNulls = (used: readonly Used[]): Perturbation[] =>
  used.flatMap(({ operation: { id }, calls: { replies } }) => {
    const { set, instead = "" } = nullable[id] ?? {};
    const values = [...(replies.values.get(instead) ?? [])];
    if (!set || values.every((value) => value === null)) return [];
    return [
      disturb("survived", id, {
        name: "null",
        title: (operation) => `Every reply of ${operation} has null for ${instead}, as the contract allows.`,
        right: expectNull,
        fault: { set },
        sign: "null",
        always: true,
      }),
    ];
  });
