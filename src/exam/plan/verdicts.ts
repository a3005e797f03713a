/**
 * Perturbations that a suite must notice: other verdicts and ends than those that its tests expect, refusals, files
 * that are cut off, and doubtful answers, tried on one account after the other and at midnight in Lagos.
 */
import { methodOf } from "../../contract/operation.js";
import { refusalsOf } from "../../contract/refusals.js";
import { isBinary } from "../../contract/reply-forms.js";
import type { EventKind } from "../../service/webhooks/events.js";
import { day, fromIso, minute, toIso } from "../../time/time.js";
import type { Observation } from "../observation.js";
import type { Perturbation } from "../perturbation.js";
import { disturb, dropping, failing, otherOutcomes, setting, type Used } from "./disturbance.js";
import { look } from "./substitutes.js";

/** Fields that tell what an operation has found out. */
export const verdictFields: ReadonlySet<string> = new Set([
  "match",
  "match_status",
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

/** Plans each outcome whose reply has another verdict. */
export const planVerdicts = (used: readonly Used[]): Perturbation[] =>
  used
    .filter(({ operation: { id } }) => !Object.hasOwn(decided, id))
    .flatMap(({ operation }) =>
      otherOutcomes(operation).map((outcome) =>
        disturb("noticed", operation.id, {
          name: outcome,
          title: (subject) => `Every ${subject} has the outcome ${outcome}.`,
          right: look,
          outcome,
          sign: "verdict",
          probes: [failing(operation.id)],
          always: true,
        }),
      ),
    );

/** Plans outcomes of which another event tells than the one that the client waits for, or none that the client gets. */
export const planBadEnds = (called: readonly Used[], { events }: Observation): Perturbation[] =>
  called.flatMap(({ operation: { id, testModeOnly } }) => {
    const { good, outcomes = [] } = decided[id] ?? {};
    const isTold = good !== undefined && events.has(good);
    // Without its event, only a read shows the end, and nothing reads what exists for tests alone.
    if (!isTold && testModeOnly) return [];
    return outcomes.map((outcome) =>
      disturb("noticed", id, {
        name: outcome,
        title: (operation) =>
          `Every ${operation} has the outcome ${outcome}${isTold ? `, so that ${good} never comes` : ""}.`,
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

/** Plans files that are cut off. */
export const planCutOffs = (used: readonly Used[]): Perturbation[] =>
  used
    .filter(({ operation }) => Object.values(operation.reply).some(isBinary))
    .map(({ operation: { id } }) =>
      disturb("noticed", id, {
        name: "cut-off",
        title: (operation) => `Every file of ${operation} is cut off in the middle.`,
        right: "Compare the length of a file with Content-Length before it is used.",
        fault: { reply: "truncated" },
        probes: [failing(id)],
        always: true,
      }),
    );

/** Plans writes that are always refused, with a code with which the operation itself refuses, or else a common one. */
export const planRefusals = (used: readonly Used[]): Perturbation[] =>
  used
    .filter(({ operation }) => methodOf(operation) !== "GET")
    .map(({ operation }) => {
      const [error = "internal_error"] = refusalsOf(operation, { serviceOnly: true });
      return disturb("noticed", operation.id, {
        name: "refused",
        title: (subject) => `Every ${subject} is refused with ${error}.`,
        right: "Tell a refusal from success, and have a test that fails if everything is refused.",
        fault: { error },
        sign: "refusal",
        always: true,
      });
    });

const paidAt = "payments.*.paid_at";

/**
 * Plans payments in the last half hour of a day and of a month in UTC, when the next one has begun in Lagos. Half an hour after
 * midnight in UTC, both clocks agree: if the tests depend on the day, they fail then.
 */
export const planMidnights = ({ operation: { id }, calls: { replies } }: Used): Perturbation[] => {
  const [first] = [...(replies.values.get(paidAt) ?? [])].flatMap((value) => fromIso(String(value)) ?? []);
  if (id !== "listPayments" || first === undefined) return [];
  const nextDay = (Math.floor(first / day) + 1) * day;
  let nextMonth = nextDay;
  while (!toIso(nextMonth).startsWith("01T", "2026-01-".length)) nextMonth += day;
  const halfHour = 30 * minute;
  return Object.entries({ day: nextDay, month: nextMonth }).map(([of, midnight]) =>
    disturb("noticed", id, {
      name: `${of}-of-lagos`,
      title: (operation) =>
        `Every payment of ${operation} was paid at ${toIso(midnight - halfHour)}, on the next ${of} in Lagos.`,
      right: "Turn a time into the time of Lagos before you take the day or the month of it.",
      fault: { set: { [paidAt]: toIso(midnight - halfHour) } },
      probes: [setting(id, { [paidAt]: toIso(midnight + halfHour) })],
      always: true,
    }),
  );
};

/** Answers that are neither good nor plainly bad, and refusals. Clients that look for the bad answer take them for good. */
interface Doubt {
  /** Names of their disturbances. */
  doubtful: readonly string[];
  /** The plainly bad answer: the name of its disturbance, or the fields of a reply. Default: the probe of each. */
  bad?: string | Readonly<Record<string, unknown>>;
}

const doubts: Readonly<Record<string, readonly Doubt[]>> = {
  ...Object.fromEntries(
    ["verifyBvn", "verifyNin", "verifyFrsc", "verifyBankAccount", "verifyBvnAccountMatch"].map((lookup) => [
      lookup,
      [{ doubtful: ["partial_match", "not_found", "refused"], bad: "no_match" }],
    ]),
  ),
  ...Object.fromEntries(
    ["scanImage", "scanText", "scanVideo"].map((scan) => [
      scan,
      [{ doubtful: ["inconclusive", "likely_edited", "refused"], bad: "likely_ai" }],
    ]),
  ),
  // These coordinates are far from every town.
  verifyAddress: [
    {
      doubtful: ["not_found", "town_only", "refused"],
      bad: { "address.latitude": 13.9, "address.longitude": 14.6 },
    },
  ],
  submitAddressDocument: [{ doubtful: ["name_mismatch", "review"], bad: "address_mismatch" }],
  verifyLiveness: [{ doubtful: ["nearly-live", "refused"], bad: "spoof" }],
  verifyFaceMatch: [{ doubtful: ["refused"], bad: "no_match" }],
  checkPhoneVerification: [{ doubtful: ["refused"], bad: "wrong-code" }],
  checkChannelCode: [{ doubtful: ["expired", "none-sent", "refused"], bad: "wrong-code" }],
  getIdentityCheck: [{ doubtful: ["expired"], bad: "failed" }],
  listPayments: [
    { doubtful: ["held", "pending"], bad: "failed" },
    { doubtful: ["day-of-lagos", "month-of-lagos"] },
  ],
};

/** The accounts on which a doubtful answer is tried alone. */
const ordinals = ["first", "second", "third"] as const;

/**
 * Plans the doubtful answers on one account after the other: where all accounts have one at once, the test of another answer
 * may fail, and hide that the test of the good one passes. It matters where that test fails on a bad answer.
 */
export const planDoubts = (used: readonly Used[], planned: readonly Perturbation[]): Perturbation[] =>
  used.flatMap(({ operation: { id }, calls: { callers } }) => {
    if (callers.size < 2) return [];
    const accounts = [...callers.keys()];
    const find = (name: string) => planned.filter((one) => one.id === `noticed/${id}/${name}`);
    return (doubts[id] ?? []).flatMap(({ doubtful, bad }) => {
      const probes =
        typeof bad === "string" ? find(bad).flatMap(({ rules }) => rules) : bad && [setting(id, bad)];
      return doubtful.flatMap(find).flatMap((perturbation) =>
        ordinals.slice(0, accounts.length).map((ordinal, index) => ({
          ...perturbation,
          id: `${perturbation.id}/${ordinal}-account`,
          title: perturbation.title.replace(/\.$/, `, on the ${ordinal} account that calls it.`),
          account: accounts[index] as number,
          repeats: perturbation.id,
          ...(probes && { probes }),
        })),
      );
    });
  });
