/** Describes what a run of the client's tests did, from the sandbox that it used. */

import { parseObject } from "../contract/json.js";
import { listRules } from "../rules/rules.js";
import type { Account } from "../world/account/account.js";
import { delivery } from "../world/webhooks/delivery.js";
import { type ConductFinding, judgeConduct } from "./conduct/judge.js";
import { describeFailedRule } from "./conduct/rule.js";
import { lookFirst } from "./conduct/rules/repeated-after-unknown.js";

/** Calls of one operation. */
export interface Calls {
  /** Numbers of the accounts that made them, in the order of opening. */
  callers: number[];
  /** Maximum number of calls on one account. */
  most: number;
  /** Maximum number on one account of calls that took effect. */
  mostEffects: number;
  outcomes: Set<string>;
  errors: Set<string>;
  /** First successful JSON reply. */
  reply: Readonly<Record<string, unknown>> | null;
}

export interface Observation {
  /** Number of accounts that were called. */
  accounts: number;
  operations: Map<string, Calls>;
  /** Kinds of events that were sent to an endpoint. */
  events: Set<string>;
  /** Events that another event of the same account always followed. */
  followed: Set<string>;
  conduct: ConductFinding[];
  /** Rules of conduct that could not judge, as sentences. */
  failedRules: Set<string>;
  /** Names of the perturbations whose rules were used. */
  used: Set<string>;
}

const emptyCalls = (): Calls => ({
  callers: [],
  most: 0,
  mostEffects: 0,
  outcomes: new Set(),
  errors: new Set(),
  reply: null,
});

/** Reads what happened on all accounts, in the order in which they were opened. */
export async function observe(accounts: Iterable<Account>): Promise<Observation> {
  const seen: Observation = {
    accounts: 0,
    operations: new Map(),
    events: new Set(),
    followed: new Set(),
    conduct: [],
    failedRules: new Set(),
    used: new Set(),
  };
  const unfollowed = new Set<string>();
  for (const [number, account] of [...accounts].entries()) {
    if (await observeCalls(account, number, seen)) seen.accounts++;
    const kinds = [...account.records.newest(delivery)].reverse().map(({ event }) => event);
    for (const kind of kinds) seen.events.add(kind);
    const last = kinds.at(-1);
    if (last !== undefined) unfollowed.add(last);
    for (const { scenario, used } of listRules(account))
      if (scenario !== null && used > 0) seen.used.add(scenario);
    const { findings, failed } = await judgeConduct(account);
    seen.conduct.push(...findings);
    for (const { rule, error } of failed) seen.failedRules.add(describeFailedRule(rule.id, error));
  }
  seen.followed = new Set([...seen.events].filter((kind) => !unfollowed.has(kind)));
  return seen;
}

/** Returns whether there were any. */
async function observeCalls(account: Account, number: number, { operations }: Observation): Promise<boolean> {
  const counts = new Map<string, { calls: number; effects: number }>();
  for (const entry of (await account.requests.list()).reverse()) {
    const { operation, status, outcome, error_code, reply } = entry;
    if (operation === null) continue;
    const calls = operations.get(operation) ?? emptyCalls();
    operations.set(operation, calls);
    const count = counts.get(operation) ?? { calls: 0, effects: 0 };
    counts.set(operation, count);
    const isSuccess = status !== null && status < 300;
    count.calls++;
    if (isSuccess) count.effects++;
    if (outcome !== null) calls.outcomes.add(outcome);
    if (error_code !== null) calls.errors.add(error_code);
    if (isSuccess) calls.reply ??= parseObject(reply);
  }
  for (const [operation, { calls, effects }] of counts) {
    const known = operations.get(operation) as Calls;
    known.callers.push(number);
    known.most = Math.max(known.most, calls);
    known.mostEffects = Math.max(known.mostEffects, effects);
  }
  return counts.size > 0;
}

/** Returns the operations that move money and took effect more often on one account than in the baseline. */
export const repeatedEffects = (run: Observation, baseline: Observation): string[] =>
  Object.keys(lookFirst).filter(
    (operation) =>
      (run.operations.get(operation)?.mostEffects ?? 0) >
      (baseline.operations.get(operation)?.mostEffects ?? 0),
  );

const keyOf = ({ rule, about }: ConductFinding): string => `${rule.id} ${about}`;

/** Returns what the client did wrong in a run and not in the baseline. */
export function newConduct(run: Observation, baseline: Observation): ConductFinding[] {
  const known = new Set(baseline.conduct.map(keyOf));
  return run.conduct.filter((finding) => !known.has(keyOf(finding)));
}

/** Returns in which kind of traffic two runs differ, as sentences. */
export function describeDifferences(one: Observation, other: Observation): string[] {
  const kinds = ({ operations, events }: Observation) => [
    ...[...operations].flatMap(([operation, { outcomes, errors }]) => [
      operation,
      ...[...outcomes, ...errors].map((name) => `${operation}: ${name}`),
    ]),
    ...events,
  ];
  const [first, second] = [kinds(one), kinds(other)];
  return [
    ...first.filter((kind) => !second.includes(kind)).map((kind) => `${kind} occurs in the first run alone`),
    ...second.filter((kind) => !first.includes(kind)).map((kind) => `${kind} occurs in the second run alone`),
  ];
}
