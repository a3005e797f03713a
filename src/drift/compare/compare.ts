/** Compares two rounds of both sides. What only one round shows is noise. */
import { errorCodeOf, statusSwitchOf } from "../../contract/error-body.js";
import { type ErrorCode, errors } from "../../contract/errors.js";
import type { SwitchId } from "../../service/assumptions.js";
import { isPlayedCall, type Played, type PlayedCall } from "../play.js";
import { type ServiceReply, valueIn } from "../service-client.js";
import { compareRelations, compareValues } from "./compare-replies.js";
import type { Deviation, ServiceContract } from "./deviations.js";

export const layers = ["contract", "shape", "relations"] as const;
export type Layer = (typeof layers)[number];

export interface DriftFinding extends Deviation {
  readonly operation: string;
  readonly layer: Layer;
  /** Scenario that shows it first; `checks` if none does. */
  readonly scenario: string;
}

/** One scenario, played once on each side. */
export interface Round {
  readonly scenario: string;
  readonly ours: readonly Played[];
  readonly theirs: readonly Played[];
}

export interface Comparison {
  readonly findings: readonly DriftFinding[];
  /** Findings that only one of the two rounds shows. */
  readonly noise: readonly DriftFinding[];
}

/** Results of the probes and checks. */
export interface Explained {
  /** Assumptions where the service matches none of our values. */
  readonly assumptions: ReadonlySet<SwitchId>;
  /** Operations whose values, states and refusals are known to differ. */
  readonly operations: ReadonlySet<string>;
  /** Whether refusals are known to differ. */
  readonly refusals: boolean;
}

const nothing: Explained = { assumptions: new Set(), operations: new Set(), refusals: false };

const keyOf = ({ operation, at, problem }: DriftFinding): string => `${operation}\n${at}\n${problem}`;
const placeOf = ({ operation, at }: DriftFinding): string => `${operation}\n${at}`;

/**
 * Compares the rounds, and the replies to all other requests with the contract. What `explained` covers is not reported again.
 */
export function compareRounds(
  first: readonly Round[],
  second: readonly Round[],
  contract: ServiceContract,
  explained: Explained = nothing,
  others: readonly ServiceReply[] = [],
): Comparison {
  const [one, other] = [first, second].map((rounds) => {
    const found = new Map<string, DriftFinding>();
    for (const finding of rounds.flatMap((round) => compareRound(round, contract, explained)))
      if (!found.has(keyOf(finding))) found.set(keyOf(finding), finding);
    return found;
  }) as [Map<string, DriftFinding>, Map<string, DriftFinding>];
  const beside = checkReplies(others, contract, explained);
  const both = [...[...one.values()].filter((finding) => other.has(keyOf(finding))), ...beside.findings];
  const findings = withoutRepetitions(both);
  const seen = new Set(findings.map(placeOf));
  const single = [...one.values(), ...other.values()].filter(
    (finding) => !(one.has(keyOf(finding)) && other.has(keyOf(finding))) && !seen.has(placeOf(finding)),
  );
  const unseen = beside.noise.filter((finding) => !seen.has(placeOf(finding)));
  return { findings, noise: withoutRepetitions([...single, ...unseen]) };
}

/** Returns the deviations from the contract. If only one of several replies of an operation deviates, it is noise. */
function checkReplies(
  replies: readonly ServiceReply[],
  contract: ServiceContract,
  { assumptions }: Explained,
): Comparison {
  const found = new Map<string, { finding: DriftFinding; count: number }>();
  const counts = new Map<string, number>();
  for (const reply of replies) {
    const operation = reply.operation.id;
    counts.set(operation, (counts.get(operation) ?? 0) + 1);
    for (const deviation of contract.check(reply)) {
      if (deviation.at === "status" && assumptions.has("http.created")) continue;
      const finding: DriftFinding = { ...deviation, operation, layer: "contract", scenario: "checks" };
      const before = found.get(keyOf(finding));
      found.set(keyOf(finding), { finding, count: (before?.count ?? 0) + 1 });
    }
  }
  const all = [...found.values()];
  const isRepeated = ({ finding: { operation }, count }: (typeof all)[number]) =>
    count > 1 || counts.get(operation) === 1;
  return {
    findings: all.filter(isRepeated).map(({ finding }) => finding),
    noise: all.filter((counted) => !isRepeated(counted)).map(({ finding }) => finding),
  };
}

