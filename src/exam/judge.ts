/** Judges a run of the client's tests under a perturbation. */

import { formatDuration, second } from "../time/time.js";
import { type ConductRule, noTimeout, slowReceiver, staleCode } from "./conduct/rules.js";
import {
  goesOn,
  invalidRequests,
  isRarer,
  lackingRequests,
  misdirectedPayouts,
  newConduct,
  type Observation,
  repeatedEffects,
} from "./observation.js";
import { holdsReply, losesReply, type Perturbation } from "./perturbation.js";
import { verdictFields } from "./plan/verdicts.js";

/** A run of the client's tests. */
export interface ExamRun {
  passed: boolean;
  timedOut: boolean;
  /** How it ended, such as `exit code 1`. */
  exit: string;
  /** Wall-clock time in ms. */
  durationMs: number;
  /** The last lines of its output. */
  output: readonly string[];
  /** The first line of its output that tells of a null where the program expected none. Null without one. */
  nullError: string | null;
  /** How its output tells of a refusal that passes by itself. */
  passedOn: PassedOn;
  observation: Observation;
  /** First divergence between what the client's system believes and the sandbox. Null without one. */
  divergence: string | null;
}

/** How programs end that use null as if it were a value, in the languages of most clients. */
const nullErrors =
  /(?:propert(?:y|ies)\b.* of null|null is not an object|null \(reading|'NoneType'|argument must be str\b|NullPointerException|nil pointer dereference|(?:on|to) null\b.*\.php|, null given|undefined method .* for nil)/;

export const findNullError = (output: string): string | null =>
  output
    .split("\n")
    .find((line) => nullErrors.test(line))
    ?.trim() ?? null;

/** How the output of a client tells of a refusal that passes by itself: by its status or its code. */
const refusals = /(?<![\w.:-])(?:429|503)(?![\w.:-])|rate_limited|provider_unavailable/;
/** How programs and test runners tell of an error and of a failed assertion, in the languages of most clients. */
const errors = /Traceback|^\s+at .+:\d+\)?|testCodeFailure|Fatal error|panic:|Exception\b/m;
const assertions =
  /Assertion(?:Failed)?Error|ERR_ASSERTION|Failed asserting|assertion failed|^\s*Expected\b.*:/m;

/** How test runners tell of each failure, and of each that is a failed assertion, where they do so once for each. */
const everyFailure = /testCodeFailure|^Traceback/gm;
const everyAssertion = /code: 'ERR_ASSERTION'|^AssertionError/gm;

const countOf = (output: string, pattern: RegExp): number => output.match(pattern)?.length ?? 0;

/** How a client passes a refusal on: as an error, which ends one test at least, or in a line that nobody may read. */
type PassedOn = "as an error" | "in a line" | null;

/** Returns how a client has passed a refusal on. Null if it took it for something else. */
export function findPassedOn(output: string): PassedOn {
  const isError =
    (errors.test(output) && !assertions.test(output)) ||
    countOf(output, everyFailure) > countOf(output, everyAssertion);
  if (isError) return "as an error";
  return refusals.test(output) ? "in a line" : null;
}

const timesOf = (count: number): string => (count === 1 ? "once" : `${count} times`);

/** Returns whether a perturbation has changed what the client was told, as its sign asks. */
export function hasSign(
  { sign, subject, account, insteadOf = "" }: Perturbation,
  { observation }: ExamRun,
  baseline: Observation,
): boolean {
  switch (sign) {
    case "verdict":
    case "read-on":
      return hasOtherVerdict(subject, observation, baseline);
    case "refusal":
      // A client that stops at a refusal may end as the test of one account expects for another reason.
      return (
        observation.refusedUnseen.has(subject) &&
        (account === undefined || goesOn(subject, observation, baseline))
      );
    case "decision":
      return observation.decidedUnseen.has(subject);
    case "event":
      return observation.heardAlone.has(subject);
    case "end":
      return !observation.events.has(insteadOf);
    case "effect":
      return isRarer(subject, observation, baseline);
    default:
      return true;
  }
}

/** Returns whether the verdicts in replies of the operation were others than undisturbed: there is a new one, or one is gone. */
function hasOtherVerdict(operation: string, run: Observation, baseline: Observation): boolean {
  const [now, before] = [run, baseline].map(({ operations }) => operations.get(operation)?.replies);
  if (!now || !before) return false;
  // The score is the verdict of a liveness check, which has no other.
  const isLiveness = before.has("type", "liveness");
  return [...now.values].some(
    ([path, values]) =>
      (verdictFields.has(path.split(".").at(-1) as string) || (isLiveness && path === "confidence_score")) &&
      // A match that is null is a verdict: it is not confirmed.
      ([...values].some((value) => (value !== null || path === "match") && !before.has(path, value)) ||
        [...(before.values.get(path) ?? [])].some((value) => value !== null && !values.has(value))),
  );
}

