/** Plans what an exam does to a client, from what the client's tests did undisturbed. The most telling comes first. */

import type { AnyOperation } from "../../contract/operation.js";
import { lookFirst } from "../conduct/rules/repeated-after-unknown.js";
import type { Calls, Observation } from "../observation.js";
import type { Perturbation } from "../perturbation.js";
import type { Used } from "./disturbance.js";
import { planMutations } from "./mutations.js";
import { planHarmless, planRefusedReads } from "./replies.js";
import { planAnswers, planLosses } from "./survived.js";
import { planWebhooks } from "./webhooks.js";

const movesMoney = ({ operation }: Used): boolean => Object.hasOwn(lookFirst, operation.id);

/** Returns the plan. Operations that exist for tests alone are left undisturbed. */
export function planExam(baseline: Observation, operations: readonly AnyOperation[]): Perturbation[] {
  const used = operations
    .filter(({ id, testModeOnly }) => baseline.operations.has(id) && !testModeOnly)
    .map((operation): Used => ({ operation, calls: baseline.operations.get(operation.id) as Calls }));
  const [money, others] = [used.filter(movesMoney), used.filter((one) => !movesMoney(one))];
  return [
    ...planLosses(money),
    ...planWebhooks(used, baseline),
    ...planMutations(used),
    ...planRefusedReads(used),
    ...planHarmless(used),
    ...planAnswers(money),
    ...planLosses(others),
    ...planAnswers(others),
  ];
}
