/** Describes what a run of the client's tests did, from the sandbox that it used. */

import { isDeepStrictEqual } from "node:util";
import { type ErrorCode, type ErrorKind, errors } from "../contract/errors.js";
import { isObject, parseJson } from "../contract/json.js";
import { isSuccessStatus } from "../contract/reply-forms.js";
import { defaultOutcome } from "../rules/outcomes.js";
import { listRules, type StoredRule } from "../rules/rules.js";
import { serviceOperations } from "../service/index.js";
import { fromIso, minute, parseDuration, second } from "../time/time.js";
import type { Account } from "../world/account/account.js";
import type { JournalEntry } from "../world/activity/request-journal.js";
import type { Delivery } from "../world/webhooks/delivery.js";
import { type ConductFinding, judgeTraffic, readTraffic } from "./conduct/judge.js";
import {
  beyondBalance,
  busyPolling,
  type ConductRule,
  checkout,
  describeFailedRule,
  ignoredRetryAfter,
  isUnnamed,
  lookFirst,
  noBackoff,
  repeatedAfterUnknown,
  staleCode,
} from "./conduct/rules.js";
import { type ClientCall, spanOf, type Traffic } from "./conduct/traffic.js";

/** Maximum number of different values that are remembered of one field. */
const maxValues = 50;

/** Returns the entry of a map. Adds a new one if it is absent. */
function getOrCreate<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const value = map.get(key) ?? create();
  map.set(key, value);
  return value;
}

/** The union of JSON values that were seen in one place: which fields there were, and which values they had. */
export class Shape {
  /** Texts, numbers, booleans and nulls by path: field names joined by dots, `*` for the elements of a list. */
  readonly values = new Map<string, Set<unknown>>();
  /** Paths of objects. The whole value has an empty path. */
  readonly objects = new Set<string>();
  /** Length of the longest list at each path. The whole value has an empty path. */
  readonly lists = new Map<string, number>();

  /** Adds a value to the union. */
  add(value: unknown, path = ""): void {
    const inner = (name: string) => (path === "" ? name : `${path}.${name}`);
    if (Array.isArray(value)) {
      this.lists.set(path, Math.max(this.lists.get(path) ?? 0, value.length));
      for (const element of value) this.add(element, inner("*"));
    } else if (isObject(value)) {
      this.objects.add(path);
      for (const [name, field] of Object.entries(value)) this.add(field, inner(name));
    } else {
      const known = getOrCreate(this.values, path, () => new Set());
      if (known.size < maxValues) known.add(value);
    }
  }

  /** Returns whether a field had a value. */
  has = (path: string, value: unknown): boolean => this.values.get(path)?.has(value) ?? false;

  /** Returns the first number of each field that had one, by path. */
  numbers(): Map<string, number> {
    const first = new Map<string, number>();
    for (const [path, values] of this.values)
      for (const value of values) if (typeof value === "number" && !first.has(path)) first.set(path, value);
    return first;
  }
}

/** Calls of one operation. */
export class Calls {
  /** Number of calls of each account that made any, by the number of the account in the order of opening. */
  readonly callers = new Map<number, number>();
  /** Numbers of the accounts whose first request took effect. */
  readonly effective = new Set<number>();
  /** Paths of the requests, in the order of the first request of each. */
  readonly paths = new Set<string>();
  /** Number of calls of each account that took effect, or that lack of balance alone kept from it. */
  readonly effects = new Map<number, number>();
  readonly outcomes = new Set<string>();
  readonly errors = new Set<string>();
  /** Bodies of the requests, with the number of requests that had each. */
  readonly bodies = new Map<string, number>();
  /** Repetitions of disturbed requests that lack fields which the request had: the bodies, with the names of these fields. */
  readonly lacking = new Map<string, readonly string[]>();
  /** Error codes of requests that the service refused because they were wrong in themselves. */
  readonly invalid = new Set<string>();
  /** Union of all successful JSON replies. */
  readonly replies = new Shape();
  /** Time in ms after which the client gave a reply up that was held back. 0 if it gave none up while its tests went on. */
  givenUpAfterMs = 0;
}

const withoutQuery = (path: string): string => path.split("?")[0] as string;

