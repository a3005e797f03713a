/** Examines a client: runs its tests undisturbed, and then under one perturbation after the other. */

import type { AnyOperation } from "../contract/operation.js";
import type { RuleBody } from "../rules/rule-input.js";
import { formatDuration } from "../time/time.js";
import { nextBundles } from "./bundle.js";
import type { ExamFinding, Examined, NotTriedReason, Result } from "./card.js";
import { type ExamRun, hasSign, judgeRun } from "./judge.js";
import { describeDifferences, keepCommon } from "./observation.js";
import {
  examClasses,
  includesPerturbation,
  lesser,
  losesReply,
  type Perturbation,
  perturbationName,
} from "./perturbation.js";
import { failing } from "./plan/disturbance.js";
import { planExam } from "./plan/plan.js";

/** The command fails undisturbed, or does not do the same twice. */
export class UnfitBaseline extends Error {
  constructor(
    message: string,
    readonly run: ExamRun,
  ) {
    super(message);
  }
}

/** The command made no request undisturbed. */
export class CalledNothing extends Error {}

/** A name of `only` selects nothing. */
export class UnknownName extends Error {}

/** The exam was stopped during a run. */
class Stopped extends Error {}

export interface ExamOptions {
  operations: readonly AnyOperation[];
  /** Ids, classes or subjects. Null for all. */
  only: readonly string[] | null;
  /** Returns the rank of a perturbation. The lowest are tried first, and equal ones in the order of the plan. */
  rankOf(id: string): number;
  /** Runs the command with the rules of these perturbations. `title` says what it is run with. */
  run(
    title: string,
    perturbations: readonly Perturbation[],
    baseline: ExamRun | null,
    options?: { isPatient: boolean },
  ): Promise<ExamRun>;
  /** Maximum number of runs at a time. More than one only if the command passes beside itself. */
  jobs: number;
  /** Returns the wall-clock time in ms that is left. */
  left(): number;
  /** Whether the exam was stopped. What it has found so far is returned. */
  isStopped(): boolean;
  /** Called before each run, with the number of perturbations that are judged and of all. */
  onProgress(judged: number, all: number): void;
}

/** Returns whether a perturbation has this id, this beginning of its id, or this subject. */
const isNamed = ({ id, subject }: Perturbation, name: string): boolean =>
  id === name || id.startsWith(`${name}/`) || subject === name;

/** Returns what is selected. Throws an `UnknownName` for a name that selects nothing, but for a class. */
function select(plan: readonly Perturbation[], only: readonly string[] | null): Perturbation[] {
  if (only === null) return [...plan];
  const unknown = only.find(
    (name) => !Object.hasOwn(examClasses, name) && !plan.some((perturbation) => isNamed(perturbation, name)),
  );
  if (unknown === undefined)
    return plan.filter((perturbation) => only.some((name) => isNamed(perturbation, name)));
  const known = [...Object.keys(examClasses), ...new Set(plan.map(({ subject }) => subject))];
  throw new UnknownName(
    `--only: nothing that the command does is called ${unknown}; there is ${known.join(", ")}`,
  );
}

/** How a run ended. */
type Ending = Pick<ExamRun, "passed" | "timedOut">;

export class Exam {
  readonly #tried: { perturbation: Perturbation; result: Result }[] = [];
  readonly #findings: ExamFinding[] = [];
  readonly #notTried: { perturbation: Perturbation; reason: NotTriedReason }[] = [];
  /** How the command ended under each probe. */
  readonly #probes = new Map<string, Ending>();
  #baseline!: ExamRun;
  #jobs = 1;

  constructor(readonly options: ExamOptions) {}

