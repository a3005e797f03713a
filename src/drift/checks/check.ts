/**
 * Checks, each of which compares an error, a limit, a price, a state or webhooks: the facts that a reply shows, and how
 * a check is made on both sides and reported.
 */
import { errorCodeOf, statusSwitchOf } from "../../contract/error-body.js";
import { type ErrorCode, errors } from "../../contract/errors.js";
import { isObject } from "../../contract/json.js";
import type { SwitchId } from "../../service/assumptions.js";
import { fieldName } from "../compare/deviations.js";
import type { Group } from "../groups.js";
import type { ReceivedReply } from "../service-client.js";
import { type DriftSide, verdictOn } from "../side.js";

export const checkKinds = ["error", "limit", "money", "state", "webhook"] as const;
export type CheckKind = (typeof checkKinds)[number];

/**
 * Facts that a side shows, by name, the most telling first. Null marks a fact that the state of the account hides, which
 * is not compared. Contains no personal data.
 */
export type Facts = Readonly<Record<string, string | number | boolean | null>>;

/** Returns a state or reason of a reply if it looks like one, so that no other value reaches the report. */
export const wordOf = (value: unknown): string =>
  typeof value === "string" && /^[a-z][a-z_]{0,39}$/.test(value) ? value : "another value";

export interface DriftCheck {
  /** Name such as `limit.phone.tries`. */
  readonly id: string;
  readonly kind: CheckKind;
  readonly group: Group;
  /** The question, such as `wrong codes until a phone verification is locked`. */
  readonly about: string;
  /** Operations whose replies show it. */
  readonly operations: readonly string[];
  /** Maximum number of calls. */
  readonly calls: number;
  /** Maximum number of charged calls, by key of fixtures/prices.json. */
  readonly charges?: Readonly<Record<string, number>> | undefined;
  /** Time that has to pass, in ms. */
  readonly passesMs?: number;
  /** Set if the check takes many calls, minutes or money. Such checks need --slow. */
  readonly slow?: boolean | undefined;
  /** Set if the check needs a webhook address that the service can reach. */
  readonly receives?: true;
  /** Facts of the sandbox. By default, the sandbox is asked in the same way as the service. */
  readonly expected?: Facts;
  /** Rejects with NotTestable or CouldNotCheck if the side cannot be asked. */
  observe(side: DriftSide): Promise<Facts>;
}

/** A row of a table of checks. Its kind and group follow from its id and its first operation. */
export type CheckRow = Omit<DriftCheck, "kind" | "group">;

/** The facts of an error that hold for every refusal, and their names in findings. */
const commonFacts = { media_type: "content type", fields: "envelope", type: "type", param: "param" };

/** Returns the status of a reply and, for a refusal, its code. */
export const answerOf = ({ status, body }: Pick<ReceivedReply, "status" | "body">): string =>
  status < 400 ? `${status}` : `${status} ${errorCodeOf(body) ?? "without a code"}`;

/** Returns what a refusal shows. An accepted request shows its status alone. */
export function refusalFacts(reply: ReceivedReply): Facts {
  const { status, mediaType, body, headers } = reply;
  if (status < 400) return { media_type: null, fields: null, answer: answerOf(reply) };
  const { error = body } = (isObject(body) ? body : {}) as { error?: unknown };
  const own = isObject(error) ? error : {};
  const text = (value: unknown) => (typeof value === "string" ? fieldName(value) : "none");
  return {
    media_type: mediaType || "none",
    fields: fieldsOf(body),
    answer: answerOf(reply),
    type: text(own.type),
    param: typeof own.param === "string" ? own.param.slice(0, 60).replaceAll(/\d{5,}/g, "N") : "none",
    retry_after: status === 429 ? headers.has("retry-after") : null,
  };
}

function fieldsOf(body: unknown): string {
  if (!isObject(body)) return "no object";
  const fields = Object.entries(body).map(([name, value]) =>
    isObject(value)
      ? `${fieldName(name)} {${Object.keys(value).map(fieldName).sort().join(", ")}}`
      : fieldName(name),
  );
  return fields.sort().join(", ");
}

export interface DriftCheckResult {
  readonly check: string;
  readonly kind: CheckKind;
  readonly group: Group;
  readonly about: string;
  readonly verdict: "confirmed" | "contradicted" | "not testable" | "could not check";
  /** Value that the service shows, such as `tries 5`. Null without a verdict. */
  readonly observed: string | null;
  /** Why there is no verdict. */
  readonly reason: string | null;
}

export interface CheckFinding {
  /** Check, such as `limit.phone.tries`; `error.` and a code or a part if several refusals differ in the same way. */
  readonly check: string;
  readonly kind: CheckKind;
  readonly problem: string;
  /** Operations that show it. */
  readonly operations: readonly string[];
}

export interface CheckReport {
  readonly results: readonly DriftCheckResult[];
  readonly findings: readonly CheckFinding[];
}

interface Difference {
  readonly check: DriftCheck;
  readonly fact: string;
  readonly ours: Facts[string];
  readonly theirs: Facts[string];
}