/** Returns the maximum number of calls on one account. */
export const mostCalls = ({ callers }: Calls): number => Math.max(0, ...callers.values());

/** Number of accounts from which on each test is assumed to open its own. */
const severalAccounts = 3;

/** Returns whether tests open accounts of their own. */
export const opensAccounts = ({ accounts }: Observation): boolean => accounts >= severalAccounts;

export class Observation {
  /** Number of accounts that were called. */
  accounts = 0;
  readonly operations = new Map<string, Calls>();
  /** Kinds of events that were sent to an endpoint, each with the union of their payloads. */
  readonly events = new Map<string, Shape>();
  /** Numbers of the accounts on which the tests have brought about a fault, or another outcome than the usual one. */
  readonly unusual = new Set<number>();
  /** Values of the assumptions that the service follows, by id. */
  readonly inForce: Record<string, string> = {};
  /** Subjects of rules by which the tests have brought about a fault, or another outcome than the usual one. */
  readonly ruled = new Set<string>();
  /** Events that another event of the same account always followed, for which the client wrote nothing in between. */
  followed = new Set<string>();
  conduct: ConductFinding[] = [];
  /** Numbers of the bank accounts to which payouts went, by their amounts in naira. */
  readonly paidTo = new Map<unknown, Set<unknown>>();
  /** Conduct that only one of two undisturbed runs has shown, such as slow answers of a busy machine. */
  occasional: ConductFinding[] = [];
  /** Rules of conduct that could not judge, as sentences. */
  readonly failedRules = new Set<string>();
  /** Names of the perturbations whose rules were used: on requests, or on webhooks that have reached the client. */
  readonly used = new Set<string>();
  /** Operations that were refused on an account on which nothing was read afterwards. */
  readonly refusedUnseen = new Set<string>();
  /** Operations that move money, of which nothing was read once the service had decided on the record. */
  readonly decidedUnseen = new Set<string>();
  /** Operations whose last call was refused by a rule when a webhook came again, which was accepted without another call. */
  readonly droppedWork = new Set<string>();
  /** Operations that were read several times in a row after a reply that a rule had changed. */
  readonly readOn = new Set<string>();
  /** Events that reached the client on an account on which nothing was read afterwards. */
  readonly heardAlone = new Set<string>();
  /** Events that the receiver has answered with an error. */
  readonly turnedAway = new Set<string>();
  /**
   * Events by the operations that are work on them, each with the number of the first account that heard the event: on each such
   * account, a call was made while a delivery of the event was handled. The earliest call comes first.
   */
  readonly workOn = new Map<string, readonly Work[]>();
  /** Whether the first call of an operation came soon after an event was answered, on each account: work for which nobody waits. */
  readonly isAfterEvent = new Map<string, boolean>();
}

interface Work {
  event: string;
  account: number;
  /** Number of calls of the operation on the account before. */
  after: number;
}

/** An attempt that takes this long in ms has reached a client that does not answer. */
const slowAnswerMs = 5 * second;

/** Time in ms after which the service has decided on a payout or a refund. Interface: "about a minute". */
const decidedAfterMs = 2 * minute;

/** Outcomes after which the money is where it was, so that a client may try again. */
const withoutEffect: readonly unknown[] = ["failed", "rejected"];

const usualOutcomes = new Map(
  serviceOperations.map((operation) => [operation.id, defaultOutcome(operation)]),
);

/** Traffic and rules of an account, until now or until it was reset. Requests and deliveries are oldest first. */
export interface AccountPast {
  id: string;
  /** Its last moment, in ms on the account's clock. */
  endedAt: number;
  requests: readonly JournalEntry[];
  /** Payloads of the deliveries, in their order. */
  payloads: readonly unknown[];
  rules: readonly StoredRule[];
  traffic: Traffic;
}

/** Copies what has happened on an account, which a reset forgets. */
export function readPast(account: Account): AccountPast {
  // Copies, since a reset takes their texts away.
  const requests = account.requests
    .listInMemory()
    .reverse()
    .map((entry) => ({ ...entry }));
  const traffic = readTraffic(account, requests);
  return {
    id: account.id,
    endedAt: account.clock.now(),
    requests,
    payloads: traffic.deliveries.map(({ event_id }) => parseJson(account.outbox.event(event_id)?.body) ?? {}),
    rules: listRules(account),
    traffic,
  };
}

