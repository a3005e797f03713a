/** Plans what an exam does to a client, from what the client's tests did undisturbed. The most telling comes first. */

import type { AnyOperation } from "../../contract/operation.js";
import { movesMoney } from "../conduct/rules.js";
import type { Observation } from "../observation.js";
import type { Perturbation } from "../perturbation.js";
import type { Used } from "./disturbance.js";
import {
  isSetUp,
  otherLosses,
  planDown,
  planHangs,
  planHarmless,
  planLaterRefusals,
  planLongReplies,
  planLosses,
  planOutcomes,
  planRefusedAccounts,
  planRefusedReads,
  planUnmet,
  tellingLosses,
} from "./replies.js";
import { spread } from "./spread.js";
import { planAnswers, planKobo, planMoney, planNulls, planUnended, type Source } from "./substitutes.js";
import {
  makesFile,
  planBadEnds,
  planCutOffs,
  planDoubts,
  planMidnights,
  planPendingFirst,
  planRefusals,
  planUnmade,
  planVerdicts,
} from "./verdicts.js";
import {
  planEarlierResults,
  planInterruptions,
  planLostWebhooks,
  planWebhookOrders,
  planWebhooks,
} from "./webhooks.js";

/** Returns the plan. Of operations that exist for tests alone, only the outcomes are disturbed. */
export function planExam(baseline: Observation, operations: readonly AnyOperation[]): Perturbation[] {
  const called = operations.flatMap((operation): Used[] => {
    const calls = baseline.operations.get(operation.id);
    return calls ? [{ operation, calls }] : [];
  });
  const used = called.filter(({ operation }) => !operation.testModeOnly);
  const simulated = called.filter(({ operation }) => operation.testModeOnly);
  const money = used.filter(({ operation: { id } }) => movesMoney(id));
  const others = used.filter((target) => !money.includes(target) && !isSetUp(target));
  // An account number into which a test pays is mostly requested by the test.
  const waitedFor = [...money, ...others].filter(
    ({ operation: { id } }) => id !== "createVirtualAccount" || simulated.length === 0,
  );
  const replies = used.map(
    ({ operation: { id }, calls }): Source => ({ subject: id, said: calls.replies, is: "reply" }),
  );
  const events = [...baseline.events].map(
    ([event, said]): Source => ({ subject: event, said, is: "webhook" }),
  );
  const verdicts = [...planVerdicts(used), ...planAnswers(replies, baseline)];
  const refusals = planRefusals(used, verdicts, baseline);
  const [hangs, downs] = [planHangs(waitedFor), planDown([...money, ...others])];
  const plan = [
    ...planLosses(money, tellingLosses),
    ...planWebhooks(used, baseline),
    ...planEarlierResults(baseline),
    ...planInterruptions(used, baseline),
    ...planRefusedAccounts(used),
    ...verdicts,
    ...used.flatMap(planMidnights),
    ...planAnswers(events, baseline),
    ...planBadEnds([...used, ...simulated], baseline),
    ...planCutOffs(used),
    ...planRefusedReads(used, baseline),
    ...hangs.slice(0, 1),
    ...planHarmless(used),
    ...refusals,
    ...planMoney(replies),
    ...planDoubts(used, verdicts, refusals, baseline),
    ...used.flatMap((one) => planPendingFirst(one, baseline)),
    ...planUnended(replies),
    ...planNulls([...replies, ...events]),
    ...planKobo(events, baseline),
    ...planUnmade([...money, ...used.filter(makesFile)], baseline),
    ...planLaterRefusals(money, baseline),
    ...planLongReplies(used),
    ...downs.slice(0, 1),
    ...planUnmet(money, baseline),
    ...simulated.flatMap(planOutcomes),
    ...planLosses(money, otherLosses),
    ...planWebhookOrders(used, baseline),
    ...planLaterRefusals(others, baseline),
    ...planLosses(others, tellingLosses),
    ...planUnmet(others, baseline),
    ...planLostWebhooks(baseline),
    ...planLosses(others, otherLosses),
    ...downs.slice(1),
    ...hangs.slice(1),
  ];
  return plan.map((perturbation) => spread(perturbation, baseline));
}
