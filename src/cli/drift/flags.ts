/** Flags of `standin drift`. */
import { type Group, groups } from "../../drift/groups.js";
import { checkNames } from "../errors.js";
import type { ReportFlags } from "../output/report.js";
import type { SandboxFlags } from "../sandbox-options.js";

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
  checkNames("--only", "group", only, groups);
  return groups.filter((group) => only.includes(group));
}