/**
 * Reads what happened on all accounts, in the order in which they were opened. `earlier`: what happened before accounts were
 * reset, oldest first.
 */
export async function observe(
  accounts: Iterable<Account>,
  earlier: readonly AccountPast[] = [],
): Promise<Observation> {
  const seen = new Observation();
  const unfollowed = new Set<string>();
  const calls: AccountCalls[] = [];
  for (const [number, account] of [...accounts].entries()) {
    const pasts = [...earlier.filter(({ id }) => id === account.id), readPast(account)];
    let isCalled = false;
    Object.assign(seen.inForce, account.outbox.options.assumptions);
    for (const past of pasts) {
      isCalled = observeCalls(past, number, seen) || isCalled;
      calls.push(...accountCallsOf(past, number));
      const { payloads, rules, traffic } = past;
      const { deliveries } = traffic;
      for (const [index, { event }] of deliveries.entries())
        getOrCreate(seen.events, event, () => new Shape()).add(payloads[index]);
      for (const event of unfollowedIn(past)) unfollowed.add(event);
      for (const { id, scenario, used, webhook } of rules)
        if (scenario !== null && used > 0 && (!webhook || webhook.drop || hasArrived(id, deliveries)))
          seen.used.add(scenario);
      for (const { on, scenario, fault, outcome } of rules)
        if (scenario === null && (fault || outcome)) {
          seen.unusual.add(number);
          seen.ruled.add(on);
        }
      const { findings, failed } = await judgeTraffic(traffic);
      seen.conduct.push(...findings.filter(({ isMild }) => !isMild));
      for (const { rule, error } of failed) seen.failedRules.add(describeFailedRule(rule.id, error));
    }
    if (isCalled) seen.accounts++;
  }
  observeWork(calls, seen);
  seen.followed = new Set([...seen.events.keys()].filter((kind) => !unfollowed.has(kind)));
  return seen;
}

/**
 * Returns the events that were the last ones of an account, or the last ones before the client wrote something: it may have waited
 * for them.
 */
function unfollowedIn({ requests, traffic: { deliveries } }: AccountPast): string[] {
  const writes = requests.filter(({ method }) => method !== "GET").map(({ at }) => at);
  const sentAt = ({ attempts: [first] }: Delivery) => fromIso(first?.at ?? "") ?? Number.NaN;
  return deliveries
    .filter((one, index) => {
      const next = deliveries.slice(index + 1).find(({ event_id }) => event_id !== one.event_id);
      return !next || writes.some((at) => at > sentAt(one) && at <= sentAt(next));
    })
    .map(({ event }) => event);
}

/** Returns whether the webhooks that a rule disturbs have reached the client: none is still to come. */
function hasArrived(rule: string, deliveries: readonly Delivery[]): boolean {
  const own = deliveries.filter((one) => one.rule === rule);
  return (
    own.length > 0 &&
    own.every(({ attempts, lose_answer, cut_off }) => lose_answer || cut_off || attempts.some(isReached))
  );
}

/** Whether the client was there: it has answered, or was given time to. */
const isReached = ({ status, duration_ms }: Delivery["attempts"][number]): boolean =>
  status !== null || duration_ms >= slowAnswerMs;

/** Returns what was refused, decided or heard on an account on which no read followed it. */
function observeSilence({ requests, traffic, endedAt }: AccountPast, seen: Observation): void {
  const reads = requests.filter(({ method, status }) => method === "GET" && status === 200);
  const lastOf = (some: readonly JournalEntry[]) =>
    Math.max(Number.NEGATIVE_INFINITY, ...some.map(({ at }) => at));
  for (const { operation, method, status, at } of requests) {
    if (operation === null || method === "GET" || status === null) continue;
    const looks = lookFirst[operation];
    // A read of something else does not show whether money was moved.
    const lastLook = lastOf(looks ? reads.filter((read) => looks.includes(read.operation ?? "")) : reads);
    const isRefused = status >= 400;
    if (isRefused && at > lastLook) seen.refusedUnseen.add(operation);
    if (!isRefused && looks && at > lastLook && at + decidedAfterMs <= endedAt)
      seen.decidedUnseen.add(operation);
  }
  const lastRead = lastOf(reads);
  for (const { event, attempts } of traffic.deliveries) {
    const heard = attempts.find(({ status }) => status !== null);
    if (heard && (fromIso(heard.at) ?? 0) >= lastRead) seen.heardAlone.add(event);
    if (attempts.some(({ status }) => status !== null && !isSuccessStatus(status)))
      seen.turnedAway.add(event);
  }
}

