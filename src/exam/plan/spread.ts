/** Spreads what happens once over a suite whose tests share an account: it would meet the first of them alone. */
import { parseObject } from "../../contract/json.js";
import type { RuleBody } from "../../rules/rule-input.js";
import { mostCalls, type Observation, opensAccounts } from "../observation.js";
import type { Perturbation } from "../perturbation.js";

/** Maximum number of calls of an operation over which something is spread. */
const maxCalls = 5;

/** Maximum number of different amounts of an operation of which each meets the same. */
const maxAmounts = 10;

/** Returns the numbers of some calls, evenly spread from 0 and never in a row, so that a repetition passes. */
function spreadOver(calls: number): number[] {
  const count = Math.min(maxCalls, Math.ceil(calls / 2));
  return Array.from({ length: count }, (_, index) => Math.ceil((index * calls) / count));
}

/** Returns different amounts of money in the requests of an operation. Empty for an event. */
function amountsIn(subject: string, { operations }: Observation): unknown[] {
  const bodies = [...(operations.get(subject)?.bodies ?? [])];
  const amounts = new Set(bodies.map((body) => parseObject(body)?.amount));
  return [...amounts].filter((amount) => typeof amount === "number").slice(0, maxAmounts);
}

/** Returns the perturbation for each event, and for calls that are spread over the suite, if its tests share an account. */
export function spread(perturbation: Perturbation, baseline: Observation): Perturbation {
  const { class: of, account, rules } = perturbation;
  if (opensAccounts(baseline) || of === "noticed" || account !== undefined) return perturbation;
  const isOrder = rules.length > 1;
  const spreadRule = (rule: RuleBody): RuleBody[] => {
    const { times, ...always } = rule;
    if (times !== 1 || rule.after !== undefined) return [rule];
    if (isOrder || rule.webhook) return [always];
    const amounts = amountsIn(rule.on, baseline);
    // The number of a call may be another one, once a test has ended early.
    if (rule.fault?.reply !== undefined && amounts.length > 1)
      return amounts.map((amount) => ({ ...rule, when: { ...rule.when, body: { amount } } }));
    const calls = baseline.operations.get(rule.on);
    // A client may wait for a minute for a reply that does not come.
    if (!calls || rule.fault?.reply_after !== undefined) return [rule];
    return spreadOver(mostCalls(calls)).map((after) => (after === 0 ? rule : { ...rule, after }));
  };
  return { ...perturbation, rules: rules.flatMap(spreadRule) };
}
