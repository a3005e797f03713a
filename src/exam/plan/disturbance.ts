/** Disturbances of one operation or event, of which a plan makes perturbations. */
import type { AnyOperation } from "../../contract/operation.js";
import type { RuleBody } from "../../rules/rule-input.js";
import type { Calls } from "../observation.js";
import type { ExamClass, NoticeSign, Perturbation } from "../perturbation.js";

/** An operation that the client's tests called. */
export interface Used {
  operation: AnyOperation;
  calls: Calls;
}

export interface Disturbance extends Pick<RuleBody, "fault" | "outcome" | "webhook"> {
  name: string;
  /** Says what happens to an operation or event. */
  title(subject: string): string;
  /** The right behaviour, as a sentence. */
  right: string;
  /** Number of occasions to let pass first. Default 0. */
  after?: number;
  /** How a run shows that it was not noticed, and what the client must depend on. */
  sign?: NoticeSign;
  /** Rules under which the command fails if the client depends on what is changed. */
  probe?: readonly RuleBody[];
  /** Disturbs every occasion. Default: the first one on each account. */
  always?: true;
}

/** Returns the rule that disturbs an operation or event. */
export const ruleOf = (
  on: string,
  {
    fault,
    outcome,
    webhook,
    after,
    always,
  }: Omit<Disturbance, "name" | "title" | "right" | "sign" | "probe">,
): RuleBody => ({
  on,
  ...(fault && { fault }),
  ...(outcome !== undefined && { outcome }),
  ...(webhook && { webhook }),
  ...(after !== undefined && { after }),
  ...(!always && { times: 1 }),
});

/** Returns the perturbation, with the rule of the disturbance or with these rules. */
export const disturb = (
  of: ExamClass,
  subject: string,
  disturbance: Disturbance,
  rules: readonly RuleBody[] = [ruleOf(subject, disturbance)],
): Perturbation => {
  const { name, title, right, sign, probe } = disturbance;
  return {
    id: `${of}/${subject}/${name}`,
    class: of,
    subject,
    title: title(subject),
    right,
    rules,
    ...(sign && { sign }),
    ...(probe && { probes: [probe] }),
  };
};
