/** Which perturbation is less than another one. */
import { isDeepStrictEqual } from "node:util";
import type { Perturbation } from "./perturbation.js";

/** Returns whether a perturbation does all that another one does, and more. */
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

/** Returns lesser forms of a perturbation: one rule fewer, or the first occurrence alone. */
export function lesser(perturbation: Perturbation): Perturbation[] {
  const { rules } = perturbation;
  const fewer = rules.length > 1 ? rules.map((_, index) => rules.filter((_, at) => at !== index)) : [];
  const first = rules.some(({ times }) => times === undefined)
    ? [rules.map((rule) => ({ ...rule, times: 1 }))]
    : [];
  return [...fewer, ...first].map((least) => ({ ...perturbation, rules: least }));
}
