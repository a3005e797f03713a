/** Flags of `standin drift`, and what they mean for a run. */
import { UnknownAssumption } from "../../contract/assumptions/assumption.js";
import { type Group, groups } from "../../drift/groups.js";
import { type Assumptions, resolveAssumptions } from "../../service/assumptions.js";
import { UsageError } from "../errors.js";
import type { ReportFlags } from "../output/report.js";
import { type Config, type SandboxFlags, toBehaviour } from "../sandbox-options.js";

export interface DriftFlags extends SandboxFlags, ReportFlags {
  against?: string;
  key?: string;
  sessionToken?: string;
  /** In ms. */
  pace?: number;
  maxCalls?: number;
  /** In naira. */
  maxCost?: number;
  iKnowThisCostsMoney?: true;
  phone?: string;
  otpCmd?: string;
  replyCmd?: string;
  webhookUrl?: string;
  webhookPort?: number;
  /** In ms. */
  wait?: number;
  only?: string[];
  scenario?: string[];
  slow?: true;
  dryRun?: true;
  questions?: true;
  markdown?: string;
  lock?: string;
  writeConfig?: true;
  check?: true;
  /** Two lock files. */
  diff?: string[];
  /** Least share of what the service confirms, in percent. */
  min?: number;
  badge?: string;
  /** In ms. */
  maxAge?: number;
}

export function selectedGroups({ only }: DriftFlags): readonly Group[] {
  if (!only) return groups;
  const unknown = only.find((name) => !(groups as readonly string[]).includes(name));
  if (unknown !== undefined)
    throw new UsageError(`--only: there is no group ${unknown}; there are ${groups.join(", ")}`);
  return groups.filter((group) => only.includes(group));
}

export function assumptionsInForce(flags: DriftFlags, config: Config): Assumptions {
  try {
    return resolveAssumptions(toBehaviour(flags, config).assumptions ?? {});
  } catch (error) {
    throw error instanceof UnknownAssumption ? new UsageError(error.message) : error;
  }
}
