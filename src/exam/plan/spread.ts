/** Spreads what happens once over a suite whose tests share an account: it would meet the first of them alone. */
import { parseObject } from "../../contract/json.js";
import type { RuleBody } from "../../rules/rule-input.js";
import { mostCalls, type Observation, opensAccounts } from "../observation.js";
import type { Perturbation } from "../perturbation.js";

/** Maximum number of calls of an operation over which something is spread. */
const maxCalls = 5;

/** Maximum number of requests, told apart by their amounts, over which something is spread. */
const maxRequests = 10;

/** Returns the numbers of some calls, evenly spread from 0 and never in a row, so that a repetition passes. */
function spreadOver(calls: number): number[] {
  const count = Math.min(maxCalls, Math.ceil(calls / 2));
  return Array.from({ length: count }, (_, index) => Math.ceil((index * calls) / count));
}

/** Returns the number of requests of an operation with each amount of money. */
function countAmounts(subject: string, { operations }: Observation): Map<number, number> {
  const counts = new Map<number, number>();
  for (const [body, count] of operations.get(subject)?.bodies ?? []) {
    const amount = parseObject(body)?.amount;
    if (typeof amount === "number") counts.set(amount, (counts.get(amount) ?? 0) + count);
  }
  return counts;
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
    const calls = baseline.operations.get(rule.on);
    // A client may wait for a minute for a reply that does not come.
    if (!calls || rule.fault?.reply_after !== undefined) return [rule];
    const over = (count: number, one = rule) =>
      spreadOver(count).map((after) => (after === 0 ? one : { ...one, after }));
    const amounts = countAmounts(rule.on, baseline);
    if (rule.fault?.reply === undefined || amounts.size <= 1) return over(mostCalls(calls));
    // Once a test has ended early, the number of a call is another one, and its amount is the same.
    return [...amounts]
      .flatMap(([amount, count]) => over(count, { ...rule, when: { ...rule.when, body: { amount } } }))
      .slice(0, maxRequests);
  };
  return { ...perturbation, rules: rules.flatMap(spreadRule) };
}
