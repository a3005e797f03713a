/** Plans what an exam does to a client, from what the client's tests did undisturbed. The most telling comes first. */

import type { AnyOperation } from "../../contract/operation.js";
import { lookFirst } from "../conduct/rules.js";
import type { Calls, Observation } from "../observation.js";
import type { Perturbation } from "../perturbation.js";
import type { Used } from "./disturbance.js";
import { planHarmless, planRefusedReads } from "./replies.js";
import { planAnswers, planHangs, planLosses, planOutcomes } from "./survived.js";
import { planVerdicts } from "./verdicts.js";
import { planWebhooks } from "./webhooks.js";

const movesMoney = ({ operation }: Used): boolean => Object.hasOwn(lookFirst, operation.id);

/** Returns the plan. Of operations that exist for tests alone, only the outcomes are disturbed. */
export function planExam(baseline: Observation, operations: readonly AnyOperation[]): Perturbation[] {
  const used = operations
    .filter(({ id, testModeOnly }) => baseline.operations.has(id) && !testModeOnly)
    .map((operation): Used => ({ operation, calls: baseline.operations.get(operation.id) as Calls }));
  const simulations = operations.filter(
    ({ id, testModeOnly }) => testModeOnly && baseline.operations.has(id),
  );
  const simulated = simulations.map(
    (operation): Used => ({ operation, calls: baseline.operations.get(operation.id) as Calls }),
  );
  const [money, others] = [used.filter(movesMoney), used.filter((one) => !movesMoney(one))];
  return [
    ...planLosses(money),
    ...planWebhooks(used, baseline),
    ...planVerdicts(used, baseline),
    ...planRefusedReads(used),
    ...planHarmless(used),
    ...planAnswers(money),
    ...simulated.flatMap(planOutcomes),
    ...planLosses(others),
    ...planHangs(used).slice(0, 1),
    ...planAnswers(others),
    ...planHangs(used).slice(1),
  ];
}
