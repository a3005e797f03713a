/** Perturbations that a suite must notice: other verdicts and ends than those that its tests expect, refusals, and files that are cut off. */

import { methodOf } from "../../contract/operation.js";
import { refusalsOf } from "../../contract/refusals.js";
import { isBinary } from "../../contract/reply-forms.js";
import type { EventKind } from "../../service/webhooks/events.js";
import type { Observation } from "../observation.js";
import type { Perturbation } from "../perturbation.js";
import { disturb, dropping, failing, otherOutcomes, type Used } from "./disturbance.js";
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