/** Returns the next call of the same operation. */
const nextOf = <Call extends { operation: string | null }>(
  calls: readonly Call[],
  index: number,
): Call | undefined => calls.slice(index + 1).find(({ operation }) => operation === calls[index]?.operation);

/** Notes the operations that were refused as work on a webhook, and were not called again when it came again and was accepted. */
function observeDroppedWork({ requests, traffic }: AccountPast, { droppedWork }: Observation): void {
  const accepted = traffic.deliveries
    .flatMap(({ attempts }) => attempts.slice(1))
    .filter(({ status }) => status !== null && isSuccessStatus(status))
    .map(spanOf);
  for (const [index, entry] of requests.entries()) {
    const { operation, at } = entry;
    if (operation === null || !isRefusedByRule(entry)) continue;
    const next = nextOf(requests, index);
    const isUnrepeated = ({ startedAt, answeredAt }: (typeof accepted)[number]) =>
      startedAt > at && (next === undefined || next.at > answeredAt + soonMs);
    if (accepted.some(isUnrepeated)) droppedWork.add(operation);
  }
}

/** Notes the requests that repeat one which a rule has disturbed, and lack some of its fields. */
function observeLacking({ traffic: { calls } }: AccountPast, { operations }: Observation): void {
  for (const [index, { operation, body, entry }] of calls.entries()) {
    const next = entry.asked_fault ? nextOf(calls, index) : undefined;
    const fields = Object.entries(next?.body ?? {});
    if (!next?.entry.body || fields.length === 0) continue;
    const isPart = fields.every(([name, value]) => isDeepStrictEqual(value, body[name]));
    const lacking = Object.keys(body).filter((name) => !Object.hasOwn(next.body, name));
    if (isPart && lacking.length > 0) operations.get(operation)?.lacking.set(next.entry.body, lacking);
  }
}

/** Number of reads in a row by which a client has seen what has become of a record. */
const enoughReads = 3;

/** Notes the reads that were repeated, with nothing in between, after a reply that a rule had changed. */
function observeReadOn({ requests }: AccountPast, { readOn }: Observation): void {
  for (const [index, { operation, path, asked_fault }] of requests.entries()) {
    if (operation === null || !asked_fault?.includes("set=")) continue;
    const next = requests.slice(index + 1, index + 1 + enoughReads);
    if (next.length === enoughReads && next.every((read) => read.path === path && read.status === 200))
      readOn.add(operation);
  }
}

/** Returns the first item of each key, in the order of the items. */
function firstOfEach<Item>(items: readonly Item[], keyOf: (item: Item) => unknown): Item[] {
  const first = new Map<unknown, Item>();
  for (const item of items) getOrCreate(first, keyOf(item), () => item);
  return [...first.values()];
}

/** Time in ms within which work on an event begins that is done after the event was answered. */
const soonMs = second / 4;

/** The calls of an operation on an account, and what its receiver was doing at them. */
interface AccountCalls {
  operation: string;
  account: number;
  /** Events that the receiver had not answered yet at a call, with the number of calls before it. The earliest call comes first. */
  during: readonly Omit<Work, "account">[];
  /** Whether the first one came soon after an event was answered. */
  isAfterEvent: boolean;
  /** Events that the account heard. */
  heard: ReadonlySet<string>;
}

