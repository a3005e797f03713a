/** Runs the probes, then compares checks and scenarios between both services, with the sandbox configured as the probes found. */

import { type Kobo, toNaira } from "../contract/money.js";
import type { Scenario } from "../scenarios/scenario-file.js";
import type { Assumptions, SwitchId } from "../service/assumptions.js";
import { feeOf, flatFee, maxTransfer, percent, receiveLimit } from "../service/business/ledger.js";
import { minPayout } from "../service/business/payouts.js";
import { toIso } from "../time/time.js";
import { type CheckFinding, type DriftCheckResult, runChecks, untestable } from "./checks/check.js";
import { compareRounds, type DriftFinding, type Explained, type Round } from "./compare/compare.js";
import { ServiceContract } from "./compare/deviations.js";
import { type DriftPlan, needsMoney, rounds } from "./plan-drift.js";
import type { PlannedScenario, Undrivable } from "./plan-scenario.js";
import { isPlayedCall, play } from "./play.js";
import { type ProbeResult, runProbes } from "./probes/run-probes.js";
import { CouldNotCheck, type ServiceClient, type ServiceReply, valueIn } from "./service-client.js";
import { countedTime, type DriftSide, type PlayedSide, sharedCalls } from "./side.js";

/** A sandbox with given values of the assumptions, and an account on it. */
export interface OwnSandbox extends PlayedSide {
  /** OpenAPI document under these values. */
  readonly contract: object;
  /** Makes records on the account, as the `given` of a scenario does. */
  give(given: NonNullable<Scenario["given"]>): Promise<void>;
  close(): Promise<void>;
}

export type DriftMeans = Omit<DriftSide, "once">;

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
  /** Errors, limits, prices, states and webhooks in which the service differs. */
  readonly findings: readonly CheckFinding[];
  readonly operations: readonly OperationResult[];
  /** Differences that only one of two runs showed. They are not judged. */
  readonly noise: readonly DriftFinding[];
  readonly not_drivable: readonly Undrivable[];
}

export async function runDrift(options: DriftOptions): Promise<DriftReport> {
  const { plan, inForce, means, at, startOurs } = options;
  const theirs: DriftSide = { ...means, once: sharedCalls() };
  const results = await runProbes(plan.probes, inForce, theirs);
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
    if (needsMoney(plan.checks)) await ours.give(await moneyOf(means.service));
    const checked = await runChecks({
      checks: plan.checks,
      ours: {
        ...theirs,
        service: ours.service,
        readCode: ours.readCode,
        receiver: null,
        ...countedTime(ours.pass),
        once: sharedCalls(),
      },
      theirs,
      unexplained,
    });
    const others = [...means.service.accepted];
    const played = await playRounds(options, ours);
    const [first = [], second = []] = played;
    const known = explainedBy(checked.findings, unexplained);
    const { findings, noise } = compareRounds(
      first,
      second,
      new ServiceContract(ours.contract),
      known,
      others,
    );
    return {
      ...report,
      calls: means.service.calls,
      checks: [...checked.results, ...untried],
      findings: checked.findings,
      operations: resultsOf(plan.scenarios, played.flat(), findings, others),
      noise,
    };
  } finally {
    await ours.close();
  }
}

/**
 * Returns records that give the sandbox's account as much money as the service's account: the amount received decides
 * which payments are held, and the available balance which payouts are refused. Calls the overview.
 */
async function moneyOf(service: ServiceClient): Promise<NonNullable<Scenario["given"]>> {
  const overview = await service.call("getBusinessOverview").catch((error) => {
    if (error instanceof CouldNotCheck) return null;
    throw error;
  });
  if (!overview) return {};
  const kobo = (field: string): Kobo | null => {
    const naira = valueIn(overview, field);
    return typeof naira === "number" ? Math.max(0, Math.round(naira * 100)) : null;
  };
  const isVerified = valueIn(overview, "business_verified") === true;
  const pendingNet = kobo("pending") ?? 0;
  const available = kobo("available") ?? Math.max(0, (kobo("balance") ?? 0) - pendingNet);
  const most = isVerified ? maxTransfer : receiveLimit;
  const pending = Math.min(most, grossOf(pendingNet));
  const settled = Math.min(most - pending, Math.max((kobo("received") ?? 0) - pending, grossOf(available)));
  const surplus = settled - feeOf(settled) - available;
  const payments = [{ amount: toNaira(settled), settled: true }, { amount: toNaira(pending) }].filter(
    ({ amount }) => amount > 0,
  );
  return {
    account: { business_verified: isVerified },
    ...(payments.length > 0
      ? { payments: payments.map((payment) => ({ ...payment, outcome: "success" })) }
      : {}),
    ...(surplus >= minPayout ? { payouts: [{ amount: toNaira(surplus), outcome: "paid" }] } : {}),
  };
}

/** Returns the amount of a payment that leaves `net` after its fee. */
const grossOf = (net: Kobo): Kobo =>
  net === 0 ? 0 : Math.max(net + flatFee, Math.ceil((net * 100) / (100 - percent)));

/** Returns what probes and checks have found already, so that scenarios do not report it again. */
const explainedBy = (findings: readonly CheckFinding[], assumptions: ReadonlySet<SwitchId>): Explained => ({
  assumptions,
  operations: new Set(findings.flatMap(({ operations }) => operations)),
  refusals: findings.some(({ kind }) => kind === "error"),
});

async function playRounds({ plan, means, prefix }: DriftOptions, ours: OwnSandbox): Promise<Round[][]> {
  const all: Round[][] = [];
  for (let number = 1; number <= rounds; number++) {
    const round: Round[] = [];
    for (const [index, scenario] of plan.scenarios.entries()) {
      const own = `${prefix}-${number}-${index}-`;
      round.push({
        scenario: scenario.name,
        ours: await play(scenario, ours, own),
        theirs: await play(scenario, means, own),
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
  others: readonly ServiceReply[],
) {
  const compared = new Map<string, number>();
  const reasons = new Map<string, Set<string>>();
  for (const { scenario: name, ours, theirs } of played) {
    const steps = scenarios.find((scenario) => scenario.name === name)?.steps ?? [];
    for (const [index, step] of steps.entries()) {
      if (step.kind !== "call") continue;
      const { id } = step.operation;
      const reason = [theirs[index], ours[index]].find(
        (outcome): outcome is string => typeof outcome === "string",
      );
      if (reason !== undefined) reasons.set(id, (reasons.get(id) ?? new Set()).add(reason));
      else if (isPlayedCall(ours[index]) && isPlayedCall(theirs[index]))
        compared.set(id, (compared.get(id) ?? 0) + 1);
    }
  }
  const found = findings.map(({ operation }) => operation);
  return [...new Set([...compared.keys(), ...reasons.keys(), ...found])].map((operation): OperationResult => {
    const own = findings.filter((finding) => finding.operation === operation);
    const count =
      compared.get(operation) ?? others.filter((reply) => reply.operation.id === operation).length;
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
