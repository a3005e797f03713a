/** Perturbations that a suite must notice: other verdicts, amounts and states than those that its tests expect. */

import type { ErrorCode } from "../../contract/errors.js";
import { commonOutcomes, methodOf } from "../../contract/operation.js";
import { refusalsOf } from "../../contract/refusals.js";
import { isBinary } from "../../contract/reply-forms.js";
import { defaultOutcome, outcomesOf } from "../../rules/outcomes.js";
import type { RuleBody } from "../../rules/rule-input.js";
import type { EventKind } from "../../service/webhooks/events.js";
import type { Observation } from "../observation.js";
import type { Perturbation } from "../perturbation.js";
import { disturb, ruleOf, type Used } from "./disturbance.js";
import { planDoubts, planMidnights } from "./doubts.js";

type Values = Readonly<Record<string, unknown>>;

/** Fields that tell what an operation has found out. */
export const verdictFields: ReadonlySet<string> = new Set([
  "match",
  "match_status",
  "status",
  "valid",
  "verdict",
  "verified",
]);

/** Fields in which an amount of money is told. */
const moneyFields: ReadonlySet<string> = new Set([
  "amount",
  "available",
  "balance",
  "cost",
  "fee",
  "fees_charged",
  "held",
  "net",
  "pending",
  "price_per_minute",
  "received",
  "remaining",
  "total_received",
  "you_receive",
]);

/** Amount in naira that replaces zero. */
const surplus = 1_000.5;

/**
 * Returns another amount, with which fee and net still agree. It is less, since a client that compares what it has with what
 * it needs does not notice more.
 */
const otherAmount = (naira: number): number => (naira === 0 ? surplus : Math.round(naira * 50) / 100);

/** Reads of totals: tests of them mostly check that there is a number, and nothing is bought with it. */
const totals: ReadonlySet<string> = new Set(["getBalance", "getBusinessOverview"]);

const look = "Assert on what the reply says, so that a wrong one makes a test fail.";

const formatValues = (values: Values): string =>
  Object.entries(values)
    .map(([path, value]) => `${path} ${String(value)}`)
    .join(", ");

const always = (on: string, fault: NonNullable<RuleBody["fault"]>): RuleBody =>
  ruleOf(on, { fault, always: true });

/** Returns a rule under which every call of an operation fails. */
const failing = (on: string): RuleBody => always(on, { error: "internal_error" });

/** Another answer that a reply can give, consistent in itself. */
interface Answer {
  name: string;
  set: Values;
  /** Reply that it takes the place of: the value of a field. */
  instead: readonly [path: string, value: unknown];
  /** Values under which the command fails if it depends on the reply. Default: the operation fails. */
  probe?: Values;
  /** Event that tells of the same, and would contradict the reply. */
  unless?: EventKind;
  /** Operation that the service refuses in this state: it would contradict itself on an account that calls it. */
  spares?: string;
}

const noPayments: Values = { payments: [] };

/** Negative answers of operations that have no outcomes for them. */
const answers: Readonly<Record<string, readonly Answer[]>> = {
  checkPhoneVerification: [
    { name: "wrong-code", set: { verified: false, status: "pending" }, instead: ["verified", true] },
  ],
  checkChannelCode: [
    { name: "wrong-code", set: { valid: false, reason: "wrong_code" }, instead: ["valid", true] },
    { name: "expired", set: { valid: false, reason: "expired" }, instead: ["valid", true] },
    { name: "none-sent", set: { valid: false, reason: "no_pending_code" }, instead: ["valid", true] },
  ],
  // A score of 75 is live.
  verifyLiveness: [
    {
      name: "nearly-live",
      set: { confidence_score: 74 },
      instead: ["type", "liveness"],
      unless: "verification.completed",
    },
  ],
  submitAddressLocation: [
    {
      name: "review",
      set: { status: "review", match: false, confidence_score: 69 },
      instead: ["status", "verified"],
      unless: "verification.completed",
    },
  ],
  submitAddressDocument: [
    {
      name: "review",
      set: { status: "review", confidence_score: 69 },
      instead: ["status", "verified"],
      unless: "verification.completed",
    },
  ],
  checkDomainVerification: [{ name: "unproven", set: { verified: false }, instead: ["verified", true] }],
  getIdentityCheck: ["failed", "expired"].map((status) => ({
    name: status,
    set: { status },
    instead: ["status", "verified"] as const,
  })),
  getAudit: [
    { name: "failed", set: { status: "failed", score: null, grade: null }, instead: ["status", "ready"] },
  ],
  listPayments: ["held", "failed", "pending"].map((status) => ({
    name: status,
    set: { "payments.*.status": status },
    instead: ["payments.*.status", "success"] as const,
    probe: noPayments,
    spares: "createRefund",
  })),
};

