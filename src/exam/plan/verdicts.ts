/**
 * Perturbations that a suite must notice: other verdicts and ends than those that its tests expect, refusals, files
 * that are cut off, and doubtful answers, tried at one place after the other and at midnight in Lagos.
 */
import { methodOf } from "../../contract/operation.js";
import { refusalsOf } from "../../contract/refusals.js";
import { isBinary } from "../../contract/reply-forms.js";
import type { RuleBody } from "../../rules/rule-input.js";
import type { EventKind } from "../../service/webhooks/events.js";
import { day, fromIso, minute, toIso } from "../../time/time.js";
import { movesMoney } from "../conduct/rules.js";
import { mostCalls, type Observation } from "../observation.js";
import type { Perturbation } from "../perturbation.js";
import {
  disturb,
  dropping,
  failing,
  otherOutcomes,
  repeating,
  ruleOf,
  setting,
  type Used,
  usualOf,
} from "./disturbance.js";
import { look, pendingPayments, worseOf } from "./substitutes.js";

/** Fields that tell what an operation has found out. */
export const verdictFields: ReadonlySet<string> = new Set([
  "expiry_date",
  "licence_status",
  "match",
  "match_status",
  "score",
  "sent",
  "session_active",
  "severity",
  "status",
  "valid",
  "verdict",
  "verified",
]);

/** Outcomes of which an event tells, with the event that tells of the default outcome. */
const decided: Readonly<Record<string, { good: EventKind; outcomes: readonly string[] }>> = {
  createPayout: { good: "payout.paid", outcomes: ["failed", "rejected"] },
  createRefund: { good: "refund.processed", outcomes: ["failed", "rejected"] },
  simulatePayment: { good: "payment.received", outcomes: ["failed", "held"] },
};

/** A request for a bank account names nobody, so that clients compare the name of the holder themselves. */
const anotherHolder = { set: { "data.account_name": "STANDIN ANOTHER HOLDER" } };

/** Plans each outcome whose reply has another verdict. */
export const planVerdicts = (used: readonly Used[]): Perturbation[] =>
  used
    .filter(({ operation: { id } }) => !Object.hasOwn(decided, id))
    .flatMap((target) => {
      const { operation } = target;
      const { usual, when } = usualOf(target) ?? {};
      if (!when) return [];
      const isAboutHolder = operation.id === "verifyBankAccount";
      return otherOutcomes(operation).map((outcome) =>
        disturb("noticed", operation.id, {
          name: outcome,
          title: (subject) => `Every ${subject} has the outcome ${outcome} in place of ${usual}.`,
          right: look,
          when,
          outcome,
          ...(isAboutHolder && outcome !== "not_found" && { fault: anotherHolder }),
          sign: "verdict",
          probes: [failing(operation.id)],
          always: true,
        }),
      );
    });

/** Plans outcomes of which another event tells than the one that the client waits for, or none that the client gets. */
export const planBadEnds = (called: readonly Used[], { events }: Observation): Perturbation[] =>
  called.flatMap((target) => {
    const { id, testModeOnly } = target.operation;
    const { usual, when } = usualOf(target) ?? {};
    if (!when) return [];
    const { good, outcomes = [] } = decided[id] ?? {};
    const isTold = good !== undefined && events.has(good);
    // Without its event, only a read shows the end, and nothing reads what exists for tests alone.
    if (!isTold && testModeOnly) return [];
    return outcomes.map((outcome) =>
      disturb("noticed", id, {
        name: outcome,
        title: (subject) =>
          `Every ${subject} has the outcome ${outcome} in place of ${usual}${isTold ? `, so that ${good} never comes` : ""}.`,
        when,
        outcome,
        always: true,
        ...(isTold
          ? {
              right: "Tell a good end from a bad one by the kind of the event, and have a test for each.",
              sign: "end",
              insteadOf: good,
              probes: [dropping(good)],
            }
          : {
              right: "Look at what has become of it, by its event or by a read, and tell the user.",
              sign: "decision",
            }),
      }),
    );
  });

/** Returns whether an operation answers with a file. */
export const makesFile = ({ operation }: Used): boolean => Object.values(operation.reply).some(isBinary);

/** Plans files that are cut off. */
export const planCutOffs = (used: readonly Used[]): Perturbation[] =>
  used.filter(makesFile).map(({ operation: { id } }) =>
    disturb("noticed", id, {
      name: "cut-off",
      title: (operation) => `Every file of ${operation} is cut off in the middle.`,
      right: "Compare the length of a file with Content-Length before it is used.",
      fault: { reply: "truncated" },
      probes: [failing(id)],
      always: true,
    }),
  );

/**
 * Plans operations that are always refused: with a code with which the operation itself refuses, and as in an outage. Where an
 * operation has outcomes, it concerns the requests that would have the usual one. A read matters where a test depends on its verdict.
 */
