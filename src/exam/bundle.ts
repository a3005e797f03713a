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

/** Returns what a perturbation changes: what a client does not absorb is mostly of one kind. */
function kindOf({ rules }: Perturbation): "webhook" | "refusal" | "reply" {
  if (rules.some(({ webhook, fault }) => webhook || fault?.reply_after !== undefined)) return "webhook";
  return rules.some(({ fault }) => fault?.error !== undefined) ? "refusal" : "reply";
}

/**
 * Returns the numbers of the accounts of which each gets another perturbation of this one's operation or event, since a
 * client that may fail does so on one account. Empty if each gets all.
 */
const callersOf = ({ class: of, subject }: Perturbation, { accounts, operations }: Observation): number[] =>
  of === "survived" && accounts >= severalAccounts ? (operations.get(subject)?.callers ?? []) : [];

/**
 * Returns the perturbations that may share the next run. They are of one class. Those that must be absorbed are of one kind
 * and concern different subjects. An account gets only some of those that must be survived, and a client with a single
 * account gets one.
 */
function nextBundle(
  pending: readonly Perturbation[],
  limits: ReadonlyMap<string, number>,
  baseline: Observation,
): Perturbation[] {
  const [first, ...others] = pending as [Perturbation, ...Perturbation[]];
  const isShared = first.class === "absorbed" || callersOf(first, baseline).length > 0;
  const limitOf = ({ id }: Perturbation) => limits.get(id) ?? (isShared ? maxBundle : 1);
  const bundle = [first];
  for (const one of others) {
    if (bundle.length === limitOf(first)) break;
    if (one.class !== first.class || limitOf(one) < limitOf(first)) continue;
    if (one.class === "absorbed" && kindOf(one) !== kindOf(first)) continue;
    const same = bundle.filter((other) => mixes(one, other));
    if (same.length < Math.max(callersOf(one, baseline).length, 1)) bundle.push(one);
  }
  return bundle;
}

/** Returns the bundles of the next runs, at most `count`. */
export function nextBundles(
  pending: readonly Perturbation[],
  limits: ReadonlyMap<string, number>,
  baseline: Observation,
  count: number,
): Perturbation[][] {
  const bundles: Perturbation[][] = [];
  let left = pending;
  while (bundles.length < count && left.length > 0) {
    const bundle = nextBundle(left, limits, baseline);
    bundles.push(bundle);
    left = left.filter((one) => !bundle.includes(one));
  }
  return bundles;
}

/**
 * Returns the perturbations of an account by its number. What the client must survive happens once: of those that concern
 * the same thing, each caller gets another one that has not happened yet.
 */
export function distribute(
  perturbations: readonly Perturbation[],
  opened: number,
  baseline: Observation,
  hasHappened: (perturbation: Perturbation) => boolean,
): Perturbation[] {
  const left = perturbations.filter((one) => callersOf(one, baseline).length === 0 || !hasHappened(one));
  return left.filter((one) => {
    const callers = callersOf(one, baseline);
    const same = left.filter((other) => mixes(one, other));
    // An account that made no such calls may make them now, where tests run in parallel.
    const turn = callers.includes(opened) ? callers.indexOf(opened) : opened;
    return same[turn % same.length] === one;
  });
}
