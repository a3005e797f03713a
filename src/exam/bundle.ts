/** Perturbations that share a run of the client's tests. */
import { type Observation, opensAccounts } from "./observation.js";
import { holdsReply, type Perturbation } from "./perturbation.js";

/** Maximum number of perturbations that share a run. */
const maxBundle = 12;

/** Returns whether two perturbations concern the same operation or event. */
const mixes = (one: Perturbation, other: Perturbation): boolean =>
  one.rules.some(({ on }) => other.rules.some((rule) => rule.on === on));

/** Returns the kind of traffic that a perturbation changes: a client usually fails on a single kind. */
function kindOf({ rules }: Perturbation): "webhook" | "refusal" | "reply" {
  if (rules.some(({ webhook, fault }) => webhook || fault?.reply_after !== undefined)) return "webhook";
  return rules.some(({ fault }) => fault?.error !== undefined) ? "refusal" : "reply";
}

/** Returns whether a perturbation happens on a single account, so that the tests of others continue. */
const isForOneAccount = ({ class: of, subject }: Perturbation, baseline: Observation): boolean =>
  of === "survived" && opensAccounts(baseline) && (baseline.operations.get(subject)?.callers.size ?? 0) > 0;

/**
 * Returns the number of the account of each perturbation: an account that has called its operation and has no other
 * perturbation, which could end the test first. Leaves out perturbations for which no account is left.
 */
function assign(
  perturbations: readonly Perturbation[],
  { operations }: Observation,
): Map<Perturbation, number> {
  const assigned = new Map<Perturbation, number>();
  for (const perturbation of perturbations) {
    const taken = [...assigned.values()];
    const { subject, rules } = perturbation;
    const passedOver = Math.max(...rules.map(({ after = 0 }) => after));
    const { callers = [], effective } = operations.get(subject) ?? {};
    // A reply is lost of a request that takes effect.
    const isLoss = rules.some(({ fault }) => fault?.reply !== undefined);
    const [account] =
      [...callers].find(
        ([caller, calls]) =>
          calls > passedOver && !taken.includes(caller) && (!isLoss || effective?.has(caller)),
      ) ?? [];
    if (account !== undefined) assigned.set(perturbation, account);
  }
  return assigned;
}

/**
 * Returns the perturbations that may share the next run. They are of one class. Perturbations that must be absorbed are of one
 * kind and concern different subjects. Perturbations that must be survived have an account each. All others are alone.
 */
function nextBundle(
  pending: readonly Perturbation[],
  limits: ReadonlyMap<string, number>,
  baseline: Observation,
): Perturbation[] {
  const [first, ...others] = pending as [Perturbation, ...Perturbation[]];
  const isShared = first.class === "absorbed" || isForOneAccount(first, baseline);
  const limitOf = ({ id }: Perturbation) => limits.get(id) ?? (isShared ? maxBundle : 1);
  const bundle = [first];
  for (const perturbation of others) {
    if (bundle.length >= limitOf(first)) break;
    if (
      perturbation.class !== first.class ||
      limitOf(perturbation) < limitOf(first) ||
      holdsReply(perturbation) !== holdsReply(first)
    )
      continue;
    const fits =
      first.class === "absorbed"
        ? kindOf(perturbation) === kindOf(first) &&
          !changesOrder(perturbation) &&
          !changesOrder(first) &&
          !bundle.some((other) => mixes(perturbation, other))
        : isForOneAccount(perturbation, baseline) &&
          assign([...bundle, perturbation], baseline).size > bundle.length;
    if (fits) bundle.push(perturbation);
  }
  return bundle;
}

/** Returns whether a perturbation changes the order of traffic, which a second one could undo. */
const changesOrder = ({ rules }: Perturbation): boolean =>
  new Set(rules.map(({ on }) => on)).size > 1 ||
  rules.some(
    ({ fault, webhook }) =>
      fault?.reply_after !== undefined || webhook?.reorder !== undefined || webhook?.delay !== undefined,
  );

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
    left = left.filter((perturbation) => !bundle.includes(perturbation));
  }
  return bundles;
}

/**
 * Returns the perturbations of an account by its number. A perturbation for one account that is alone in its run happens on the
 * first account that calls its operation, since tests that run in parallel open their accounts in any order.
 */
export function distribute(
  perturbations: readonly Perturbation[],
  opened: number,
  baseline: Observation,
  hasHappened: (perturbation: Perturbation) => boolean,
): Perturbation[] {
  const [first] = perturbations;
  const isSpared = ({ spares = "", account = opened }: Perturbation) =>
    account !== opened || (baseline.operations.get(spares)?.callers.has(opened) ?? false);
  if (!first || !isForOneAccount(first, baseline))
    return perturbations.filter((perturbation) => !isSpared(perturbation));
  if (perturbations.length === 1) return hasHappened(first) ? [] : [first];
  const assigned = assign(perturbations, baseline);
  return perturbations.filter((perturbation) => assigned.get(perturbation) === opened);
}