const planAnswers = (
  { operation: { id }, calls: { replies } }: Used,
  { events }: Observation,
): Perturbation[] =>
  (answers[id] ?? [])
    .filter(({ instead: [path, value] }) => replies.has(path, value))
    .filter(({ unless }) => unless === undefined || !events.has(unless))
    .map(({ name, set, probe, spares }) => ({
      ...disturb("noticed", id, {
        name,
        title: (operation) => `Every reply of ${operation} says ${formatValues(set)}.`,
        right: look,
        fault: { set },
        probe: [probe ? always(id, { set: probe }) : failing(id)],
        always: true,
      }),
      // Where the records are spared, the reply of another account may have none that is changed.
      ...(spares && { spares, sign: "verdict" as const }),
    }));

/** Outcomes of which an event tells, with the event that tells of the default outcome. */
const decided: Readonly<Record<string, { good: EventKind; outcomes: readonly string[] }>> = {
  createPayout: { good: "payout.paid", outcomes: ["failed", "rejected"] },
  createRefund: { good: "refund.processed", outcomes: ["failed", "rejected"] },
  simulatePayment: { good: "payment.received", outcomes: ["failed", "held"] },
};

/** Plans each outcome whose reply has another verdict. */
const planOutcomes = ({ operation }: Used): Perturbation[] =>
  Object.keys(Object.hasOwn(decided, operation.id) ? {} : outcomesOf(operation))
    .filter((name) => name !== defaultOutcome(operation) && !Object.hasOwn(commonOutcomes, name))
    .map((outcome) =>
      disturb("noticed", operation.id, {
        name: outcome,
        title: (subject) => `Every ${subject} has the outcome ${outcome}.`,
        right: look,
        outcome,
        sign: "verdict",
        probe: [failing(operation.id)],
        always: true,
      }),
    );

/** Returns a code with which the operation itself refuses, or else a common one. */
const refusalOf = ({ operation }: Used): ErrorCode =>
  refusalsOf(operation, { serviceOnly: true })[0] ?? "internal_error";

const planRefusal = (used: Used): Perturbation[] => {
  const { operation } = used;
  if (methodOf(operation) === "GET") return [];
  const error = refusalOf(used);
  return [
    disturb("noticed", operation.id, {
      name: "refused",
      title: (subject) => `Every ${subject} is refused with ${error}.`,
      right: "Tell a refusal from success, and have a test that fails if everything is refused.",
      fault: { error },
      sign: "refusal",
      always: true,
    }),
  ];
};

function planMoney({ operation: { id }, calls: { replies } }: Used): Perturbation[] {
  const paths = replies.pathsOf(moneyFields, "number");
  if (paths.length === 0 || totals.has(id)) return [];
  const amounts = paths.map((path): [string, number] => {
    const [first] = [...(replies.values.get(path) ?? [])].filter((value) => typeof value === "number");
    return [path, otherAmount(first as number)];
  });
  return [
    disturb("noticed", id, {
      name: "money",
      title: (operation) =>
        `Every reply of ${operation} has other amounts: ${formatValues(Object.fromEntries(amounts))}.`,
      right: look,
      fault: { set: Object.fromEntries(amounts) },
      probe: [always(id, { set: Object.fromEntries(paths.map((path) => [path, null])) })],
      always: true,
    }),
  ];
}

/** Another state or amount that the payload of an event can tell. */
interface Told {
  name: string;
  set: Values;
  instead: readonly [path: string, values: readonly unknown[]];
}

