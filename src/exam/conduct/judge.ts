/** Judges the conduct of the client of an account afterwards, by its requests and webhook attempts. */
import { Turns } from "../../time/turns.js";
import type { Account } from "../../world/account/account.js";
import type { JournalEntry } from "../../world/activity/request-journal.js";
import { delivery } from "../../world/webhooks/delivery.js";
import { type ConductRule, conductRules } from "./rules.js";
import { ClientCall, type Traffic } from "./traffic.js";

export interface ConductFinding {
  rule: ConductRule;
  /** Operation or event. */
  about: string;
  /** Description of the first occurrence. */
  happened: string;
  /** Number of occasions. */
  count: number;
  /** Ids of the requests and deliveries of the first occasions. */
  evidence: string[];
  /** Whether all occasions are mild. */
  isMild: boolean;
}

/** A rule that threw an error and therefore judged nothing. */
export interface FailedRule {
  rule: ConductRule;
  /** Message of the error. */
  error: string;
}

export interface ConductJudgement {
  /** At most one finding for each rule and operation or event. */
  findings: ConductFinding[];
  failed: FailedRule[];
  /** Number of requests that were judged. Without any, no finding means nothing. */
  requests: number;
  /** Number of webhook deliveries that were judged. */
  deliveries: number;
}

/** Maximum number of ids that a finding names. */
const maxEvidence = 10;

/** Reads the bodies of the requests, given oldest first, and the deliveries. */
export function readTraffic(account: Account, requests: readonly JournalEntry[]): Traffic {
  const { log } = account.activities;
  // Without their bodies, nothing can be said about requests.
  const entries = requests.filter(({ trimmed }) => !trimmed);
  const isRunning = account.clock.setting.frozen_at === null;
  const questions = new Map<string, number>();
  const calls = entries.map((entry) => {
    const number = log.get(entry.id)?.number ?? -1;
    const text = `${entry.method} ${entry.path} ${entry.body ?? ""}`;
    const question = questions.get(text) ?? questions.size;
    questions.set(text, question);
    return new ClientCall(entry, isRunning && number > log.clockSetAt, question);
  });
  return {
    calls,
    deliveries: [...account.records.newest(delivery)].reverse(),
    wasFrozen: log.wasFrozen || !isRunning,
    hasEndpoint: account.outbox.endpoints().length > 0,
  };
}

/** Judges the client of an account by each of the rules. A failing rule does not affect the others. */
export async function judgeConduct(account: Account, rules = conductRules): Promise<ConductJudgement> {
  return judgeTraffic(readTraffic(account, (await account.requests.list()).reverse()), rules);
}

/** Judges traffic by each of the rules. A failing rule does not affect the others. */
export async function judgeTraffic(traffic: Traffic, rules = conductRules): Promise<ConductJudgement> {
  const judgement: ConductJudgement = {
    findings: [],
    failed: [],
    requests: traffic.calls.length,
    deliveries: traffic.deliveries.length,
  };
  const turns = new Turns();
  for (const rule of rules) {
    await turns.step();
    try {
      judgement.findings.push(...judgeByRule(rule, traffic));
    } catch (error) {
      judgement.failed.push({ rule, error: String(error) });
    }
  }
  return judgement;
}

function judgeByRule(rule: ConductRule, traffic: Traffic): Iterable<ConductFinding> {
  const byAbout = new Map<string, ConductFinding>();
  for (const { about, happened, evidence, isMild = false } of rule.judge(traffic)) {
    const finding = byAbout.get(about) ?? { rule, about, happened, count: 0, evidence: [], isMild };
    finding.count++;
    finding.isMild &&= isMild;
    finding.evidence = [...new Set([...finding.evidence, ...evidence])].slice(0, maxEvidence);
    byAbout.set(about, finding);
  }
  return byAbout.values();
}
