/** Runs the probes and judges each assumption. */
import type { Assumptions, SwitchId } from "../../service/assumptions.js";
import { priceOf } from "../../service/prices.js";
import type { Group } from "../groups.js";
import type { Estimate } from "../plan-scenario.js";
import { describeReply } from "../service-client.js";
import { type DriftSide, verdictOn } from "../side.js";
import { probes } from "./probes.js";

export const verdicts = ["confirmed", "contradicted", "neither", "not testable", "could not check"] as const;
export type ProbeVerdict = (typeof verdicts)[number];

export interface ProbeResult {
  readonly assumption: SwitchId;
  readonly group: Group;
  readonly verdict: ProbeVerdict;
  /** Value of the sandbox. */
  readonly in_force: string;
  /** Value of the service. Null if it has none of the values, or if it could not be asked. */
  readonly observed: string | null;
  /** Flag that makes the sandbox behave like the service, if it contradicts the value in force. */
  readonly flag: string | null;
  /** Why there is no value. */
  readonly reason: string | null;
  /** Requests and the statuses of their replies, without any of their values. */
  readonly evidence: readonly string[];
}

export const probedIn = (only: readonly Group[]): SwitchId[] =>
  (Object.keys(probes) as SwitchId[]).filter((id) => only.includes(probes[id].group));

/** Returns the maximum number of calls and their price in naira. Probes for which `waitMs` is too short call nothing. */
export function estimateProbes(ids: readonly SwitchId[], waitMs: number): Estimate {
  let calls = 0;
  let cost = 0;
  for (const { calls: own, charges = {}, minWaitMs = 0 } of ids.map((id) => probes[id])) {
    if (minWaitMs > waitMs) continue;
    calls += own;
    for (const [price, times] of Object.entries(charges)) cost += priceOf(price).price * times;
  }
  return { calls, cost, passesMs: 0 };
}

export async function runProbes(
  ids: readonly SwitchId[],
  inForce: Assumptions,
  side: DriftSide,
): Promise<ProbeResult[]> {
  const results: ProbeResult[] = [];
  for (const id of ids) results.push(await runProbe(id, inForce[id], side));
  return results;
}

async function runProbe(id: SwitchId, in_force: string, side: DriftSide): Promise<ProbeResult> {
  const about = { assumption: id, group: probes[id].group, in_force };
  try {
    const { value, replies, note } = await probes[id].observe(side);
    const evidence = [...replies.map(describeReply), ...(note === undefined ? [] : [note])];
    const verdict = value === null ? "neither" : value === in_force ? "confirmed" : "contradicted";
    const flag = verdict === "contradicted" ? `--assume ${id}=${value}` : null;
    return { ...about, verdict, observed: value, flag, reason: null, evidence };
  } catch (error) {
    return { ...about, ...verdictOn(error), observed: null, flag: null, evidence: [] };
  }
}
