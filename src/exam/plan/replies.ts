/**
 * Replies that a client must absorb (refused for a moment, slow, or saying the same in another way) and those that it
 * must survive: lost and broken ones, and each outcome and refusal that its tests did not meet.
 */
import { type ErrorCode, errors } from "../../contract/errors.js";
import { absent } from "../../contract/json.js";
import { longestReplyMs, methodOf } from "../../contract/operation.js";
import { refusalsOf } from "../../contract/refusals.js";
import type { FaultFields } from "../../rules/faults.js";
import { formatDuration, second } from "../../time/time.js";
import { maxWaitMs } from "../conduct/rules.js";
import { mostCalls, type Observation, opensAccounts, type Shape } from "../observation.js";
import type { Perturbation } from "../perturbation.js";
import {
  type Disturbance,
  disturb,
  manyRefusals,
  otherOutcomes,
  repeating,
  type Used,
} from "./disturbance.js";

/** Retry-After in seconds: longer than the tolerance of the rules of conduct, and short enough to wait for. */
const retryAfter = 2;

const retryRead =
  "Repeat a read that was refused with 429 or 503 after Retry-After, or pass the refusal on: it tells nothing about the record.";
const tolerate = "Read the fields that you need by name, and ignore the others.";

/** Returns a refusal that passes by itself. `after`: number of calls that the service takes before it. */
const refusedOnce = (name: string, error: ErrorCode, right: string, after?: 1): Disturbance => ({
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

/** The log of the account, by which tests mostly count what a client has done, without a time limit or a repetition. */
const log = "listBusinessEvents";

/** Reads by which tests mostly count what a client has done: the log and the totals of the account. */
const countedBy: readonly string[] = [log, "getBalance", "getBusinessOverview"];

/**
 * Plans reads that are refused for a moment. A client that reads after an event was answered can pass nothing on. A test that
 * counts what the client has done can.
 */
export const planRefusedReads = (used: readonly Used[], { isAfterEvent }: Observation): Perturbation[] =>
  used
    .filter((one) => methodOf(one.operation) === "GET" && !isSetUp(one) && one.operation.id !== log)
    .flatMap(({ operation: { id }, calls }) => {
      const refusals = readRefusals.filter(({ after = 0 }) => mostCalls(calls) > after);
      const sign = isAfterEvent.get(id) && !countedBy.includes(id) ? "given-up" : "swallowed";
      return repeating(refusals.map((refusal) => disturb("absorbed", id, { ...refusal, sign })));
    });

const unknownField = "standin_unknown";

/** Returns whether an object has objects alone, so that clients read it as a map of things of one kind. */
function isMap({ objects, values, lists }: Shape, path: string): boolean {
  const isField = (other: string) => other.startsWith(`${path}.`) && !other.includes(".", path.length + 1);
  const isOther = [...values.keys(), ...lists.keys()].some(isField);
  return !isOther && [...objects].filter(isField).length > 1;
}

/** Returns a field that is not in the contract, at each depth of a value. */
export const unknownFields = (shape: Shape, value = "a later version"): Record<string, unknown> =>
  Object.fromEntries(
    [...shape.objects]
      .filter((path) => !isMap(shape, path))
      .map((path) => [path === "" ? unknownField : `${path}.${unknownField}`, { of: value }]),
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
function slowReply({ operation }: Used): Disturbance {
  const stated = longestReplyMs(operation);
  const ms = stated > 0 && stated <= slow.maxMs ? stated : slow.defaultMs;
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

/** Longest time in ms of a reply that is tried: a client may wait for little more than the interface states. */
const longReplyMs = 65 * second;

/** Plans replies that take longer than a test should, as the interface allows. */
export const planLongReplies = (used: readonly Used[]): Perturbation[] =>
  used
    .filter(({ operation }) => longestReplyMs(operation) > slow.maxMs)
    .map(({ operation }) => {
      const statedMs = longestReplyMs(operation);
      const ms = Math.min(statedMs, longReplyMs);
      return disturb("survived", operation.id, {
        name: "slow",
        title: (subject) => `${subject} takes effect, and its reply comes after ${formatDuration(ms)}.`,
        right: "Wait for a reply for as long as the interface says, and look before a request is repeated.",
        // An audit with a tier is done later, and its request is answered at once.
        when: { body: { tier: absent } },
        fault: { reply_after: `${ms / second}s` },
        statedMs,
      });
    });

const look =
  "After a reply that was lost or cannot be read, look at what has happened before you repeat anything.";

const toLosses = (losses: readonly [name: string, what: string, fault: FaultFields][]): Disturbance[] =>
  losses.map(([name, what, fault]) => ({
    name,
    title: (operation) => `${operation} ${what}.`,
    right: look,
    fault,
  }));

/** Losses that clients treat in different ways: as a broken connection, as an error of the service and as a broken reply. */
export const tellingLosses = toLosses([
  ["reply-lost", "takes effect, and its reply is lost", { reply: "reset_after" }],
  ["timeout-after", "takes effect, and its reply is provider_timeout (504)", { reply: "timeout_after" }],
  ["truncated", "takes effect, and its reply is cut off", { reply: "truncated" }],
]);

export const otherLosses = toLosses([
  ["malformed", "takes effect, and its reply is not JSON", { reply: "malformed" }],
  ["reset", "is cut off before it takes effect", { reply: "reset_before" }],
  ["timeout", "is refused with provider_timeout (504)", { error: "provider_timeout" }],
]);

const hang: Disturbance = {
  name: "hang",
  title: (operation) => `${operation} takes effect, and its reply never comes.`,
  right: "Set a timeout of at most 60 s on every request, and handle it like a lost reply.",
  fault: { reply_after: "10m" },
};

/**
 * Returns whether an operation sets an account up or says how it is set up, and may be repeated. Mostly tests call it themselves,
 * without a time limit, and leave a receiver open if it fails.
 */
export const isSetUp = ({ operation }: Used): boolean =>
  methodOf(operation) === "PUT" || ["listChannels", "registerWebhook"].includes(operation.id);

/**
 * Plans replies that never come, but for operations for which a client waits longer with reason, and for what tests read without a
 * time limit where the client calls anything else.
 */
export function planHangs(used: readonly Used[]): Perturbation[] {
  const short = used.filter(({ operation }) => longestReplyMs(operation) <= maxWaitMs);
  const own = short.filter(({ operation: { id } }) => !countedBy.includes(id));
  const waitedFor = own.length > 0 ? own : short;
  return repeating(waitedFor.map(({ operation }) => disturb("survived", operation.id, hang)));
}

/** Plans replies that are lost, cut off or unreadable: each way for all operations. */
export const planLosses = (used: readonly Used[], losses: readonly Disturbance[]): Perturbation[] =>
  losses.flatMap((one) => used.map(({ operation }) => disturb("survived", operation.id, one)));

const handle = "Tell the refusal from success, and end or go on as your users need it.";

/** Error codes that every operation may answer with. */
const commonErrors: readonly ErrorCode[] = ["provider_unavailable", "rate_limited", "internal_error"];

/** Refusals that pass by themselves, after which the service tells when to come back. */
const isTemporary = (code: ErrorCode): boolean => ["rate_limited", "provider_unavailable"].includes(code);

const refusal = (code: ErrorCode): Disturbance => ({
  name: code,
  title: (operation) => `${operation} is refused with ${code}.`,
  right: handle,
  // A refusal for good stays: a service that accepts the request later contradicts itself.
  ...(isTemporary(code)
    ? { fault: { error: code, retry_after: retryAfter } }
    : { fault: { error: code }, ...(errors[code].status < 500 && { always: true }) }),
});

/** Retry-After in seconds of a service that stays down: short, so that a client with many attempts ends soon. */
const downRetryAfter = 1;

const down: Disturbance = {
  name: "down",
  title: (operation) => `Every ${operation} is refused with 503 and Retry-After: ${downRetryAfter}.`,
  right: "Give every repetition an end: after a few attempts, report that the service is down.",
  fault: { error: "provider_unavailable", retry_after: downRetryAfter },
  always: true,
};

/** Plans a service that stays down: for each read, which clients repeat, and for one write. */
export function planDown(used: readonly Used[]): Perturbation[] {
  const reads = used.filter(({ operation }) => methodOf(operation) === "GET");
  const writes = used.filter(({ operation }) => methodOf(operation) !== "GET").slice(0, 1);
  return [...reads, ...writes].map(({ operation }) => disturb("survived", operation.id, down));
}

const planUnmetRefusals = ({ operation, calls }: Used, codes: readonly ErrorCode[]): Perturbation[] =>
  codes
    .filter((code) => !calls.errors.has(code))
    .map((code) => disturb("survived", operation.id, refusal(code)));

export const planOutcomes = ({ operation, calls }: Used): Perturbation[] =>
  otherOutcomes(operation)
    .filter((name) => !calls.outcomes.has(name))
    .map((outcome) =>
      disturb("survived", operation.id, {
        name: outcome,
        title: (subject) => `${subject} has the outcome ${outcome}.`,
        right: handle,
        outcome,
        always: true,
      }),
    );

const laterRefusal = refusedOnce(
  "unavailable-later",
  "provider_unavailable",
  "Go on where it stopped: remember each step that took effect, and repeat only what has not.",
  1,
);

/** Returns a service that is down in the middle of several writes, until most clients have given up. */
const laterOutage = (after: number): Disturbance => ({
  name: after === 1 ? "down-later" : `down-after-${after}`,
  title: (operation) =>
    `After call ${after} of ${operation}, the next ${manyRefusals} are refused with 503 and Retry-After: ${downRetryAfter}.`,
  right: laterRefusal.right,
  fault: { error: "provider_unavailable", retry_after: downRetryAfter },
  after,
  times: manyRefusals,
});

/** Returns after how many calls the service goes down: early, and in other tests of a suite that shares an account. */
function outagesIn(calls: number, baseline: Observation): number[] {
  const later = opensAccounts(baseline) ? [] : [calls / 3, (2 * calls) / 3].map(Math.ceil);
  return [...new Set([1, ...later])].filter((after) => after < calls);
}

/** Types of errors that tell of the state of the account, and not of the request. */
const accountErrors: readonly unknown[] = ["billing_error", "conflict_error"];

/** Returns the refusal of one of several writes because of the state of the account, after which a client may stop. */
function accountRefusal({ operation }: Used, baseline: Observation): Disturbance[] {
  const own = refusalsOf(operation, { serviceOnly: true, inForce: baseline.inForce });
  const code = own.find((code) => accountErrors.includes(errors[code].type));
  if (!code) return [];
  return [
    {
      name: "refused-later",
      title: (subject) => `One of several calls of ${subject} is refused with ${code}.`,
      right: laterRefusal.right,
      fault: { error: code },
      // In a suite that shares an account, it is spread over the tests.
      ...(opensAccounts(baseline) && { after: 1 }),
    },
  ];
}

/** Plans refusals in the middle of several writes: a client that begins again from the first one repeats what took effect. */
export const planLaterRefusals = (used: readonly Used[], baseline: Observation): Perturbation[] =>
  used
    .filter(({ operation, calls }) => methodOf(operation) !== "GET" && mostCalls(calls) > 1)
    .flatMap((one) => {
      const outages = outagesIn(mostCalls(one.calls), baseline).map(laterOutage);
      const all = [laterRefusal, ...outages, ...accountRefusal(one, baseline)];
      return repeating(all.map((refusal) => disturb("survived", one.operation.id, refusal)));
    });

const unknownAccount: Disturbance = {
  name: "not-found-later",
  title: (operation) => `Every ${operation} after the first is refused: the bank does not know the account.`,
  right: "Request a payout only once the service has saved the bank account that it is for.",
  outcome: "not_found",
  after: 1,
  always: true,
};

/** Returns the refusal of the last of several bank accounts, for as long as clients repeat the request. */
const lastAccount = (after: number): Disturbance => ({
  name: "unavailable-last",
  title: (operation) => `The last ${operation} is refused with 503 until the client gives up.`,
  right: unknownAccount.right,
  fault: { error: "provider_unavailable", retry_after: downRetryAfter },
  after,
  times: manyRefusals,
});

/** Plans bank accounts that are refused after another one was saved, to which the next payout would go. */
export const planRefusedAccounts = (used: readonly Used[]): Perturbation[] =>
  used
    .filter(({ operation: { id }, calls }) => id === "setPayoutAccount" && mostCalls(calls) > 1)
    .flatMap(({ operation, calls: { callers, effects } }) => {
      // Repetitions of a refused request say nothing about the number of bank accounts.
      const saved = [...effects].filter(([account, count]) => callers.get(account) === count);
      const last = Math.max(0, ...saved.map(([, count]) => count)) - 1;
      const refusals = [unknownAccount, ...(last > 0 ? [lastAccount(last)] : [])];
      return refusals.map((one) => disturb("survived", operation.id, one));
    });

/** Plans the outcomes and refusals that the client's tests did not meet. */
export const planUnmet = (used: readonly Used[], { inForce }: Observation): Perturbation[] => [
  ...used.flatMap(planOutcomes),
  ...used.flatMap((one) => planUnmetRefusals(one, refusalsOf(one.operation, { serviceOnly: true, inForce }))),
  ...used.flatMap((one) => planUnmetRefusals(one, commonErrors)),
];
