/** Rules that accounts have from the start, and again after a reset. */
import { Random } from "../time/random.js";
import type { Account } from "../world/account/account.js";
import { newRule, type RuleFields, rulesTable } from "./rules.js";

/** Returns the rules of an account by its number in the order of opening. */
export type RulesOfAccount = (opened: number) => readonly RuleFields[];

/** Returns a function that gives its rules to an account that is new or was reset. They change none of its other ids. */
export function standingRules(rulesOf: RulesOfAccount): (account: Account) => void {
  const numbers = new Map<string, number>();
  return (account) => {
    const number = numbers.get(account.id) ?? numbers.size;
    numbers.set(account.id, number);
    const { seed, account: origin } = account.origin;
    const random = Random.seeded(seed, origin, "standing rules");
    const made = rulesOf(number).map((fields) => newRule(account, random.id("rule_"), fields));
    account.state.fill(rulesTable, Object.fromEntries(made.map((rule) => [rule.id, rule])));
  };
}