/** Returns the calls of each operation on an account, with what its receiver was doing at them. */
function accountCallsOf({ traffic }: AccountPast, account: number): AccountCalls[] {
  const { calls, deliveries, wasFrozen } = traffic;
  const heard = new Set(deliveries.map(({ event }) => event));
  const attempts = deliveries.flatMap(({ event, attempts: [attempt] }) => {
    return attempt ? { event, ...spanOf(attempt) } : [];
  });
  const arrivesWithin = ({ arrivedAt }: ClientCall, fromMs: number, toMs: number) =>
    !wasFrozen && arrivedAt >= fromMs && arrivedAt < toMs;
  return firstOfEach(calls, ({ operation }) => operation).map((first) => {
    const { operation } = first;
    // Where deliveries overlap, the latest is the cause.
    const during = calls
      .filter((call) => call.operation === operation)
      .flatMap((call, after) =>
        attempts
          .filter(({ startedAt, answeredAt }) => arrivesWithin(call, startedAt, answeredAt))
          .map(({ event }) => ({ event, after }))
          .reverse(),
      );
    const isAfterEvent = attempts.some(({ answeredAt }) =>
      arrivesWithin(first, answeredAt, answeredAt + soonMs),
    );
    return { operation, account, during: firstOfEach(during, ({ event }) => event), isAfterEvent, heard };
  });
}

/** Notes which operations are work on an event: while its receiver had not answered yet, or soon afterwards. */
function observeWork(calls: readonly AccountCalls[], { workOn, isAfterEvent }: Observation): void {
  for (const operation of new Set(calls.map((one) => one.operation))) {
    const own = calls.filter((one) => one.operation === operation);
    isAfterEvent.set(
      operation,
      own.every((one) => one.isAfterEvent),
    );
    // A call may meet a delivery by chance.
    const isWork = ({ event }: { event: string }) =>
      own.every(({ during, heard }) => during.some((work) => work.event === event) || !heard.has(event));
    const works = own.flatMap(({ during, account }) =>
      during.filter(isWork).map((work) => ({ ...work, account })),
    );
    workOn.set(
      operation,
      firstOfEach(works, ({ event }) => event),
    );
  }
}

/** Returns whether a rule asked the service to refuse a request. */
const isRefusedByRule = ({ asked_fault }: JournalEntry): boolean => asked_fault?.includes("error=") ?? false;

const operationsForTests = serviceOperations.filter(({ testModeOnly }) => testModeOnly).map(({ id }) => id);

/** Returns whether the service could not read a file, and no rule says so. */
const isUnreadable = ({ error_code, decided_by }: JournalEntry): boolean =>
  error_code === ("file_unreadable" satisfies ErrorCode) && decided_by !== "rule";

/** Returns whether the service has refused a request of the client because it was wrong in itself. */
const isInvalid = (entry: JournalEntry): boolean =>
  ((errors[entry.error_code as keyof typeof errors] as ErrorKind | undefined)?.validation === true ||
    isUnreadable(entry)) &&
  !isRefusedByRule(entry) &&
  !operationsForTests.includes(entry.operation ?? "");

/** Returns whether the service has refused a payout because of the balance alone. */
const isBeyondBalance = (entry: JournalEntry): boolean =>
  entry.error_code === beyondBalance && !isRefusedByRule(entry);

/** Time in ms on the account's clock for which tests go on at least after a client, and not their end, has given a reply up. */
const goesOnMs = second / 2;

/** Returns after how many ms the client gave a reply up that a rule held back, or 0. */
const givenUpAfter = (
  { at, asked_fault, status, duration_ms }: JournalEntry,
  { endedAt }: AccountPast,
): number => {
  const [, held] = /reply_after=(\d\w+)/.exec(asked_fault ?? "") ?? [];
  if (held === undefined || status === null || status >= 300 || duration_ms === null) return 0;
  const isGivenUp = duration_ms < (parseDuration(held) ?? 0) && at + duration_ms + goesOnMs < endedAt;
  return isGivenUp ? duration_ms : 0;
};

