/** One thing that an exam does to a client, as rules of every account that the client's tests open. */
import { isDeepStrictEqual } from "node:util";
import { stringify } from "yaml";
import type { RuleBody } from "../rules/rule-input.js";

/** Requirement on the client: its tests still pass, it does no harm, or its tests fail. */
export const examClasses = {
  absorbed: "must be absorbed: the tests still pass",
  survived: "must be survived: the tests may fail, but nothing is done twice, and the client ends by itself",
  noticed: "must be noticed: the tests fail",
} as const;
export type ExamClass = keyof typeof examClasses;

/**
 * How a run that passed shows that something was not noticed: `verdict`, replies with other verdicts than undisturbed;
 * `refusal`, a refusal after which nothing was read; `decision`, a decision of the service after which nothing was read;
 * `event`, an event after which nothing was read; `end`, the lack of the event that tells of a good end; `effect`, an
 * operation that took effect less often than undisturbed. With `null`, `swallowed`, `given-up`, `dropped` and `read-on`, it is a
 * run that failed that shows it: its output tells of a null, does not tell of the refusal, or does so in a line alone; the client
 * accepted a webhook again and did not do its work; or it read on, and saw what had become of the record.
 */
export type NoticeSign =
  | "verdict"
  | "refusal"
  | "decision"
  | "event"
  | "end"
  | "effect"
  | "null"
  | "swallowed"
  | "given-up"
  | "dropped"
  | "read-on";

export interface Perturbation {
  /** Class, subject and name, joined by slashes. */
  id: string;
  class: ExamClass;
  /** Operation or event. */
  subject: string;
  /** A sentence that says what happens. */
  title: string;
  rules: readonly RuleBody[];
  /** The right behaviour, as a sentence. */
  right: string;
  /** How a run shows that the perturbation was not noticed. Default: by passing. */
  sign?: NoticeSign;
  /**
   * Rules, of which each is tried alone. If the client depends on what is changed, the command fails under one of them at
   * least. If it passes under all, nothing is asked of it.
   */
  probes?: readonly RuleBody[];
  /** Event that must not have been sent, with the sign `end`. */
  insteadOf?: string;
  /** Time in ms that the interface states for a reply, which the client may not give up before. */
  statedMs?: number;
  /** Operation whose callers are spared: what happens there would contradict what the service answers to it. */
  spares?: string;
  /** Number of the only account that is perturbed, in the order of opening. Default: every account. */
  account?: number;
  /** Id of another perturbation. If that is a finding, this one would only show it again. */
  repeats?: string;
}

/** Returns whether a reply comes so late that a client waits until its own time limit. */
export const holdsReply = ({ rules }: Perturbation): boolean =>
  rules.some(({ fault }) => fault?.reply_after !== undefined && fault.reply_after !== "webhook");

/** Returns whether a reply is lost, or cannot be read. */
export const losesReply = ({ rules }: Perturbation): boolean =>
  rules.some(({ fault }) => fault?.reply !== undefined);

/** Returns the name of the scenario, its file and its rules. */
export const perturbationName = ({ id }: Perturbation): string => id.replaceAll("/", "-");

/**
 * Returns the rules as an account gets them. They come before those that the client's tests add, but where the tests have to pass:
 * a test that brings a fault about expects it.
 */
export const playedRules = ({ class: of, rules }: Perturbation): RuleBody[] =>
  of === "absorbed" ? [...rules] : rules.map((rule) => ({ ...rule, priority: 1 }));

/** Formats a perturbation as a scenario file. */
export const formatScenario = (perturbation: Perturbation): string => {
  const { title, right } = perturbation;
  const description = `${title} ${right}`;
  return stringify({ name: perturbationName(perturbation), description, rules: playedRules(perturbation) });
};

/** Returns whether a perturbation includes another one. */
export const includesPerturbation = (whole: Perturbation, part: Perturbation): boolean =>
  whole.class === part.class &&
  part.rules.every((rule) =>
    whole.rules.some(({ on, webhook, fault, outcome }) =>
      isDeepStrictEqual(
        { on, webhook: { ...webhook, ...rule.webhook }, fault: { ...fault, ...rule.fault }, outcome },
        { on: rule.on, webhook: { ...webhook }, fault: { ...fault }, outcome: rule.outcome },
      ),
    ),
  );

/** Returns smaller forms of a perturbation: without one of its rules, or for the first occurrence only. */
export function lesser(perturbation: Perturbation): Perturbation[] {
  const { rules } = perturbation;
  const fewer = rules.length > 1 ? rules.map((_, index) => rules.filter((_, at) => at !== index)) : [];
  const first = rules.some(({ times }) => times === undefined)
    ? [rules.map((rule) => ({ ...rule, times: 1 }))]
    : [];
  return [...fewer, ...first].map((least) => ({ ...perturbation, rules: least }));
}