/** Keeps one finding per place, from the first layer, and drops findings inside another one. */
function withoutRepetitions(all: readonly DriftFinding[]): DriftFinding[] {
  const sorted = [...all].sort((a, b) => layers.indexOf(a.layer) - layers.indexOf(b.layer));
  const kept: DriftFinding[] = [];
  for (const finding of sorted) {
    const isKnown = kept.some(({ operation, at }) => {
      if (operation !== finding.operation) return false;
      return at === finding.at || finding.at.startsWith(`${at}.`) || finding.at.startsWith(`${at}[`);
    });
    if (!isKnown) kept.push(finding);
  }
  return kept;
}

function compareRound({ scenario, ours, theirs }: Round, contract: ServiceContract, explained: Explained) {
  const findings: DriftFinding[] = [];
  const relations = compareRelations(ours, theirs);
  /** Ids that deviate. Replies to later requests with one of them are not compared. */
  const wrongIds: string[] = [];
  for (const [index, own] of ours.entries()) {
    const other = theirs[index];
    if (!isPlayedCall(own) || !isPlayedCall(other)) continue;
    const { id: operation } = own.operation;
    const add = (layer: Layer) => (deviation: Deviation) =>
      void findings.push({ ...deviation, operation, layer, scenario });
    if (mentions(other, wrongIds)) continue;
    const ofContract = isExplained(own, other, explained) ? [] : contract.check(other.reply);
    const isKnown = explained.operations.has(operation) || isExplained(own, other, explained);
    if (ofContract.some(({ at }) => at === "id")) wrongIds.push(String(valueIn(other.reply, "id")));
    ofContract.forEach(add("contract"));
    if (own.reply.status !== other.reply.status) {
      if (ofContract.length === 0 && !isKnown)
        add("shape")({
          at: "status",
          problem: `is ${other.reply.status} where the sandbox answers ${own.reply.status}`,
        });
      continue;
    }
    if (isKnown) continue;
    const ofValues = compareValues(own, other);
    ofValues.forEach(add("shape"));
    const changed = new Set([...ofContract, ...ofValues].map(({ at }) => parentOf(at)));
    const isSum = ({ problem }: Deviation) => problem.includes(" less ");
    // A sum is wrong because of the amounts that are reported already.
    (relations.get(index) ?? [])
      .filter((deviation) => !isSum(deviation) || !changed.has(parentOf(deviation.at)))
      .forEach(add("relations"));
  }
  return findings;
}

const mentions = ({ request: { params, body } }: PlayedCall, ids: readonly string[]): boolean => {
  const sent = JSON.stringify([params, body]);
  return ids.some((id) => sent.includes(JSON.stringify(id)));
};

const parentOf = (at: string): string => at.slice(0, Math.max(at.lastIndexOf("."), 0));

/** Returns whether the reply's deviation is known already. */
function isExplained(
  ours: PlayedCall,
  theirs: PlayedCall,
  { assumptions, operations, refusals }: Explained,
): boolean {
  const { status, body } = ours.reply;
  const isRefused = status >= 400 || theirs.reply.status >= 400;
  if (isRefused && (refusals || operations.has(ours.operation.id))) return true;
  if (status < 300) return assumptions.has("http.created") && theirs.reply.status < 300;
  if (assumptions.has("errors.body")) return theirs.reply.status === status;
  const code = errorCodeOf(body);
  const decidedBy = code !== null && Object.hasOwn(errors, code) ? statusSwitchOf(code as ErrorCode) : null;
  return decidedBy !== null && assumptions.has(decidedBy);
}
