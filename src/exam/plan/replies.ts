/** Replies that must be absorbed: refused for a moment, slow, or saying the same in another way. */
import { type ErrorCode, errors } from "../../contract/errors.js";
import { type Latency, methodOf } from "../../contract/operation.js";
import { formatDuration, second } from "../../time/time.js";
import { mostCalls, type Shape } from "../observation.js";
import type { Perturbation } from "../perturbation.js";
import { type Disturbance, disturb, repeating, type Used } from "./disturbance.js";

/** Retry-After in seconds: longer than the tolerance of the rules of conduct, and short enough to wait for. */
export const retryAfter = 2;

const retryRead = "Repeat a read that was refused with 429 or 503 after Retry-After.";
const tolerate = "Read the fields that you need by name, and ignore the others.";

/** Returns a refusal that passes by itself. `after`: number of calls that the service takes before it. */
export const refusedOnce = (name: string, error: ErrorCode, right: string, after?: 1): Disturbance => ({
  name,
  title: (operation) =>
    `${after ? "The second " : ""}${operation} is refused once with ${errors[error].status} and Retry-After: ${retryAfter}.`,
  right,
  fault: { error, retry_after: retryAfter },
  ...(after && { after }),
});

const readRefusals = [
  refusedOnce("rate-limited", "rate_limited", retryRead),
  refusedOnce("unavailable", "provider_unavailable", retryRead),
  refusedOnce("rate-limited-later", "rate_limited", retryRead, 1),
];

/** Plans reads that are refused for a moment. */
export const planRefusedReads = (used: readonly Used[]): Perturbation[] =>
  used
    .filter(({ operation }) => methodOf(operation) === "GET")
    .flatMap(({ operation, calls }) => {
      const refusals = readRefusals.filter(({ after = 0 }) => mostCalls(calls) > after);
      return repeating(refusals.map((refusal) => disturb("absorbed", operation.id, refusal)));
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

const reorderedFields: Disturbance = {
  name: "reordered",
  title: (operation) => `The fields of every reply of ${operation} are in another order.`,
  right: tolerate,
  fault: { reply: "reordered" },
  always: true,
};

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
        reorderedFields,
        slowReply(target),
      ].map((disturbance) => disturb("absorbed", target.operation.id, disturbance)),
    );