export interface CheckRun {
  readonly checks: readonly DriftCheck[];
  readonly ours: DriftSide;
  readonly theirs: DriftSide;
  /** Assumptions where the service matches none of our values. Whatever they decide is not compared again. */
  readonly unexplained: ReadonlySet<SwitchId>;
}

const toResult = (
  { id, kind, group, about }: DriftCheck,
  verdict: DriftCheckResult["verdict"],
  observed: string | null,
  reason: string | null = null,
): DriftCheckResult => ({ check: id, kind, group, about, verdict, observed, reason });

/** Returns the result of a check that was not made. */
export const untestable = (check: DriftCheck, reason: string): DriftCheckResult =>
  toResult(check, "not testable", null, reason);

export async function runChecks({ checks, ours, theirs, unexplained }: CheckRun): Promise<CheckReport> {
  const results: DriftCheckResult[] = [];
  const differences: Difference[] = [];
  for (const check of checks) {
    const result = (verdict: DriftCheckResult["verdict"], observed: string | null, reason?: string) =>
      void results.push(toResult(check, verdict, observed, reason));
    try {
      const expected = check.expected ?? (await check.observe(ours));
      const seen = await check.observe(theirs);
      const found = differencesIn(check, expected, seen, unexplained);
      if (found.length === 0) {
        result("confirmed", formatFacts(seen));
        continue;
      }
      const again = differencesIn(check, expected, await check.observe(theirs), unexplained);
      const lasting = found.filter((difference) => again.some((other) => isSame(difference, other)));
      differences.push(...lasting);
      if (lasting.length === 0) result("could not check", null, "two tries showed different things");
      else result("contradicted", formatFacts(seen));
    } catch (error) {
      const { verdict, reason } = verdictOn(error);
      result(verdict, null, reason);
    }
  }
  return { results, findings: toFindings(differences) };
}

const isSame = (one: Difference, other: Difference): boolean =>
  one.fact === other.fact && one.theirs === other.theirs;

function differencesIn(
  check: DriftCheck,
  expected: Facts,
  seen: Facts,
  unexplained: ReadonlySet<SwitchId>,
): Difference[] {
  const all = Object.keys({ ...expected, ...seen }).flatMap((fact): Difference[] => {
    const [ours = null, theirs = null] = [expected[fact], seen[fact]];
    return ours === null || theirs === null || ours === theirs ? [] : [{ check, fact, ours, theirs }];
  });
  if (check.kind !== "error") return all;
  // A refusal that differs in one thing often differs in others because of it.
  const [first] = all;
  return first && !isExplained(first, unexplained) ? [first] : [];
}

/** Returns whether the verdict on an assumption already covers the difference of a refusal. */
function isExplained({ ours }: Difference, unexplained: ReadonlySet<SwitchId>): boolean {
  if (unexplained.has("errors.body")) return true;
  const [, code = ""] = String(ours).split(" ");
  const decidedBy = Object.hasOwn(errors, code) ? statusSwitchOf(code as ErrorCode) : null;
  return decidedBy !== null && unexplained.has(decidedBy);
}

/** Merges equal differences of refusals into one finding: a renamed error differs wherever it occurs. */
function toFindings(differences: readonly Difference[]): CheckFinding[] {
  const groups = new Map<string, Difference[]>();
  for (const difference of differences) {
    const key = keyOf(difference);
    groups.set(key, [...(groups.get(key) ?? []), difference]);
  }
  return [...groups.values()].map((group) => {
    const [first] = group as [Difference];
    const operations = [...new Set(group.flatMap(({ check }) => check.operations))];
    const { kind } = first.check;
    return kind === "error"
      ? { check: nameOf(first), kind, problem: formatError(group, operations), operations }
      : { check: first.check.id, kind, problem: formatDifferences(group), operations };
  });
}

function keyOf({ check, fact, ours, theirs }: Difference): string {
  if (check.kind !== "error") return check.id;
  if (fact === "param" || fact === "type") return fact;
  return [fact, ours, theirs].join("\n");
}

function nameOf({ fact, ours }: Difference): string {
  if (fact !== "answer") return `error.${fact}`;
  const [status = "", code = status] = String(ours).split(" ");
  return `error.${code}`;
}

function formatError(group: readonly Difference[], operations: readonly string[]): string {
  const [difference] = group as [Difference];
  const [first = "", ...more] = operations;
  const who = more.length === 0 ? first : `${first} and ${more.length} more`;
  return `${who}: ${formatDifference(difference)}, to ${difference.check.about}`;
}

const formatDifferences = (group: readonly Difference[]): string =>
  `${(group as [Difference])[0].check.about}: ${group.map(formatDifference).join(", ")}`;

const formatDifference = ({ fact, ours, theirs }: Difference): string =>
  `${formatName(fact)} ${formatFact(theirs)} (sandbox: ${formatFact(ours)})`;

const formatName = (fact: string): string =>
  commonFacts[fact as keyof typeof commonFacts] ?? fact.replaceAll("_", " ");

function formatFact(value: Facts[string]): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return value === "" ? "none" : String(value);
}

const formatFacts = (facts: Facts): string =>
  Object.entries(facts)
    .filter(([, value]) => value !== null)
    .map(([fact, value]) => `${formatName(fact)} ${formatFact(value)}`)
    .join(", ");
