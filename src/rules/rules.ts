/**
 * The account's rules for requests and webhook deliveries. Among matching rules, the highest priority comes first, and
 * then the newest. One rule gives the outcome or the error; the same or another rule gives the fault.
 */
import { toHeaderValue } from "../contract/headers.js";
import { Random } from "../time/random.js";
import type { Account } from "../world/account/account.js";
import { table } from "../world/store/table.js";
import { releaseDeliveries } from "../world/webhooks/delivery.js";
import { InvalidPattern, MatchingBudget, MatchingBudgetSpent } from "./linear-pattern.js";
import { includes, toExpectation } from "./matching.js";
import { placeholderProblem } from "./patterns.js";
import type { EffectFields, MatchFields, StageFields } from "./rule-input.js";

export interface StoredRule extends EffectFields {
  id: string;
  /** Operation id, or `*` for every operation; event kind, or `webhooks` for every event. */
  on: string;
  /** Parts to match: `path` to `files` of a request, `event` to `url` of a delivery. */
  when: MatchFields;
  priority: number;
  /** Number of matches still to let pass. */
  after: number;
  /** Number of uses left, or null for no limit. */
  times: number | null;
  /** Probability from 0 to 1 that a match counts, drawn from the account's seed. */
  probability: number;
  /** Later stages, in order. */
  next: readonly StageFields[];
  /** Name of the scenario that added the rule and removes it when it ends. */
  scenario: string | null;
  used: number;
  created_at: string;
}

export const rulesTable = table<StoredRule>("rules");

/** The fields of a new rule. Omitted fields have their defaults. */
export type RuleFields = Pick<StoredRule, "on"> & Partial<Omit<StoredRule, "id" | "used" | "created_at">>;

/** Returns a rule with its defaults. */
export const newRule = (account: Account, id: string, fields: RuleFields): StoredRule => ({
  id,
  when: {},
  priority: 0,
  after: 0,
  times: null,
  probability: 1,
  next: [],
  scenario: null,
  ...fields,
  used: 0,
  created_at: account.clock.iso(),
});

export const addRule = (account: Account, fields: RuleFields): StoredRule =>
  account.commit("control", () => {
    const rule = newRule(account, account.random.id("rule_"), fields);
    account.state.put(rulesTable, rule.id, rule);
    return rule;
  });

/** Returns the rules in the order in which they are tried. */
export const listRules = (account: Account): StoredRule[] =>
  [...account.state.newest(rulesTable)].sort((a, b) => b.priority - a.priority);

/** Removes a rule and releases what it holds. Returns false when there is none. */
export const removeRule = (account: Account, id: string): boolean =>
  account.commit("control", () => remove(account, id));

/** Inside a commit: removes a rule. */
function remove(account: Account, id: string): boolean {
  releaseDeliveries(account, id);
  account.afterCommit(() => account.held.release(id));
  return account.state.delete(rulesTable, id);
}

/** Inside a commit: removes the rules of a scenario. */
export function removeRulesOf(account: Account, scenario: string): void {
  for (const rule of listRules(account)) if (rule.scenario === scenario) remove(account, rule.id);
}

/** Evaluation of the rules of one request or delivery. */
export class RuleEvaluation {
  readonly budget = new MatchingBudget();
  /** Ids of the rules with patterns that are not accepted. */
  readonly stopped: string[] = [];
  /** Number of rules whose patterns would have exceeded the budget. */
  skipped = 0;

  /** Formats the rules that were not evaluated for a reply's header, or returns null when all were. */
  format(): string | null {
    const parts = this.stopped.length > 0 ? [`stopped=${toHeaderValue(this.stopped.join(" "))}`] : [];
    if (this.skipped > 0) parts.push(`passed-over=${this.skipped}`);
    return parts.length > 0 ? parts.join(", ") : null;
  }
}

/**
 * Returns why a rule does not apply, or null. Patterns are checked when a rule is created, but scenarios fill some in
 * later, and rules that an earlier version has stored may have patterns that are no longer accepted.
 */