  /** Throws an `UnfitBaseline`, a `CalledNothing` or an `UnknownName`. */
  async examine(): Promise<Examined> {
    const { operations, only, rankOf, onProgress } = this.options;
    await this.#runUndisturbed();
    const all = planExam(this.#baseline.observation, operations);
    const plan = select(all, only).sort((a, b) => rankOf(a.id) - rankOf(b.id));
    /** How many may share a run with those whose bundle has shown something. */
    const limits = new Map<string, number>();
    let pending = plan;
    try {
      while (pending.length > 0 && this.#hasTime()) {
        onProgress(plan.length - pending.length, plan.length);
        const bundles = nextBundles(pending, limits, this.#baseline.observation, this.#jobs);
        const runs = await allSettled(bundles.map((bundle) => this.#runBundle(bundle)));
        const judged: Perturbation[] = [];
        for (const [index, bundle] of bundles.entries()) {
          const now = await this.#judgeBundle(bundle, runs[index] as ExamRun);
          if (now.length === 0) for (const { id } of bundle) limits.set(id, Math.ceil(bundle.length / 2));
          judged.push(...now);
        }
        pending = this.#withoutKnown(pending.filter((perturbation) => !judged.includes(perturbation)));
      }
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
    }
    for (const perturbation of pending) this.#notTried.push({ perturbation, reason: "budget" });
    return {
      baseline: this.#baseline,
      tried: this.#tried,
      findings: this.#findings,
      notTried: this.#notTried,
    };
  }

  /** Throws `Stopped` if the exam was stopped during the run: what an ended run shows means nothing. */
  async #run(...args: Parameters<ExamOptions["run"]>): Promise<ExamRun> {
    const run = await this.options.run(...args);
    if (this.options.isStopped()) throw new Stopped();
    return run;
  }

  async #runUndisturbed(): Promise<void> {
    this.#baseline = await this.#run("nothing disturbed", [], null);
    expectPassed(this.#baseline);
    const second =
      (await this.#runBesideItself()) ?? (await this.#run("nothing disturbed, again", [], this.#baseline));
    expectPassed(second);
    keepCommon(this.#baseline.observation, second.observation);
    const found = describeDifferences(this.#baseline.observation, second.observation);
    if (found.length > 0)
      throw new UnfitBaseline(
        `two undisturbed runs differ, so that nothing could be concluded from a disturbed one: ${found.join("; ")}`,
        second,
      );
    if (this.#baseline.observation.operations.size === 0) throw new CalledNothing();
  }

  /**
   * Runs the command several times at once. Returns one of the runs if all do what the first one did; null if they do not,
   * for example because they want the same port.
   */
  async #runBesideItself(): Promise<ExamRun | null> {
    const { jobs } = this.options;
    if (jobs === 1) return null;
    const title = `nothing disturbed, ${jobs} at a time`;
    const runs = await allSettled(Array.from({ length: jobs }, () => this.#run(title, [], this.#baseline)));
    const isSame = ({ passed, divergence, observation }: ExamRun) =>
      passed &&
      divergence === null &&
      describeDifferences(this.#baseline.observation, observation).length === 0;
    if (!runs.every(isSame)) return null;
    this.#jobs = jobs;
    return runs[0] as ExamRun;
  }

  #hasTime(): boolean {
    return !this.options.isStopped() && this.options.left() > this.#baseline.durationMs;
  }

  /** Passes over what includes a finding: it would only show it again. */
  #withoutKnown(pending: readonly Perturbation[]): Perturbation[] {
    for (const perturbation of pending.filter((candidate) => this.#isKnown(candidate)))
      this.#notTried.push({ perturbation, reason: "includes a finding" });
    return pending.filter((perturbation) => !this.#isKnown(perturbation));
  }

  #isKnown(candidate: Perturbation): boolean {
    return this.#findings.some(
      ({ perturbation }) =>
        perturbation.id === candidate.repeats || includesPerturbation(candidate, perturbation),
    );
  }

  #runBundle(bundle: readonly Perturbation[]): Promise<ExamRun> {
    return this.#run(bundle.map(({ id }) => id).join(", "), bundle, this.#baseline);
  }

  /** Returns what is judged: nothing if a run of several shows anything, which each of them may have caused. */
  async #judgeBundle(bundle: readonly Perturbation[], run: ExamRun): Promise<readonly Perturbation[]> {
    const [first, ...others] = bundle as [Perturbation, ...Perturbation[]];
    if (others.length === 0) return this.#isKnown(first) ? [] : this.#judgeAlone(first, run);
    if (first.class === "absorbed" && !run.passed) return [];
    if (judgeRun(first, run, this.#baseline.observation).length > 0) return [];
    // A client that has failed may not have come to the others, and an account may not have made their requests.
    const isWhole = first.class === "absorbed";
    const judged = bundle.filter(
      (perturbation) => isWhole || run.observation.used.has(perturbationName(perturbation)),
    );
    for (const perturbation of judged) this.#note(perturbation, run);
    return judged;
  }

  #note(perturbation: Perturbation, run: ExamRun): void {
    const isMet = run.observation.used.has(perturbationName(perturbation));
    // Without the sign of fewer effects, the client has repeated the request.
    const isHandled = !run.passed || perturbation.sign === "effect";
    if (isMet && (isHandled || hasSign(perturbation, run, this.#baseline.observation)))
      this.#tried.push({ perturbation, result: "passed" });
    else this.#notTried.push({ perturbation, reason: "did not occur" });
  }

  async #judgeAlone(perturbation: Perturbation, first: ExamRun): Promise<readonly Perturbation[]> {
    if (first.timedOut && !this.#hasTime()) {
      this.#notTried.push({ perturbation, reason: "budget" });
      return [perturbation];
    }
    const run = await this.#waitLonger(perturbation, first);
    const evidence = this.#evidence(perturbation, run);
    if (evidence.length === 0) this.#note(perturbation, run);
    else if (!(await this.#matters(perturbation))) this.#notTried.push({ perturbation, reason: "not read" });
    else if (await this.#hangsAnyway(perturbation, run, evidence))
      this.#tried.push({ perturbation, result: "unconfirmed" });
    else {
      const finding = await this.#confirm(await this.#shrink({ perturbation, evidence, run }));
      if (finding) this.#findings.push(finding);
      // A disturbance that showed something, and could not show it again for lack of time, is still to be tried.
      if (!finding && !this.#hasTime()) this.#notTried.push({ perturbation, reason: "budget" });
      else this.#tried.push({ perturbation, result: finding ? "finding" : "unconfirmed" });
    }
    return [perturbation];
  }

  /**
   * Runs a perturbation again with a longer limit if it did not end by itself: a client may wait for a long time, and end.
   * The limit follows from an undisturbed run of this moment, since the machine may have become slow.
   */
  async #waitLonger(perturbation: Perturbation, run: ExamRun): Promise<ExamRun> {
    if (!run.timedOut) return run;
    const undisturbed = await this.#run("nothing disturbed, to compare", [], this.#baseline, {
      isPatient: true,
    });
    const { durationMs } = this.#baseline;
    const pace = { ...this.#baseline, durationMs: Math.max(durationMs, undisturbed.durationMs) };
    return this.#run(`${perturbation.id}, with a longer limit`, [perturbation], pace, { isPatient: true });
  }

  /** Returns whether the client depends on what a perturbation changes: under one of its probes, the command fails. */
  async #matters(perturbation: Perturbation): Promise<boolean> {
    const { probes } = perturbation;
    if (probes === undefined) return true;
    for (const probe of probes) if (!(await this.#probe(probe, perturbation)).passed) return true;
    return false;
  }

  /** Returns how the command ends under a rule that takes the place of a perturbation. It runs once for each rule. */
  async #probe(rule: RuleBody, perturbation: Perturbation): Promise<Ending> {
    const { id, class: of, account, spares } = perturbation;
    const key = JSON.stringify([rule, of, account, spares]);
    const known = this.#probes.get(key);
    if (known !== undefined) return known;
    const probe = { ...perturbation, id: `probe/${id}`, rules: [rule] };
    const { passed, timedOut } = await this.#run(`a probe for ${id}`, [probe], this.#baseline);
    this.#probes.set(key, { passed, timedOut });
    return { passed, timedOut };
  }

  /**
   * Returns whether a run under a lost reply that did not end shows nothing else, and the command does not end after a plain
   * error either: a test that fails in its set-up may leave a receiver open.
   */
  async #hangsAnyway(perturbation: Perturbation, run: ExamRun, evidence: string[]): Promise<boolean> {
    if (!run.timedOut || evidence.length > 1 || !losesReply(perturbation)) return false;
    return (await this.#probe(failing(perturbation.subject), perturbation)).timedOut;
  }

  /** Returns what a perturbation alone shows: nothing, if it did not occur. */
  #evidence(perturbation: Perturbation, run: ExamRun): string[] {
    if (!run.observation.used.has(perturbationName(perturbation))) return [];
    return judgeRun(perturbation, run, this.#baseline.observation);
  }

  /** Runs a perturbation alone. Returns what it shows, or null for nothing. */
  async #show(perturbation: Perturbation): Promise<ExamFinding | null> {
    const run = await this.#runBundle([perturbation]);
    const evidence = this.#evidence(perturbation, run);
    return evidence.length === 0 ? null : { perturbation, evidence, run };
  }

  /** Returns what the least form that still shows something has shown. */
  async #shrink(finding: ExamFinding): Promise<ExamFinding> {
    // A disturbance that is not noticed everywhere is not noticed once either, and a run that does not end is long.
    if (finding.perturbation.class === "noticed" || finding.run.timedOut) return finding;
    for (const less of lesser(finding.perturbation)) {
      if (!this.#hasTime()) break;
      const again = await this.#show(less);
      if (again) return this.#shrink(again);
    }
    return finding;
  }

  /** Returns what was shown if it shows three times in all, the last time without a neighbour, and an undisturbed run passes. */
  async #confirm(finding: ExamFinding): Promise<ExamFinding | null> {
    const show = () => this.#show(finding.perturbation);
    const runUndisturbed = () => this.#run("nothing disturbed, to compare", [], this.#baseline);
    // It was shown twice, the second time with a longer limit.
    if (finding.run.timedOut) return finding;
    if (!this.#hasTime()) return null;
    const again = show();
    if (this.#jobs === 1) await again;
    const [second, undisturbed] = await allSettled([again, runUndisturbed()]);
    if (second === null || !undisturbed.passed || !this.#hasTime()) return null;
    return (await show()) === null ? null : finding;
  }
}

function expectPassed(run: ExamRun): void {
  if (run.passed && run.divergence !== null) throw new UnfitBaseline(run.divergence, run);
  if (run.passed) return;
  if (run.timedOut)
    throw new UnfitBaseline(
      `the command does not end by itself undisturbed: it was ended after ${formatDuration(run.durationMs)}; --budget gives it more time`,
      run,
    );
  throw new UnfitBaseline(`the command fails undisturbed (${run.exit})`, run);
}

/** Waits for all, so that none still runs when one fails. */
async function allSettled<const T extends readonly Promise<unknown>[]>(
  promises: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}