/** Returns whether there were any. */
function observeCalls(past: AccountPast, number: number, seen: Observation): boolean {
  const { operations } = seen;
  const counts = new Map<string, { calls: number; effects: number }>();
  observeSilence(past, seen);
  observeDroppedWork(past, seen);
  observeReadOn(past, seen);
  for (const entry of past.requests) {
    const { operation, status, outcome, error_code, reply } = entry;
    if (operation === null) continue;
    const calls = getOrCreate(operations, operation, () => new Calls());
    const count = getOrCreate(counts, operation, () => ({ calls: 0, effects: 0 }));
    const isSuccess = status !== null && status < 300;
    count.calls++;
    if (count.calls === 1 && isSuccess) calls.effective.add(number);
    calls.paths.add(withoutQuery(entry.path));
    if (entry.body) calls.bodies.set(entry.body, (calls.bodies.get(entry.body) ?? 0) + 1);
    calls.givenUpAfterMs = Math.max(calls.givenUpAfterMs, givenUpAfter(entry, past));
    const isEffective = (isSuccess && !withoutEffect.includes(outcome)) || isBeyondBalance(entry);
    if (isEffective && !isUnnamed(entry)) count.effects++;
    if (outcome !== null) calls.outcomes.add(outcome);
    if (outcome !== null && outcome !== usualOutcomes.get(operation)) seen.unusual.add(number);
    if (error_code !== null) calls.errors.add(error_code);
    if (error_code !== null && isInvalid(entry)) calls.invalid.add(error_code);
    const value = isSuccess ? parseJson(reply) : undefined;
    if (value !== undefined) calls.replies.add(value);
    if (operation === "createPayout" && isObject(value))
      getOrCreate(seen.paidTo, value.amount, () => new Set()).add(value.account_number);
  }
  observeLacking(past, seen);
  for (const [operation, { calls, effects }] of counts) {
    const known = operations.get(operation) as Calls;
    known.callers.set(number, Math.max(known.callers.get(number) ?? 0, calls));
    known.effects.set(number, Math.max(known.effects.get(number) ?? 0, effects));
  }
  return counts.size > 0;
}

/**
 * Compares the numbers of an account after the other, the largest first, since accounts may be opened in another order. Returns
 * the first that is larger than before, or null.
 */
function firstLarger(
  now: ReadonlyMap<number, number> | undefined,
  before: ReadonlyMap<number, number> | undefined,
  by = 1,
): { now: number; before: number } | null {
  const sorted = (counts: ReadonlyMap<number, number> = new Map()) =>
    [...counts.values()].sort((a, b) => b - a);
  const known = sorted(before);
  const pairs = sorted(now).map((count, index) => ({ now: count, before: known[index] ?? 0 }));
  return pairs.find((pair) => pair.now >= pair.before + by) ?? null;
}

/**
 * Returns the operations that move money, or are named, and that were called, and took effect, more often on one account than
 * in the baseline. What lack of balance alone kept from taking effect counts as well. A checkout moves no money.
 */
export const repeatedEffects = (run: Observation, baseline: Observation, others: readonly string[] = []) =>
  [...Object.keys(lookFirst).filter((operation) => operation !== checkout), ...others].flatMap(
    (operation) => {
      const [now, before] = [run, baseline].map((one) => one.operations.get(operation));
      const effects = firstLarger(now?.effects, before?.effects);
      if (!effects || !firstLarger(now?.callers, before?.callers)) return [];
      return [{ operation, ...effects, isShort: now?.errors.has(beyondBalance) ?? false }];
    },
  );

/** Returns the payouts that went to a bank account to which another amount went in the baseline. */
export const misdirectedPayouts = (
  { paidTo }: Observation,
  baseline: Observation,
): { amount: unknown; account: unknown }[] => {
  const known = new Set([...baseline.paidTo.values()].flatMap((accounts) => [...accounts]));
  return [...paidTo].flatMap(([amount, accounts]) => {
    const usual = baseline.paidTo.get(amount);
    return [...accounts]
      .filter((account) => usual && !usual.has(account) && known.has(account))
      .map((account) => ({ amount, account }));
  });
};

/** Returns the sum of the numbers of all accounts. */
const totalOf = (counts: ReadonlyMap<number, number> = new Map()): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0);

/** Returns whether an operation took effect less often than in the baseline. */
export const isRarer = (operation: string, run: Observation, baseline: Observation): boolean =>
  totalOf(run.operations.get(operation)?.effects) < totalOf(baseline.operations.get(operation)?.effects);

/** Returns whether the client called everything else at least as often as in the baseline. */
export const goesOn = (operation: string, run: Observation, baseline: Observation): boolean =>
  [...baseline.operations].every(
    ([other, { callers }]) =>
      other === operation || totalOf(run.operations.get(other)?.callers) >= totalOf(callers),
  );

