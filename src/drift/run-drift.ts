/** A drift run: the probes, and then the scenarios on both sides, with what the probes have shown in force on ours. */
import type { Assumptions, SwitchId } from "../contract/assumptions.js";
import type { AnyOperation } from "../contract/operation.js";
import { toIso } from "../time/time.js";
import { compareRounds, type Finding, type Round } from "./compare/compare.js";
import { ServiceContract } from "./compare/contract.js";
import { coveringScenarios, type Estimate, estimateScenarios } from "./estimate.js";
import { type Group, groupOf } from "./groups.js";
import type { PlannedScenario, Undrivable } from "./plan.js";
import { type Played, play, type Side } from "./play.js";
import type { ProbeContext } from "./probes/probe.js";
import { estimateProbes, type ProbeResult, probedIn, runProbes } from "./verdicts.js";

/** A sandbox under some values of the assumptions, and an account of it. */
export interface OwnSandbox extends Side {
  /** OpenAPI document under these values. */
  readonly contract: object;
  close(): Promise<void>;
}

export interface DriftPlan extends Estimate {
  readonly probes: readonly SwitchId[];
  readonly scenarios: readonly PlannedScenario[];
  readonly undrivable: readonly Undrivable[];
}

export interface DriftOptions {
  readonly plan: DriftPlan;
  readonly inForce: Assumptions;
  readonly means: Omit<ProbeContext, "once">;
  /** Begins the references of the run, such as `standin-drift-3f2a`. */
  readonly prefix: string;
  /** Ms since the epoch. */
  readonly at: number;
  startOurs(assumptions: Assumptions): Promise<OwnSandbox>;
}

export interface OperationResult {
  readonly operation: string;
  readonly verdict: "same" | "differs" | "could not check";
  /** Number of replies that were compared. */
  readonly compared: number;
  readonly findings: readonly Finding[];
  /** Why a call could not be checked. */
  readonly reasons: readonly string[];
}

export interface DriftReport {
  /** Origin of the service. */
  readonly against: string;
  readonly checked_at: string;
  readonly calls: number;
  readonly assumptions: readonly ProbeResult[];
  readonly operations: readonly OperationResult[];
  /** Differences that only one of two runs showed. They are not judged. */
  readonly noise: readonly Finding[];
  readonly not_drivable: readonly Undrivable[];
}

/** Each scenario is played twice, so that differences between the two are seen as noise. */
const rounds = 2;

export interface PlanOptions {
  readonly only: readonly Group[];
  readonly scenarios: readonly PlannedScenario[];
  /** Play all of the scenarios rather than the fewest that reach every operation of the groups. */
  readonly all: boolean;
  readonly maxCalls: number;
}

/** Plans a run within the limit of calls. Scenarios that exceed it are left out and listed. */
export function planDrift({ only, scenarios, all, maxCalls }: PlanOptions): DriftPlan {
  const isWanted = (operation: AnyOperation) => only.includes(groupOf(operation));
  const wanted = all ? scenarios : coveringScenarios(scenarios, isWanted);
  const ids = probedIn(only);
  const total = { ...estimateProbes(ids) };
  const undrivable = wanted.flatMap((one) => one.undrivable);
  const kept = wanted.filter((one) => {
    const { calls, cost } = estimateScenarios([one]);
    if (total.calls + rounds * calls > maxCalls) {
      undrivable.push({
        scenario: one.name,
        at: "scenario",
        reason: `would exceed the limit of ${maxCalls} calls`,
      });
      return false;
    }
    total.calls += rounds * calls;
    total.cost += rounds * cost;
    return true;
  });
  return { probes: ids, scenarios: kept, undrivable, ...total };
}

export async function runDrift(options: DriftOptions): Promise<DriftReport> {
  const { plan, inForce, means, at, startOurs } = options;
  const results = await runProbes(plan.probes, inForce, means);
  const observed = results.flatMap(({ assumption, observed: value }) =>
    value === null ? [] : [[assumption, value]],
  );
  const unexplained = new Set(
    results.filter(({ verdict }) => verdict === "neither").map(({ assumption }) => assumption),
  );
  const report = {
    against: new URL(means.service.options.baseUrl).origin,
    checked_at: toIso(at),
    assumptions: results,
    not_drivable: plan.undrivable,
  };
  if (plan.scenarios.length === 0)
    return { ...report, calls: means.service.calls, operations: [], noise: [] };
  const ours = await startOurs({ ...inForce, ...Object.fromEntries(observed) });
  try {
    const played = await playRounds(options, ours);
    const [first = [], second = []] = played;
    const { findings, noise } = compareRounds(first, second, new ServiceContract(ours.contract), unexplained);
    const operations = resultsOf(plan.scenarios, played.flat(), findings);
    return { ...report, calls: means.service.calls, operations, noise };
  } finally {
    await ours.close();
  }
}

async function playRounds({ plan, means, prefix }: DriftOptions, ours: OwnSandbox): Promise<Round[][]> {
  const theirs: Side = { client: means.service, readCode: means.readCode, pass: means.sleep };
  const all: Round[][] = [];
  for (let number = 1; number <= rounds; number++) {
    const round: Round[] = [];
    for (const [index, scenario] of plan.scenarios.entries()) {
      const own = `${prefix}-${number}-${index}-`;
      round.push({
        scenario: scenario.name,
        ours: await play(scenario, ours, own),
        theirs: await play(scenario, theirs, own),
      });
    }
    all.push(round);
  }
  return all;
}

function resultsOf(
  scenarios: readonly PlannedScenario[],
  played: readonly Round[],
  findings: readonly Finding[],
) {
  const compared = new Map<string, number>();
  const reasons = new Map<string, Set<string>>();
  for (const { scenario: name, ours, theirs } of played) {
    const steps = scenarios.find((scenario) => scenario.name === name)?.steps ?? [];
    for (const [index, step] of steps.entries()) {
      if (step.kind !== "call") continue;
      const { id } = step.operation;
      const reason = [theirs[index], ours[index]].find((one): one is string => typeof one === "string");
      if (reason !== undefined) reasons.set(id, (reasons.get(id) ?? new Set()).add(reason));
      else if (isPlayed(ours[index]) && isPlayed(theirs[index]))
        compared.set(id, (compared.get(id) ?? 0) + 1);
    }
  }
  return [...new Set([...compared.keys(), ...reasons.keys()])].map((operation): OperationResult => {
    const own = findings.filter((finding) => finding.operation === operation);
    const count = compared.get(operation) ?? 0;
    const verdict = own.length > 0 ? "differs" : count > 0 ? "same" : "could not check";
    return {
      operation,
      verdict,
      compared: count,
      findings: own,
      reasons: [...(reasons.get(operation) ?? [])],
    };
  });
}

const isPlayed = (played: Played | undefined): boolean => typeof played === "object" && played !== null;