const told: Readonly<Record<string, readonly Told[]>> = {
  "payment.received": [
    {
      name: "less",
      set: { "data.amount": 100, "data.fee": 50, "data.net": 50 },
      instead: ["data.status", ["success"]],
    },
  ],
  "verification.completed": [
    { name: "failed", set: { "data.status": "failed" }, instead: ["data.status", ["verified", "success"]] },
    { name: "review", set: { "data.status": "review" }, instead: ["data.status", ["verified"]] },
  ],
  verification: ["failed", "expired"].map((status) => ({
    name: status,
    set: { "data.status": status },
    instead: ["data.status", ["verified"]] as const,
  })),
};

/** Plans payloads with another verdict, where the client acts on the event and does not read what it tells. */
const planTold = ({ events }: Observation): Perturbation[] =>
  [...events].flatMap(([event, shape]) =>
    (told[event] ?? [])
      .filter(({ instead: [path, values] }) => values.some((value) => shape.has(path, value)))
      .map(({ name, set }) =>
        disturb("noticed", event, {
          name,
          title: (subject) => `Every webhook ${subject} says ${formatValues(set)}.`,
          right: "Act on what the event says, and have a test in which it says something else.",
          webhook: { set: { ...set } },
          sign: "event",
          probe: [ruleOf(event, { webhook: { drop: true }, always: true })],
          always: true,
        }),
      ),
  );

/** Plans bad ends of payouts and refunds of clients that get no event which would tell of them. */
const planUnread = (id: string, outcomes: readonly string[]): Perturbation[] =>
  outcomes.map((outcome) =>
    disturb("noticed", id, {
      name: outcome,
      title: (operation) => `Every ${operation} has the outcome ${outcome}.`,
      right: "Look at what has become of it, by its event or by a read, and tell the user.",
      outcome,
      sign: "decision",
      always: true,
    }),
  );

/** Plans outcomes of which another event tells than the one that the client waits for. */
const planDecided = (called: readonly Used[], { events }: Observation): Perturbation[] =>
  called.flatMap(({ operation: { id, testModeOnly } }) => {
    const { good, outcomes = [] } = decided[id] ?? {};
    if (good === undefined) return [];
    if (!events.has(good)) return testModeOnly ? [] : planUnread(id, outcomes);
    return outcomes.map((outcome) => ({
      ...disturb("noticed", id, {
        name: outcome,
        title: (operation) => `Every ${operation} has the outcome ${outcome}, so that ${good} never comes.`,
        right: "Tell a good end from a bad one by the kind of the event, and have a test for each.",
        outcome,
        sign: "end",
        probe: [ruleOf(good, { webhook: { drop: true }, always: true })],
        always: true,
      }),
      insteadOf: good,
    }));
  });

/** Plans files that are cut off. */
const planCutOffs = (used: readonly Used[]): Perturbation[] =>
  used
    .filter(({ operation }) => Object.values(operation.reply).some(isBinary))
    .map(({ operation: { id } }) =>
      disturb("noticed", id, {
        name: "cut-off",
        title: (operation) => `Every file of ${operation} is cut off in the middle.`,
        right: "Compare the length of a file with Content-Length before it is used.",
        fault: { reply: "truncated" },
        probe: [failing(id)],
        always: true,
      }),
    );

/** Plans other verdicts that a suite must notice. `simulated`: calls of operations that exist for tests alone. */
export const planVerdicts = (
  used: readonly Used[],
  simulated: readonly Used[],
  baseline: Observation,
): Perturbation[] => {
  const answered = [
    ...used.flatMap(planOutcomes),
    ...used.flatMap((one) => planAnswers(one, baseline)),
    ...used.flatMap(planMidnights),
  ];
  return [
    ...answered,
    ...planDoubts(used, [...answered, ...used.flatMap(planRefusal)]),
    ...planTold(baseline),
    ...planDecided([...used, ...simulated], baseline),
    ...planCutOffs(used),
  ];
};

/** Plans refusals and amounts that a suite must notice. */
export const planUnnoticed = (used: readonly Used[]): Perturbation[] => [
  ...used.flatMap(planRefusal),
  ...used.flatMap(planMoney),
];
