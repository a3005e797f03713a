/** Perturbations that share a run of the client's tests. */
import type { Observation } from "./observation.js";
import type { Perturbation } from "./perturbation.js";

/** Maximum number of perturbations that share a run. */
const maxBundle = 12;
/** Number of accounts from which on the tests are taken to open one each. */
const severalAccounts = 3;

/** Returns whether two perturbations concern the same operation or event. */
const mixes = (one: Perturbation, other: Perturbation): boolean =>
  one.rules.some(({ on }) => other.rules.some((rule) => rule.on === on));

/** Returns how many perturbations of one operation or event may share a run. A client that may fail does so on one account. */
const mostOfSubject = ({ class: of }: Perturbation, { accounts }: Observation): number =>
  of === "survived" && accounts >= severalAccounts ? accounts : 1;

/**
 * Returns what may share the next run: perturbations of one class. Those that must be absorbed concern different things.
 * Of those that must be survived, one account gets only some, and a client with a single account gets one.
 */
export function nextBundle(
  pending: readonly Perturbation[],
  limits: ReadonlyMap<string, number>,
  baseline: Observation,
): Perturbation[] {
  const [first, ...others] = pending as [Perturbation, ...Perturbation[]];
  const isShared = first.class === "absorbed" || mostOfSubject(first, baseline) > 1;
  const limitOf = ({ id }: Perturbation) => limits.get(id) ?? (isShared ? maxBundle : 1);
  const bundle = [first];
  for (const one of others) {
    if (bundle.length === limitOf(first)) break;
    if (one.class !== first.class || limitOf(one) < limitOf(first)) continue;
    const same = bundle.filter((other) => mixes(one, other));
    if (same.length < mostOfSubject(one, baseline)) bundle.push(one);
  }
  return bundle;
}

/** Returns the perturbations of one account: of those that concern the same thing, each account gets another one. */
export function distribute(perturbations: readonly Perturbation[], opened: number): Perturbation[] {
  return perturbations.filter((one) => {
    const same = perturbations.filter((other) => mixes(one, other));
    return same[opened % same.length] === one;
  });
}
