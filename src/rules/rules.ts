/**
 * Rules that a tester sets for requests and for webhook deliveries. Of those that match, the highest priority counts
 * first, and among equals the newest; one rule gives the outcome (or the error) and one, the same or another, the fault.
 */
import type { Account } from "../world/account.js";
import type { Adversity } from "./adversity.js";
import type { Fault } from "./faults.js";
import { includes, toExpectation } from "./matching.js";
import { Patience } from "./patience.js";

/** Every part that is present must match: `toExpectation` says how. Of a request the first ones, of a delivery the last. */
export interface RuleMatch {
  path?: string;
  params?: object;
  query?: object;
  headers?: Record<string, string>;
  body?: object;
  files?: object;
  event?: string;
  data?: object;
  url?: string;
}

/** What a rule does. */
export interface RuleEffect {
  outcome?: string;
  fault?: Fault;
  webhook?: Adversity;
}

/** What a rule becomes when its uses are over. */
export interface RuleStage extends RuleEffect {
  times?: number;
  probability?: number;
}

export interface Rule extends RuleEffect {
  id: string;
  /** Operation id, or `*` for each; event kind, or `webhooks` for each. */
  on: string;
  when: RuleMatch;
  priority: number;
  /** So many matches more are let pass first. */
  after: number;
  /** Uses left; null: without end. */
  times: number | null;
  /** From 0 to 1, drawn from the account's seed. */
  probability: number;
  /** One after the other. */
  next: readonly RuleStage[];
  /** The scenario with which it came, and leaves. */
  scenario: string | null;
  used: number;
  /** Why it does not count any more. */
  stopped?: string;
  created_at: string;
}

const table = "rules";

/** What a new rule says; all else has its default. */
export type RuleFields = Pick<Rule, "on"> & Partial<Omit<Rule, "id" | "used" | "stopped" | "created_at">>;

export const addRule = (account: Account, fields: RuleFields): Rule =>
  account.commit("control", () => {
    const rule: Rule = {
      id: account.random.id("rule_"),
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
    };
    account.state.put(table, rule.id, rule);
    return rule;
  });

/** Those that count first come first. */
export const listRules = (account: Account): Rule[] =>
  [...account.state.newest<Rule>(table)].sort((a, b) => b.priority - a.priority);

export const removeRule = (account: Account, id: string): boolean =>
  account.commit("control", () => account.state.delete(table, id));

/** Inside a commit. */
export function removeRulesOf(account: Account, scenario: string): void {
  for (const rule of listRules(account)) if (rule.scenario === scenario) account.state.delete(table, rule.id);
}

class NoMatcher extends Error {}

/** Told at creation, but for what a scenario fills in later. */
const refusePattern = (at: string, reason: string): never => {
  throw new NoMatcher(`when.${at}: ${reason}`);
};

const hasPattern = (when: RuleMatch): boolean => JSON.stringify(when).includes('"/');

/** Whether a rule matches; one that cannot be judged is stopped, so that no later request pays for it again. */
function matches(account: Account, rule: Rule, parts: object, patience: Patience): boolean {
  const { when } = rule;
  const stop = (reason: string): false => {
    save(account, { ...rule, stopped: reason });
    patience.stopped.push(rule.id);
    return false;
  };
  try {
    const wanted = toExpectation(when, refusePattern);
    if (!hasPattern(when)) return includes(parts, wanted);
    const found = patience.judge(() => includes(parts, wanted));
    if (found === undefined) patience.passedOver++;
    return found === null ? stop("when: its patterns take too long") : (found ?? false);
  } catch (error) {
    if (error instanceof NoMatcher) return stop(error.message);
    throw error;
  }
}

export const hasRules = (account: Account): boolean => account.state.size(table) > 0;

/**
 * The rules on one of these that match and whose turn it is, those that count first first. What only lets pass, and
 * what the dice decide against, is noted; whoever takes one of them says so with `use`.
 */
export function* matchingRules(
  account: Account,
  on: readonly string[],
  parts: object,
  patience = new Patience(),
): Generator<Rule> {
  if (!hasRules(account)) return;
  for (const rule of listRules(account)) {
    if (!on.includes(rule.on) || rule.times === 0 || rule.stopped !== undefined) continue;
    if (!matches(account, rule, parts, patience)) continue;
    if (rule.after > 0) save(account, { ...rule, after: rule.after - 1 });
    else if (rule.probability === 1 || draw(account, rule.probability)) yield rule;
  }
}

/** Counts a use, in a commit of its own where none is open: a refused request has used it all the same. */
export function use(account: Account, rule: Rule): void {
  const times = rule.times === null ? null : rule.times - 1;
  const used = { ...rule, times, used: rule.used + 1 };
  const [next, ...later] = rule.next;
  save(account, times === 0 && next ? following(used, next, later) : used);
}

function following(
  { outcome: _outcome, fault: _fault, webhook: _webhook, ...rule }: Rule,
  { times, probability, ...effect }: RuleStage,
  next: readonly RuleStage[],
): Rule {
  return { ...rule, ...effect, times: times ?? null, probability: probability ?? 1, next };
}

const save = (account: Account, rule: Rule): void =>
  account.commit("api", () => account.state.put(table, rule.id, rule));

const draw = (account: Account, probability: number): boolean =>
  account.commit("api", () => account.random.fraction() < probability);
