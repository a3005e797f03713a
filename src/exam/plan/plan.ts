/** Plans what an exam does to a client, from what the client's tests did undisturbed. The most telling comes first. */

import type { AnyOperation } from "../../contract/operation.js";
import { lookFirst } from "../conduct/rules.js";
import type { Calls, Observation } from "../observation.js";
import type { Perturbation } from "../perturbation.js";
import type { Used } from "./disturbance.js";
import { planHarmless, planNulls, planRefusedReads } from "./replies.js";
import {
  otherLosses,
  planAnswers,
  planDown,
  planHangs,
  planLaterRefusals,
  planLosses,
  planOutcomes,
  planUnended,
  tellingLosses,
} from "./survived.js";
import { planUnnoticed, planVerdicts } from "./verdicts.js";
import { planLostWebhooks, planRareEvents, planWebhookOrders, planWebhooks } from "./webhooks.js";

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
  const [money, others] = [used.filter(movesMoney), used.filter((target) => !movesMoney(target))];
  const [firstHang, ...hangs] = planHangs(used);
  const [firstDown, ...downs] = planDown(used);
  return [
    ...planLosses(money, tellingLosses),
    ...planWebhooks(used, baseline),
    ...planVerdicts(used, simulated, baseline),
    ...planRefusedReads(used),
    ...(firstHang ? [firstHang] : []),
    ...planHarmless(used),
    ...planUnnoticed(used),
    ...planUnended(used),
    ...planNulls(used),
    ...planRareEvents(used, baseline),
    ...planLaterRefusals(money),
    ...(firstDown ? [firstDown] : []),
    ...planAnswers(money),
    ...simulated.flatMap(planOutcomes),
    ...planLosses(money, otherLosses),
    ...planWebhookOrders(used, baseline),
    ...planLaterRefusals(others),
    ...planLosses(others, tellingLosses),
    ...planAnswers(others),
    ...planLostWebhooks(baseline),
    ...planLosses(others, otherLosses),
    ...downs,
    ...hangs,
  ];
}