export function whyStopped({ when }: StoredRule): string | null {
  const found = placeholderProblem(when);
  return found && `when.${found.message}`;
}

function matches(rule: StoredRule, parts: object, evaluation: RuleEvaluation): boolean {
  try {
    return includes(parts, toExpectation(rule.when, evaluation.budget));
  } catch (error) {
    if (error instanceof InvalidPattern) evaluation.stopped.push(rule.id);
    else if (error instanceof MatchingBudgetSpent) evaluation.skipped++;
    else throw error;
    return false;
  }
}

export const hasRules = (account: Account): boolean => account.state.size(rulesTable) > 0;

/**
 * Yields the rules on one of these subjects that match and apply now, in order, as far as `isWanted`. Counts down `after` and
 * draws the probability; a caller that acts on a rule calls `countUse`.
 */
export function* matchingRules(
  account: Account,
  on: readonly string[],
  parts: object,
  evaluation = new RuleEvaluation(),
  isWanted: (rule: StoredRule) => boolean = () => true,
): Generator<StoredRule> {
  if (!hasRules(account)) return;
  for (const rule of listRules(account)) {
    if (!on.includes(rule.on) || rule.times === 0 || !isWanted(rule)) continue;
    if (!matches(rule, parts, evaluation)) continue;
    if (rule.after > 0) save(account, { ...rule, after: rule.after - 1 });
    else if (rule.probability === 1 || draw(account, rule.probability)) yield rule;
  }
}

/** Counts a use, in its own commit if none is open, so that a refusal does not undo it. */
export function countUse(account: Account, rule: StoredRule): void {
  const times = rule.times === null ? null : rule.times - 1;
  const used = { ...rule, times, used: rule.used + 1 };
  const [next, ...later] = rule.next;
  save(account, times === 0 && next ? toStage(used, next, later) : used);
}

/** Gives back a use of a rule that had no effect. `before` is the rule as it was before that use. */
export function returnUse(account: Account, before: StoredRule): void {
  const rule = account.state.get(rulesTable, before.id);
  if (!rule) return;
  if (rule.used === before.used + 1) return save(account, before);
  const isSameStage = rule.next.length === before.next.length;
  const times = rule.times !== null && isSameStage ? rule.times + 1 : rule.times;
  save(account, { ...rule, used: rule.used - 1, times });
}

function toStage(
  { outcome: _outcome, fault: _fault, webhook: _webhook, hold: _hold, ...rule }: StoredRule,
  { times, probability, ...effect }: StageFields,
  next: readonly StageFields[],
): StoredRule {
  return { ...rule, ...effect, times: times ?? null, probability: probability ?? 1, next };
}

const save = (account: Account, rule: StoredRule): void =>
  account.commit("api", () => account.state.put(rulesTable, rule.id, rule));

const draw = (account: Account, probability: number): boolean =>
  account.commit("api", () => account.random.fraction() < probability);

/**
 * Returns the rules of an account, given its number in the order of opening. `isUsed` says whether any account has used
 * rules of a scenario.
 */
export type RulesOfAccount = (opened: number, isUsed: (scenario: string) => boolean) => readonly RuleFields[];

/** Returns a function that adds the rules to an account that is new or was reset. They change none of its other ids. */
export function standingRules(rulesOf: RulesOfAccount): (account: Account) => void {
  const accounts = new Map<string, Account>();
  const isUsed = (name: string): boolean =>
    [...accounts.values()].some((account) =>
      listRules(account).some(({ scenario, used }) => scenario === name && used > 0),
    );
  return (account) => {
    accounts.set(account.id, account);
    const number = [...accounts.keys()].indexOf(account.id);
    const { seed, account: origin } = account.origin;
    const random = Random.seeded(seed, origin, "standing rules");
    const made = rulesOf(number, isUsed).map((fields) => newRule(account, random.id("rule_"), fields));
    account.state.fill(rulesTable, Object.fromEntries(made.map((rule) => [rule.id, rule])));
  };
}
