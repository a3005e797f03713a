/** Runs the probes, then compares checks and scenarios between both services, with the sandbox configured as the probes found. */
import type { Assumptions, SwitchId } from "../service/assumptions.js";
import { toIso } from "../time/time.js";
import type { CheckedSide } from "./checks/check.js";
import { type CheckFinding, type DriftCheckResult, runChecks, untestable } from "./checks/run-checks.js";
import { compareRounds, type DriftFinding, type Explained, type Round } from "./compare/compare.js";
import { ServiceContract } from "./compare/contract.js";
import { type DriftPlan, rounds } from "./plan-drift.js";
import type { PlannedScenario, Undrivable } from "./plan-scenario.js";
import { type DriftSide, type Played, play } from "./play.js";
import type { ProbeContext } from "./probes/probe.js";
import { type ProbeResult, runProbes, sharedCalls } from "./verdicts.js";

/** A sandbox under some values of the assumptions, and an account of it. */
export interface OwnSandbox extends DriftSide {
  /** OpenAPI document under these values. */
  readonly contract: object;
  close(): Promise<void>;
}

export interface DriftMeans extends Omit<ProbeContext, "once"> {
  /** Secret of the webhooks. Null without --webhook-secret. */
  readonly webhookSecret: string | null;
  /** Time that has passed, in ms. Default: the time that `sleep` has let pass. */
  now?(): number;
}

export interface DriftOptions {
  readonly plan: DriftPlan;
  readonly inForce: Assumptions;
  readonly means: DriftMeans;
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
  readonly findings: readonly DriftFinding[];
  /** Why a call could not be checked. */
  readonly reasons: readonly string[];
}

export interface DriftReport {
  /** Origin of the service. */
  readonly against: string;
  readonly checked_at: string;
  readonly calls: number;
  readonly assumptions: readonly ProbeResult[];
  readonly checks: readonly DriftCheckResult[];
  /** In which error, limit, price, state or webhook the service differs. */
  readonly findings: readonly CheckFinding[];
  readonly operations: readonly OperationResult[];
  /** Differences that only one of two runs showed. They are not judged. */
  readonly noise: readonly DriftFinding[];
  readonly not_drivable: readonly Undrivable[];
}

export async function runDrift(options: DriftOptions): Promise<DriftReport> {
  const { plan, inForce, means, at, startOurs } = options;
  const once = sharedCalls();
  const results = await runProbes(plan.probes, inForce, means, once);
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
  const untried = plan.untried.map(({ check, reason }) => untestable(check, reason));
  const none = { checks: untried, findings: [], operations: [], noise: [] };
  if (plan.scenarios.length === 0 && plan.checks.length === 0)
    return { ...report, ...none, calls: means.service.calls };
  const ours = await startOurs({ ...inForce, ...Object.fromEntries(observed) });
  try {
    const checked = await runChecks({
      checks: plan.checks,
      ours: sideOf({ ...means, service: ours.client, receiver: null, sleep: ours.pass }, sharedCalls()),
      theirs: sideOf(means, once),
      unexplained,
    });
    const played = await playRounds(options, ours);
    const [first = [], second = []] = played;
    const known = explainedBy(checked.findings, unexplained);
    const { findings, noise } = compareRounds(first, second, new ServiceContract(ours.contract), known);
    return {
      ...report,
      calls: means.service.calls,
      checks: [...checked.results, ...untried],
      findings: checked.findings,
      operations: resultsOf(plan.scenarios, played.flat(), findings),
      noise,
    };
  } finally {
    await ours.close();
  }
}

/** Returns what probes and checks have found already, so that scenarios do not find it again. */
const explainedBy = (findings: readonly CheckFinding[], assumptions: ReadonlySet<SwitchId>): Explained => ({
  assumptions,
  operations: new Set(findings.flatMap(({ operations }) => operations)),
  refusals: findings.some(({ kind }) => kind === "error"),
});

/** Returns a side as checks see it. Without a clock of its own, its time is what it lets pass. */
function sideOf(means: DriftMeans, once: CheckedSide["once"]): CheckedSide {
  const { service, phone, receiver, webhookSecret, sleep, reference, now } = means;
  let passed = 0;
  return {
    service,
    phone,
    receiver,
    webhookSecret,
    reference,
    once,
    now: () => now?.() ?? passed,
    async pass(ms) {
      await sleep(ms);
      passed += ms;
    },
  };
}

async function playRounds({ plan, means, prefix }: DriftOptions, ours: OwnSandbox): Promise<Round[][]> {
  const theirs: DriftSide = { client: means.service, readCode: means.readCode, pass: means.sleep };
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
  findings: readonly DriftFinding[],
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
