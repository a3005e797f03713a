/** Examines a client: runs its tests undisturbed, and then under one perturbation after the other. */

import type { AnyOperation } from "../contract/operation.js";
import { nextBundle } from "./bundle.js";
import { type ExamRun, judgeRun } from "./judge.js";
import { includes, lesser } from "./lesser.js";
import { differences } from "./observation.js";
import { examClasses, nameOf, type Perturbation } from "./perturbation.js";
import { planExam } from "./plan/plan.js";

export interface ExamFinding {
  /** The least perturbation that shows it. */
  perturbation: Perturbation;
  /** What is wrong, as sentences. */
  evidence: readonly string[];
  /** The last lines of the command's output. */
  output: readonly string[];
}

/** What came of a perturbation that was tried. */
export const results = ["passed", "finding", "unconfirmed"] as const;
export type Result = (typeof results)[number];

/** Why a perturbation was not tried. */
export const notTriedReasons = ["budget", "did not occur", "includes a finding"] as const;
export type NotTriedReason = (typeof notTriedReasons)[number];

export interface Examined {
  /** First undisturbed run. */
  baseline: ExamRun;
  tried: readonly { perturbation: Perturbation; result: Result }[];
  findings: readonly ExamFinding[];
  notTried: readonly { perturbation: Perturbation; reason: NotTriedReason }[];
}

/** The command fails undisturbed, or does not do the same twice. */
export class UnfitBaseline extends Error {
  constructor(
    message: string,
    readonly run: ExamRun,
  ) {
    super(message);
  }
}

/** A name of `only` selects nothing. */
export class UnknownName extends Error {}

/** The exam was stopped during a run. */
class Stopped extends Error {}

export interface ExamOptions {
  operations: readonly AnyOperation[];
  /** Ids, classes or subjects. Null for all. */
  only: readonly string[] | null;
  /** Runs the command with the rules of these perturbations. `title` says what it is run with. */
  run(title: string, perturbations: readonly Perturbation[], baseline: ExamRun | null): Promise<ExamRun>;
  /** Returns the wall-clock time in ms that is left. */
  left(): number;
  /** Whether the exam was stopped. What it has found so far is returned. */
  isStopped(): boolean;
  /** Called before each run, with the number of perturbations that are judged and of all. */
  onProgress(judged: number, all: number): void;
}

/** Number of runs that must all show a finding. */
const confirmations = 3;

/** Returns whether a perturbation has this id, this beginning of its id, or this subject. */
const isNamed = ({ id, subject }: Perturbation, name: string): boolean =>
  id === name || id.startsWith(`${name}/`) || subject === name;

/** Returns what is selected. Throws an `UnknownName` for a name that selects nothing, but for a class. */
function select(plan: readonly Perturbation[], only: readonly string[] | null): Perturbation[] {
  if (only === null) return [...plan];
  const unknown = only.find(
    (name) => !Object.hasOwn(examClasses, name) && !plan.some((one) => isNamed(one, name)),
  );
  if (unknown === undefined) return plan.filter((one) => only.some((name) => isNamed(one, name)));
  const known = [...Object.keys(examClasses), ...new Set(plan.map(({ subject }) => subject))];
  throw new UnknownName(
    `--only: nothing that the command does is called ${unknown}; there is ${known.join(", ")}`,
  );
}

export class Exam {
  readonly #tried: { perturbation: Perturbation; result: Result }[] = [];
  readonly #findings: ExamFinding[] = [];
  readonly #notTried: { perturbation: Perturbation; reason: NotTriedReason }[] = [];
  #baseline!: ExamRun;

  constructor(readonly options: ExamOptions) {}

