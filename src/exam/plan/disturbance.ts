/** Disturbances of an operation or event, from which a plan makes perturbations. */
import type { AnyOperation } from "../../contract/operation.js";
import { defaultOutcome } from "../../rules/outcomes.js";
import type { RuleBody } from "../../rules/rule-input.js";
import type { Calls } from "../observation.js";
import type { ExamClass, Perturbation } from "../perturbation.js";

/** An operation that the client's tests called. */
export interface Used {
  operation: AnyOperation;
  calls: Calls;
}

/** Effect of a rule, and the requests to which it applies. */
interface Action extends Pick<RuleBody, "when" | "fault" | "outcome" | "webhook"> {
  /** Number of occasions to let pass first. Default 0. */
  after?: number;
  /** Number of occasions on each account that are disturbed. Default 1. */
  times?: number;
  /** Disturbs every occasion. */
  always?: true;
}

export interface Disturbance
  extends Action,
    Omit<Perturbation, "id" | "class" | "subject" | "title" | "rules" | "account"> {
  name: string;
  /** Returns a sentence that says what happens to an operation or event. */
  title(subject: string): string;
}

/** Number of refusals after which most clients have given up. */
export const manyRefusals = 5;

/** Returns the rule that disturbs an operation or event. */
export const ruleOf = (
  on: string,
  { when, fault, outcome, webhook, after, times = 1, always }: Action,
): RuleBody => ({
  on,
  ...(when && { when }),
  ...(fault && { fault }),
  ...(outcome !== undefined && { outcome }),
  ...(webhook && { webhook }),
  ...(after !== undefined && { after }),
  ...(!always && { times }),
});

/** Returns a rule under which every call of an operation fails. */
export const failing = (on: string): RuleBody =>
  ruleOf(on, { fault: { error: "internal_error" }, always: true });

/** Returns a rule under which every reply of an operation has these values. */
export const setting = (on: string, set: Readonly<Record<string, unknown>>): RuleBody =>
  ruleOf(on, { fault: { set }, always: true });

/** Returns a rule under which an event never arrives. */
export const dropping = (on: string): RuleBody => ruleOf(on, { webhook: { drop: true }, always: true });

/** Returns the perturbation, with the rule of the disturbance or with these rules. */
export function disturb(
  of: ExamClass,
  subject: string,
  disturbance: Disturbance,
  rules: readonly RuleBody[] = [ruleOf(subject, disturbance)],
): Perturbation {
  const { name, title, when, fault, outcome, webhook, after, times, always, ...others } = disturbance;
  return { id: `${of}/${subject}/${name}`, class: of, subject, title: title(subject), rules, ...others };
}

/** Marks all but the first: once the first is a finding, they would only show it again. */
export const repeating = ([first, ...others]: readonly Perturbation[]): Perturbation[] =>
  first ? [first, ...others.map((one) => ({ ...one, repeats: first.id }))] : [];

/** Returns the outcomes that an operation has for itself, but for the one that it has by default. */
export const otherOutcomes = ({ outcomes }: AnyOperation): string[] => Object.keys(outcomes).slice(1);

/**
 * Returns the default outcome of an operation, and the condition that a request has it. Without outcomes there is no condition.
 * Undefined if no undisturbed request had the outcome.
 */
export function usualOf({
  operation,
  calls,
}: Used): { usual: string | null; when?: { outcome: string } } | undefined {
  const usual = defaultOutcome(operation);
  if (usual === null) return { usual };
  return calls.outcomes.has(usual) ? { usual, when: { outcome: usual } } : undefined;
}