export const planRefusals = (
  used: readonly Used[],
  verdicts: readonly Perturbation[],
  { inForce }: Observation,
): Perturbation[] =>
  used.flatMap((target) => {
    const { operation } = target;
    const isRead = methodOf(operation) === "GET";
    const probes = verdicts.filter(({ subject }) => subject === operation.id).flatMap(({ rules }) => rules);
    const found = usualOf(target);
    if (!found || (isRead && probes.length === 0)) return [];
    const [error] = isRead ? [] : refusalsOf(operation, { serviceOnly: true, inForce });
    const { usual, when } = found;
    const codes = { ...(error && { refused: error }), outage: "provider_unavailable" } as const;
    return repeating(
      Object.entries(codes).map(([name, code]) =>
        disturb("noticed", operation.id, {
          name,
          title: (subject) =>
            `Every ${subject} ${when ? `that would have the outcome ${usual} ` : ""}is refused with ${code}.`,
          right: "Tell a refusal from success, and have a test that fails if everything is refused.",
          ...(when && { when }),
          fault: { error: code },
          ...(isRead ? { probes } : { sign: movesMoney(operation.id) ? "effect" : "refusal" }),
          always: true,
        }),
      ),
    );
  });

/**
 * Plans requests that do not reach the service, the first or the second one, on one account after the other. A client that takes
 * an earlier request for the one that failed, or what is left of it for its result, makes fewer of them. Without a file, it
 * matters where the tests fail if the request is refused.
 */
export const planUnmade = (used: readonly Used[], { ruled, inForce }: Observation): Perturbation[] =>
  used.flatMap((one) => {
    const { callers } = one.calls;
    const { id } = one.operation;
    // The test whose request it is may expect a fault that it brings about itself.
    if (callers.size <= 1 && ruled.has(id)) return [];
    const [error = "internal_error"] = refusalsOf(one.operation, { serviceOnly: true, inForce });
    return [0, 1].flatMap((after) => {
      if (mostCalls(one.calls) <= after) return [];
      const onAll = disturb("noticed", id, {
        name: after === 0 ? "not-made" : "not-made-later",
        title: (operation) =>
          `The ${after === 0 ? "first" : "second"} ${operation} is cut off once before it takes effect.`,
        right:
          "Repeat what was not made, take nothing else for it, and have a test that fails if it never is.",
        fault: { reply: "reset_before" },
        ...(after > 0 && { after }),
        sign: "effect",
        ...(!makesFile(one) && { probes: [ruleOf(id, { fault: { error }, after, always: true })] }),
      });
      if (callers.size <= 1) return [onAll];
      const often = {
        which: after > 0 ? " twice" : "",
        includes: (_: number, count: number) => count > after,
      };
      return atEachPlace(onAll, one, { some: often });
    });
  });

const paidAt = "payments.*.paid_at";

/**
 * Plans payments in the last half hour of a day and of a month in UTC, when the next one has begun in Lagos. Half an hour after
 * midnight in UTC, both clocks agree: if the tests depend on the day, they fail then.
 */
export const planMidnights = (one: Used): Perturbation[] => {
  const { id } = one.operation;
  const [first] = [...(one.calls.replies.values.get(paidAt) ?? [])].flatMap(
    (value) => fromIso(String(value)) ?? [],
  );
  if (id !== "listPayments" || first === undefined) return [];
  const nextDay = (Math.floor(first / day) + 1) * day;
  let nextMonth = nextDay;
  while (!toIso(nextMonth).startsWith("01T", "2026-01-".length)) nextMonth += day;
  const halfHour = 30 * minute;
  return Object.entries({ day: nextDay, month: nextMonth }).flatMap(([of, midnight]) => {
    const onAll = disturb("noticed", id, {
      name: `${of}-of-lagos`,
      title: (operation) =>
        `Every payment of ${operation} was paid at ${toIso(midnight - halfHour)}, on the next ${of} in Lagos.`,
      right: "Turn a time into the time of Lagos before you take the day or the month of it.",
      fault: { set: { [paidAt]: toIso(midnight - halfHour) } },
      probes: [setting(id, { [paidAt]: toIso(midnight + halfHour) })],
      always: true,
    });
    return [onAll, ...atEachPlace(onAll, one)];
  });
};

/**
 * Plans payments that are pending when they are first read, on one account after the other, for clients that no event tells of
 * them. A test that reads once may fail, and one that reads on on another account hides nothing.
 */
