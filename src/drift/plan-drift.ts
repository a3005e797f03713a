/** Plans a drift run: probes, checks and scenarios, within limits of calls and cost. */
import type { AnyOperation } from "../contract/operation.js";
import { exampleBody, exampleQuery } from "../pact/examples.js";
import type { Scenario } from "../scenarios/scenario-file.js";
import type { Step } from "../scenarios/steps.js";
import type { SwitchId } from "../service/assumptions.js";
import { serviceOperations } from "../service/index.js";
import type { DriftCheck } from "./checks/check.js";
import { type CheckMeans, checks, costOf, hindranceOf } from "./checks/index.js";
import { type Group, groupOf, groups } from "./groups.js";
import type { PlannedScenario, Undrivable } from "./plan-scenario.js";
import { coveringScenarios, type Estimate, estimateScenarios } from "./plan-scenario.js";
import { probes } from "./probes/probes.js";
import { estimateProbes, probedIn } from "./probes/run-probes.js";

export interface DriftPlan extends Estimate {
  readonly probes: readonly SwitchId[];
  /** Checks of the groups that the run can make. */
  readonly checks: readonly DriftCheck[];
  /** Checks of the groups that it cannot make. */
  readonly untried: readonly UntriedCheck[];
  readonly groups: readonly GroupEstimate[];
  readonly scenarios: readonly PlannedScenario[];
  readonly undrivable: readonly Undrivable[];
}

interface UntriedCheck {
  readonly check: DriftCheck;
  readonly reason: string;
}

/** Each scenario is played twice, so that differences between the two are seen as noise. */
export const rounds = 2;

interface PlanOptions {
  readonly means: CheckMeans;
  readonly scenarios: readonly PlannedScenario[];
  /** Play all of the scenarios rather than the fewest that reach every operation of the groups. */
  readonly all: boolean;
  readonly maxCalls: number;
  /** In naira, at list price. */
  readonly maxCost: number;
  /** How long the run waits for something to happen, in ms. */
  readonly waitMs: number;
}

/** Plans a run within the limits of calls and cost. Scenarios that exceed them are left out and listed. */
export function planDrift(options: PlanOptions): DriftPlan {
  const { means, scenarios, all, maxCalls, maxCost, waitMs } = options;
  const { only } = means;
  const ids = probedIn(only);
  const untried: UntriedCheck[] = [];
  const tried = checks.filter((check) => {
    if (!only.includes(check.group)) return false;
    const reason = hindranceOf(check, means);
    if (reason !== null) untried.push({ check, reason });
    return reason === null;
  });
  const parts: (Estimate & { group: Group })[] = [
    ...ids.map((id) => ({ group: probes[id].group, ...estimateProbes([id], waitMs) })),
    ...tried.map((check) => ({
      group: check.group,
      calls: check.calls,
      cost: costOf(check),
      passesMs: check.passesMs ?? 0,
    })),
  ];
  if (needsMoney(tried)) parts.push({ group: "business", calls: 1, cost: 0, passesMs: 0 });
  const before = sumOf(parts);
  const excessOf = (chosen: readonly PlannedScenario[]): string | null => {
    const { calls, cost } = estimateScenarios(chosen);
    if (before.calls + rounds * calls > maxCalls)
      return `would exceed the limit of ${maxCalls} calls; pass --max-calls`;
    return before.cost + rounds * cost > maxCost
      ? `would exceed the limit of NGN ${maxCost}; pass --max-cost`
      : null;
  };
  const fits = (chosen: readonly PlannedScenario[], next: PlannedScenario) =>
    excessOf([...chosen, next]) === null;
  const isWanted = (operation: AnyOperation) => only.includes(groupOf(operation));
  const kept = all ? whileFitting(scenarios, fits) : coveringScenarios(scenarios, isWanted, fits);
  const wanted = all ? scenarios : coveringScenarios(scenarios, isWanted, () => true);
  const undrivable = [
    ...kept.flatMap((scenario) => scenario.undrivable),
    ...wanted
      .filter((scenario) => !kept.includes(scenario))
      .map(({ name }) => ({
        scenario: name,
        at: "scenario",
        reason: excessOf(wanted) ?? "cheaper scenarios reach its operations",
      })),
  ];
  for (const scenario of kept) {
    const { calls, cost, passesMs } = estimateScenarios([scenario]);
    parts.push({
      group: mainGroupOf(scenario),
      calls: rounds * calls,
      cost: rounds * cost,
      passesMs: rounds * passesMs,
    });
  }
  return {
    probes: ids,
    checks: tried,
    untried,
    scenarios: kept,
    undrivable,
    groups: byGroup(parts),
    ...sumOf(parts),
  };
}

/** Returns whether the sandbox's account needs the money of the service's account, whose overview is one more call. */
export const needsMoney = (made: readonly DriftCheck[]): boolean =>
  made.some(({ group }) => group === "business");

/** Returns the scenarios that fit beside the earlier ones. */
function whileFitting(
  scenarios: readonly PlannedScenario[],
  fits: (chosen: readonly PlannedScenario[], next: PlannedScenario) => boolean,
): PlannedScenario[] {
  const chosen: PlannedScenario[] = [];
  for (const next of scenarios) if (fits(chosen, next)) chosen.push(next);
  return chosen;
}

/** Plan of a run for a group of operations. */
interface GroupEstimate extends Estimate {
  readonly group: Group;
}

const sumOf = (parts: readonly Estimate[]): Estimate => ({
  calls: parts.reduce((sum, { calls }) => sum + calls, 0),
  cost: parts.reduce((sum, { cost }) => sum + cost, 0),
  passesMs: parts.reduce((sum, { passesMs }) => sum + passesMs, 0),
});

const byGroup = (parts: readonly GroupEstimate[]): GroupEstimate[] =>
  groups
    .map((group) => ({ group, ...sumOf(parts.filter((part) => part.group === group)) }))
    .filter(({ calls }) => calls > 0);

/** Returns the group that most of the scenario's calls belong to. */
function mainGroupOf({ steps }: PlannedScenario): Group {
  const counts = new Map<Group, number>();
  for (const step of steps)
    if (step.kind === "call") {
      const group = groupOf(step.operation);
      counts.set(group, (counts.get(group) ?? 0) + 1);
    }
  const [[group] = ["general" as const]] = [...counts].sort(([, one], [, other]) => other - one);
  return group;
}

/** Operations that can be called alone, since they need neither a record nor a file. */
const alone: readonly string[] = [
  "verifyBvn",
  "verifyNin",
  "verifyFrsc",
  "getUsage",
  "getPricing",
  "generateLogo",
  "listAudits",
  "scanText",
  "listMediaScans",
];

/** Returns scenarios of one call each, which reach an operation at the lowest cost. */
export const singleCalls = (): { name: string; scenario: Scenario }[] =>
  serviceOperations
    .filter(({ id }) => alone.includes(id))
    .map((operation) => {
      const body = exampleBody(operation);
      const query = exampleQuery(operation);
      const step = {
        call: operation.route,
        ...(body ? { body } : {}),
        ...(Object.keys(query).length > 0 ? { query } : {}),
      };
      return { name: `${operation.id} alone`, scenario: { name: operation.id, steps: [step as Step] } };
    });
