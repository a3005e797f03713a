/** Rules that a tester sets: when a request matches, its outcome is the rule's. The newest rule that matches wins. */
import type { Account } from "../world/account.js";
import { includes } from "./matching.js";
import type { Input } from "./outcomes.js";

/** Every part that is present must match. Objects match by the fields that they name, all else by equality. */
export interface RuleMatch {
  path?: string;
  query?: object;
  headers?: Record<string, string>;
  body?: object;
}

export interface Rule {
  id: string;
  /** Operation id. */
  on: string;
  when: RuleMatch;
  outcome: string;
  /** Uses left; null: without end. */
  times: number | null;
  /** From 0 to 1, drawn from the account's seed. */
  probability: number;
  used: number;
  created_at: string;
}

const table = "rules";

export function addRule(account: Account, rule: Omit<Rule, "id" | "used" | "created_at">): Rule {
  return account.commit("control", () => {
    const added: Rule = { id: account.random.id("rule_"), ...rule, used: 0, created_at: account.clock.iso() };
    account.state.put(table, added.id, added);
    return added;
  });
}

export const listRules = (account: Account): Rule[] => [...account.state.newest<Rule>(table)];

export const removeRule = (account: Account, id: string): boolean =>
  account.commit("control", () => account.state.delete(table, id));

/** The rule that decides, its use counted in a commit of its own: a refused request has used it all the same. */
export function matchingRule(account: Account, operation: string, input: Input): Rule | null {
  if (account.state.size(table) === 0) return null;
  for (const rule of listRules(account)) {
    if (rule.on !== operation || rule.times === 0 || !matches(rule.when, input)) continue;
    if (rule.probability < 1 && !draw(account, rule.probability)) continue;
    account.commit("api", () => {
      rule.used++;
      if (rule.times !== null) rule.times--;
      account.state.put(table, rule.id, rule);
    });
    return rule;
  }
  return null;
}

const draw = (account: Account, probability: number): boolean =>
  account.commit("api", () => account.random.fraction() < probability);

function matches(when: RuleMatch, input: Input): boolean {
  if (when.path !== undefined && when.path !== input.path) return false;
  if (when.query && !includes(input.query, when.query)) return false;
  if (when.body && !includes(input.body, when.body)) return false;
  for (const [name, value] of Object.entries(when.headers ?? {})) {
    if (input.headers[name.toLowerCase()] !== value) return false;
  }
  return true;
}