export const planPendingFirst = (one: Used, { events }: Observation): Perturbation[] => {
  const { operation, calls } = one;
  const {
    set,
    instead: [path, paid],
    when,
  } = pendingPayments;
  const isRead = operation.id === "listPayments" && calls.replies.has(path, paid);
  if (!isRead || events.has("payment.received") || calls.callers.size <= 1) return [];
  const onAll = disturb("absorbed", operation.id, {
    name: "pending-first",
    title: (subject) =>
      `The first reply of ${subject} says that payments are pending, and the next that they are paid.`,
    right: "Take over each state of a record, until it has ended.",
    when,
    fault: { set, where: { [path]: paid } },
    sign: "read-on",
  });
  return repeating(atEachPlace(onAll, one));
};

/**
 * Names of answers that are plainly bad, with their operation where others have the name. Clients that look for them alone take
 * all others for good.
 */
const plainlyBad: ReadonlySet<string> = new Set([
  "address_mismatch",
  "expired-licence",
  "failed",
  "likely_ai",
  "no_match",
  "spoof",
  "verifyDocument/expired",
  "wrong-code",
]);

/** Returns the name of a perturbation, without its class and subject. */
const nameOf = ({ id }: Perturbation): string => id.split("/")[2] ?? "";

/** Returns whether an answer is plainly bad. */
const isPlainlyBad = (perturbation: Perturbation): boolean => {
  const name = nameOf(perturbation);
  return plainlyBad.has(name) || plainlyBad.has(`${perturbation.subject}/${name}`);
};

/** Values with which a reply is plainly bad, of operations that have one other verdict. */
const poor: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  getAudit: { score: 1, grade: "F" },
};

const ordinals = ["first", "second", "third"] as const;

/** A place at which an answer is tried alone. */
interface Place {
  name: string;
  /** End of a sentence that says where it is. */
  where: string;
  account?: number;
  narrow(rule: RuleBody): RuleBody;
}

/** Some of the accounts that call an operation. */
interface Some {
  /** End of a sentence that says which. */
  which: string;
  includes(account: number, calls: number): boolean;
}

const all: Some = { which: "", includes: () => true };

/** Returns some of the accounts that call an operation, or the records of a suite that has a single account. */
function placesOf({ operation, calls }: Used, some: Some): Place[] {
  const ordered = <Item>(items: Iterable<Item>, toPlace: (item: Item, ordinal: string) => Place) =>
    [...items].slice(0, ordinals.length).map((item, index) => toPlace(item, ordinals[index] ?? ""));
  const { callers, paths } = calls;
  if (callers.size > 1) {
    const included = [...callers].filter(([account, count]) => some.includes(account, count));
    return ordered(included, ([account], ordinal) => ({
      name: `${ordinal}-account`,
      where: `on the ${ordinal} account that calls it${some.which}`,
      account,
      narrow: (rule) => rule,
    }));
  }
  if (methodOf(operation) !== "GET" || paths.size <= 1) return [];
  return ordered(paths, (path, ordinal) => ({
    name: `${ordinal}-record`,
    where: `for ${path}`,
    narrow: (rule) => ({ ...rule, when: { ...rule.when, path } }),
  }));
}

/**
 * Returns a perturbation at one place after the other: where it happens everywhere, one test may fail, and hide that another
 * one passes.
 */
const atEachPlace = (
  perturbation: Perturbation,
  one: Used,
  { probes = perturbation.probes, some = all }: { probes?: Perturbation["probes"]; some?: Some } = {},
): Perturbation[] =>
  placesOf(one, some).map(({ name, where, account, narrow }) => ({
    ...perturbation,
    id: `${perturbation.id}/${name}`,
    title: perturbation.title.replace(/\.$/, `, ${where}.`),
    rules: perturbation.rules.map(narrow),
    ...(account !== undefined && { account }),
    repeats: perturbation.id,
    ...(probes && { probes: probes.map(narrow) }),
  }));

/**
 * Plans each answer that is not plainly bad, and each refusal, at each place. They matter where the test fails on another answer. A
 * test that brings about a fault, or another answer, may expect what this one brings about as well.
 */
export const planDoubts = (
  used: readonly Used[],
  verdicts: readonly Perturbation[],
  refusals: readonly Perturbation[],
  { unusual }: Observation,
): Perturbation[] => {
  const some: Some = {
    which: " and meets nothing unusual",
    includes: (account) => !unusual.has(account),
  };
  return used.flatMap((target) => {
    const { id } = target.operation;
    const own = ({ subject }: Perturbation) => subject === id;
    const answers = verdicts.filter(own);
    const doubtful = answers.filter((answer) => Object.hasOwn(poor, id) || !isPlainlyBad(answer));
    const atPlaces = (perturbation: Perturbation) => {
      const others = answers.filter((other) => other !== perturbation).flatMap(({ rules }) => rules);
      const worse = poor[id] ?? worseOf(id, nameOf(perturbation));
      const probes = worse ? [setting(id, worse)] : others;
      return probes.length === 0 ? [] : atEachPlace(perturbation, target, { probes, some });
    };
    return [...doubtful, ...refusals.filter(own)].flatMap(atPlaces);
  });
};
