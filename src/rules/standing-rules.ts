/** Rules that accounts have from the start, and again after a reset. */
import { Random } from "../time/random.js";
import type { Account } from "../world/account/account.js";
import { listRules, newRule, type RuleFields, rulesTable } from "./rules.js";

/** Returns the rules of an account by its number in the order of opening. `isUsed` says whether any account has used rules of a scenario. */
export type RulesOfAccount = (opened: number, isUsed: (scenario: string) => boolean) => readonly RuleFields[];

/** Returns a function that gives its rules to an account that is new or was reset. They change none of its other ids. */
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
