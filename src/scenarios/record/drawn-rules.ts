/**
 * Rules that draw from the account's seed. A run has another seed, so that they are left out of a recording: a rule of
 * one use comes before each call that they affected.
 */
import { formatFault } from "../../rules/faults.js";
import type { RuleBody, StageFields } from "../../rules/rule-input.js";
import type { CallResult } from "../../world/activity/activity.js";

const stagesOf = (rule: RuleBody): StageFields[] => [rule, ...(rule.next ?? [])];

/** Returns whether the rule's effects depend on the account's seed. Latency does not count: it changes no result. */
export const isDrawn = (rule: RuleBody): boolean =>
  stagesOf(rule).some(
    ({ probability = 1, webhook }) => probability < 1 || typeof webhook?.delay === "object",
  );

/** Formats the entry of a left-out rule: its subject, and what is there in its place. */
export const formatLeftOut = (rule: RuleBody): string =>
  stagesOf(rule).some(({ webhook }) => webhook !== undefined)
    ? `a rule on ${rule.on} that draws: webhooks are delivered without its faults`
    : `a rule on ${rule.on} that draws: each request that it decided has a rule of one use in its place`;

export class DrawnRules {
  readonly #byId = new Map<string, RuleBody>();
  /** Rules of the loaded scenario, whose ids are not known. */
  #ofScenario: readonly RuleBody[] = [];

  add(id: string, rule: RuleBody): void {
    this.#byId.set(id, rule);
  }

  addOfScenario(rules: readonly RuleBody[]): void {
    this.#ofScenario = rules;
  }

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  /** Returns a rule of one use that affects the operation as a drawn rule affected this call. Null if none did. */
  standInFor(operation: string, call: CallResult): RuleBody | null {
    if (call.rule === null) return null;
    const own = this.#byId.get(call.rule);
    for (const rule of own ? [own] : this.#ofScenario) {
      const stage = stagesOf(rule).find((one) => hasAffected(one, call));
      if (!stage) continue;
      const { outcome, fault } = stage;
      const { priority } = rule;
      return {
        on: operation,
        ...(outcome === undefined ? {} : { outcome }),
        ...(fault === undefined ? {} : { fault }),
        ...(priority === undefined ? {} : { priority }),
        times: 1,
      };
    }
    return null;
  }
}

const hasAffected = ({ outcome, fault }: StageFields, call: CallResult): boolean =>
  (outcome !== undefined && call.decided_by === "rule" && call.outcome === outcome) ||
  (fault !== undefined && call.asked_fault === formatFault(fault));