/** Returns the operations whose request was repeated without some of its fields, as no undisturbed request was made. */
export const lackingRequests = (
  run: Observation,
  baseline: Observation,
): { operation: string; lacking: readonly string[] }[] =>
  [...run.operations].flatMap(([operation, calls]) =>
    [...calls.lacking]
      .filter(([body]) => !baseline.operations.get(operation)?.bodies.has(body))
      .map(([, lacking]) => ({ operation, lacking })),
  );

/** Returns the operations that refused a request as wrong in itself, with a code that no undisturbed request got. */
export const invalidRequests = (
  run: Observation,
  baseline: Observation,
): { operation: string; code: string }[] =>
  [...run.operations].flatMap(([operation, { invalid }]) =>
    [...invalid]
      .filter((code) => !baseline.operations.get(operation)?.errors.has(code))
      .map((code) => ({ operation, code })),
  );

const keyOf = ({ rule, about }: ConductFinding): string => `${rule.id} ${about}`;

/**
 * Rules about a request that is sent again and again. The same requests of several tests, or of a user who tries once more, are
 * no repetitions: a client that repeats makes two requests more than undisturbed.
 */
const aboutRepetitions: readonly ConductRule[] = [ignoredRetryAfter, noBackoff, staleCode];

/** Returns whether tests that share an account make the same request of an operation several times undisturbed. */
const asksAgain = (operation: string, baseline: Observation): boolean =>
  !opensAccounts(baseline) &&
  [...(baseline.operations.get(operation)?.bodies.values() ?? [])].some((count) => count > 1);

/** Returns how many calls more than undisturbed an account has to make at least, for the client to be to blame. */
function callsMore({ rule, about }: ConductFinding, baseline: Observation): number {
  if (aboutRepetitions.includes(rule)) return 2;
  return rule === repeatedAfterUnknown && asksAgain(about, baseline) ? 1 : 0;
}

/** Returns whether an account has made as many calls more as a finding asks for. */
function isOftenEnough(finding: ConductFinding, run: Observation, baseline: Observation): boolean {
  const more = callsMore(finding, baseline);
  const [now, before] = [run, baseline].map(({ operations }) => operations.get(finding.about)?.callers);
  return more === 0 || firstLarger(now, before, more) !== null;
}

/**
 * Returns what the client did wrong in a run and not in the baseline. A test that waits in vain for what a disturbance
 * withholds reads again and again: that says nothing about the client.
 */
export function newConduct(run: Observation, baseline: Observation): ConductFinding[] {
  const known = new Set([...baseline.conduct, ...baseline.occasional].map(keyOf));
  return run.conduct.filter(
    (finding) =>
      finding.rule !== busyPolling && !known.has(keyOf(finding)) && isOftenEnough(finding, run, baseline),
  );
}

/** Leaves in the first undisturbed run the conduct, and the work on events, that the second has shown too. */
export function keepCommon(first: Observation, second: Observation): void {
  const [before, again] = [first, second].map(({ conduct }) => new Set(conduct.map(keyOf)));
  first.occasional = [
    ...first.conduct.filter((finding) => !again?.has(keyOf(finding))),
    ...second.conduct.filter((finding) => !before?.has(keyOf(finding))),
  ];
  first.conduct = first.conduct.filter((finding) => again?.has(keyOf(finding)));
  // Tests that run in parallel open their accounts in any order.
  for (const [operation, works] of first.workOn) {
    const others = second.workOn.get(operation) ?? [];
    const common = works.filter((work) => others.some((other) => isDeepStrictEqual(other, work)));
    first.workOn.set(operation, common);
  }
}

/** Returns in which kind of traffic two runs differ, as sentences. */
export function describeDifferences(one: Observation, other: Observation): string[] {
  const kinds = ({ operations, events }: Observation) => [
    ...[...operations].flatMap(([operation, { outcomes, errors }]) => [
      operation,
      ...[...outcomes, ...errors].map((name) => `${operation}: ${name}`),
    ]),
    ...events.keys(),
  ];
  const [first, second] = [kinds(one), kinds(other)];
  return [
    ...first.filter((kind) => !second.includes(kind)).map((kind) => `${kind} occurs in the first run alone`),
    ...second.filter((kind) => !first.includes(kind)).map((kind) => `${kind} occurs in the second run alone`),
  ];
}