/** Returns whether a client is to blame for breaking a rule of conduct under a perturbation. */
function isToBlame(rule: ConductRule, perturbation: Perturbation, { timedOut }: ExamRun): boolean {
  switch (rule) {
    // One time limit for all requests is as long as the slowest needs it: who ends by itself has one.
    case noTimeout:
      return timedOut;
    // A receiver that works on an event while the service hangs is told of it again.
    case slowReceiver:
      return !holdsReply(perturbation);
    // A client does not know whether a check counted whose reply was lost.
    case staleCode:
      return !losesReply(perturbation);
    default:
      return true;
  }
}

/** Returns whether requests are refused, and nothing else: the client knows of each request whether it took effect. */
const isRefused = ({ rules }: Perturbation): boolean =>
  rules.every(({ fault }) => fault?.error !== undefined && fault.reply === undefined);

/** Returns what is wrong with a run, as sentences. Empty if nothing is. */
export function judgeRun(perturbation: Perturbation, run: ExamRun, baseline: Observation): string[] {
  const { class: of } = perturbation;
  if (of === "noticed") return judgeNoticed(perturbation, run, baseline);
  const { observation } = run;
  const harm = [
    ...newConduct(observation, baseline)
      .filter(({ rule }) => isToBlame(rule, perturbation, run))
      .map(({ rule, about, happened }) => `${rule.title} (${rule.id}, ${about}). ${happened}`),
    ...repeatedEffects(observation, baseline, isRefused(perturbation) ? ["sendChannelMessage"] : []).map(
      ({ operation, now, before, isShort }) =>
        `${operation} took effect${isShort ? ", or would have with more balance," : ""} ${timesOf(now)} on one account, and ${timesOf(before)} undisturbed.`,
    ),
    ...invalidRequests(observation, baseline).map(
      ({ operation, code }) =>
        `The service refused a request of ${operation} as wrong (${code}), which it did not undisturbed.`,
    ),
    ...lackingRequests(observation, baseline).map(
      ({ operation, lacking }) =>
        `A request of ${operation} was repeated without ${lacking.join(", ")}, which it had at first.`,
    ),
    ...misdirectedPayouts(observation, baseline).map(
      ({ amount, account }) =>
        `A payout of NGN ${amount} went to the bank account ${account}, to which another amount goes undisturbed.`,
    ),
    ...(run.divergence === null ? [] : [run.divergence]),
    ...describeImpatience(perturbation, observation),
    ...(perturbation.sign === "null" && !run.passed && run.nullError !== null
      ? [`The command failed on null: ${run.nullError}`]
      : []),
  ];
  if (run.timedOut) return ["The command did not end by itself.", ...harm];
  return of === "absorbed" && !run.passed && !mayFail(perturbation, run)
    ? [`The command failed (${run.exit}).`, ...harm]
    : harm;
}

/** Returns whether a run may fail under a perturbation that must be absorbed: the client did not do what its sign is about. */
function mayFail({ sign, subject }: Perturbation, { passedOn, observation }: ExamRun): boolean {
  switch (sign) {
    case "swallowed":
      return passedOn !== null;
    case "given-up":
      return passedOn === "as an error";
    case "dropped":
      return !observation.droppedWork.has(subject);
    case "read-on":
      return !observation.readOn.has(subject);
    default:
      return false;
  }
}

/** Time in ms within which a test runner ends a test, which gives a reply up for the client. */
const testLimitMs = 6 * second;

/** Returns a sentence about a client that has given a reply up before the time that the interface states. */
function describeImpatience({ subject, statedMs }: Perturbation, { operations }: Observation): string[] {
  const { givenUpAfterMs = 0 } = operations.get(subject) ?? {};
  if (statedMs === undefined || givenUpAfterMs < testLimitMs) return [];
  const times = [givenUpAfterMs, statedMs].map((ms) => formatDuration(ms));
  return [`The client gave the reply up after ${times[0]}. The interface states up to ${times[1]}.`];
}

function judgeNoticed(perturbation: Perturbation, run: ExamRun, baseline: Observation): string[] {
  if (!run.passed || !hasSign(perturbation, run, baseline)) return [];
  const isUnread = perturbation.sign === "refusal" || perturbation.sign === "decision";
  const unseen = isUnread ? " Nothing was read afterwards." : "";
  return [`The command passed all the same: no test looks at it.${unseen}`];
}