  /** Throws an `UnfitBaseline` or an `UnknownName`. */
  async examine(): Promise<Examined> {
    const { operations, only, onProgress } = this.options;
    await this.#runUndisturbed();
    const plan = select(planExam(this.#baseline.observation, operations), only);
    /** How many may share a run with those whose bundle has shown something. */
    const limits = new Map<string, number>();
    let pending = plan;
    try {
      while (pending.length > 0 && this.#hasTime()) {
        onProgress(plan.length - pending.length, plan.length);
        const bundle = nextBundle(pending, limits, this.#baseline.observation);
        const judged = bundle.length === 1 ? await this.#tryAlone(bundle) : await this.#tryTogether(bundle);
        if (judged.length === 0) for (const { id } of bundle) limits.set(id, Math.ceil(bundle.length / 2));
        pending = this.#withoutKnown(pending.filter((one) => !judged.includes(one)));
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

  /** Throws `Stopped` if the exam was stopped meanwhile: what a run that was ended shows means nothing. */
  async #run(...args: Parameters<ExamOptions["run"]>): Promise<ExamRun> {
    const run = await this.options.run(...args);
    if (this.options.isStopped()) throw new Stopped();
    return run;
  }

  async #runUndisturbed(): Promise<void> {
    this.#baseline = await this.#run("nothing disturbed", [], null);
    expectPassed(this.#baseline);
    const second = await this.#run("nothing disturbed, again", [], this.#baseline);
    expectPassed(second);
    const found = differences(this.#baseline.observation, second.observation);
    if (found.length > 0)
      throw new UnfitBaseline(
        `two undisturbed runs differ, so that nothing could be concluded from a disturbed one: ${found.join("; ")}`,
        second,
      );
    if (this.#baseline.observation.operations.size === 0)
      throw new UnfitBaseline(
        "the command called nothing: it has to send its requests to the address in STANDIN_URL (also SERVICE_BASE_URL)",
        second,
      );
  }

  #hasTime(): boolean {
    return !this.options.isStopped() && this.options.left() > this.#baseline.durationMs;
  }

  /** Passes over what includes a finding: it would only show it again. */
  #withoutKnown(pending: readonly Perturbation[]): Perturbation[] {
    const isKnown = (one: Perturbation) =>
      this.#findings.some(({ perturbation }) => includes(one, perturbation));
    for (const perturbation of pending.filter(isKnown))
      this.#notTried.push({ perturbation, reason: "includes a finding" });
    return pending.filter((one) => !isKnown(one));
  }

  /** Returns what is judged: nothing if the run shows anything, which each of them may have caused. */
  async #tryTogether(bundle: readonly Perturbation[]): Promise<readonly Perturbation[]> {
    const [{ class: of }] = bundle as [Perturbation];
    const run = await this.#run(bundle.map(({ id }) => id).join(", "), bundle, this.#baseline);
    if (judgeRun(of, run, this.#baseline.observation).length > 0) return [];
    // A client that has failed may not have come to the others, and an account may not have made their requests.
    const isWhole = of === "absorbed" && run.passed;
    const judged = bundle.filter((one) => isWhole || run.observation.used.has(nameOf(one)));
    for (const one of judged) this.#note(one, run);
    return judged;
  }

  #note(perturbation: Perturbation, { observation }: ExamRun): void {
    if (observation.used.has(nameOf(perturbation))) this.#tried.push({ perturbation, result: "passed" });
    else this.#notTried.push({ perturbation, reason: "did not occur" });
  }

  async #tryAlone(bundle: readonly Perturbation[]): Promise<readonly Perturbation[]> {
    const [perturbation] = bundle as [Perturbation];
    const { run, evidence } = await this.#show(perturbation);
    if (evidence.length === 0) this.#note(perturbation, run);
    else {
      const finding = await this.#confirm(await this.#shrink(perturbation));
      if (finding) this.#findings.push(finding);
      this.#tried.push({ perturbation, result: finding ? "finding" : "unconfirmed" });
    }
    return bundle;
  }

  /** Runs a perturbation alone. Returns what it shows; nothing, if it did not occur. */
  async #show(perturbation: Perturbation): Promise<{ run: ExamRun; evidence: string[] }> {
    const run = await this.#run(perturbation.id, [perturbation], this.#baseline);
    const isUsed = run.observation.used.has(nameOf(perturbation));
    const evidence = isUsed ? judgeRun(perturbation.class, run, this.#baseline.observation) : [];
    return { run, evidence };
  }

  /** Returns the least form that still shows something. */
  async #shrink(perturbation: Perturbation): Promise<Perturbation> {
    for (const less of lesser(perturbation)) {
      if (!this.#hasTime()) break;
      if ((await this.#show(less)).evidence.length > 0) return this.#shrink(less);
    }
    return perturbation;
  }

  /** Returns the finding if each of three runs shows it, and an undisturbed one passes. */
  async #confirm(perturbation: Perturbation): Promise<ExamFinding | null> {
    let finding: ExamFinding | null = null;
    for (let count = 0; count < confirmations; count++) {
      if (!this.#hasTime()) return null;
      const { run, evidence } = await this.#show(perturbation);
      if (evidence.length === 0) return null;
      finding ??= { perturbation, evidence, output: run.output };
    }
    if (!this.#hasTime()) return null;
    const undisturbed = await this.#run("nothing disturbed, to compare", [], this.#baseline);
    return undisturbed.passed ? finding : null;
  }
}

function expectPassed(run: ExamRun): void {
  if (run.passed && run.divergence !== null) throw new UnfitBaseline(run.divergence, run);
  if (run.passed) return;
  throw new UnfitBaseline(`the command fails undisturbed (${run.exit})`, run);
}
