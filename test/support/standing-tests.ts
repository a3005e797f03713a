/**
 * A reporter that ends a run whose test hangs, and names the test. A loop without end occupies its worker, where no
 * timeout of Vitest fires. A test that only waits is ended by its own timeout, which is shorter.
 *
 * A worker may also hang between two files, or after its last one. Then the run ends with the results that it has: it
 * fails if a test failed, or if a file never began.
 */
import { spawnSync } from "node:child_process";
import type { Reporter, TestCase, TestModule, TestSpecification, Vitest } from "vitest/node";

/** Time without a sign from a file beyond the timeouts of its test, in ms. */
const graceMs = Number(process.env.STANDIN_TEST_GRACE_MS ?? 120_000);
const intervalMs = Math.min(graceMs, 5_000);

interface Running {
  /** When the file or its last test began, or a test last ended. */
  since: number;
  timeoutMs: number;
  /** The test that runs, as far as a busy worker has told. */
  test: string;
}

export default class StandingTests implements Reporter {
  readonly #running = new Map<string, Running>();
  /** The files that have not begun. A file may stand in two projects. */
  readonly #waiting = new Set<string>();
  #vitest: Vitest | undefined;
  #timer: NodeJS.Timeout | undefined;
  #timeoutMs = 0;
  /** When a file last ended. Null before the first. */
  #lastEnd: number | null = null;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
    this.#timeoutMs = Math.max(...vitest.projects.map(({ config }) => config.testTimeout));
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    for (const specification of specifications) this.#waiting.add(keyOf(specification));
    this.#timer = setInterval(() => this.#endHung(), intervalMs);
  }

  onTestModuleQueued(module: TestModule): void {
    this.#waiting.delete(keyOf(module));
    this.#running.set(module.moduleId, {
      since: Date.now(),
      timeoutMs: this.#timeoutMs,
      test: "(before its first test)",
    });
  }

  onTestCaseReady(test: TestCase): void {
    const { timeout = 0, retry = 0 } = test.options;
    const tries = 1 + (typeof retry === "number" ? retry : (retry.count ?? 0));
    this.#note(test.module, test.fullName, tries * Math.max(timeout, this.#timeoutMs));
  }

  onTestCaseResult(test: TestCase): void {
    this.#note(test.module, `(after ${test.fullName})`);
  }

  onTestModuleEnd({ moduleId }: TestModule): void {
    this.#running.delete(moduleId);
    this.#lastEnd = Date.now();
  }

  onTestRunEnd(): void {
    clearInterval(this.#timer);
  }

  /** Notes a sign of a file. Results of tests may arrive after the end of their file, which is over then. */
  #note({ moduleId }: TestModule, test: string, timeoutMs = this.#timeoutMs): void {
    if (this.#running.has(moduleId)) this.#running.set(moduleId, { since: Date.now(), timeoutMs, test });
  }

  #endHung(): void {
    for (const [file, { since, timeoutMs, test }] of this.#running)
      if (Date.now() - since > timeoutMs + graceMs) endRun(since, `${file} > ${test}`);
    if (this.#running.size > 0 || this.#lastEnd === null || Date.now() - this.#lastEnd <= graceMs) return;
    if (this.#waiting.size > 0)
      endRun(
        this.#lastEnd,
        `a worker has not begun its next file, and ${[...this.#waiting].join(", ")} waits`,
      );
    this.#endWorkers(this.#lastEnd);
  }

  /**
   * Ends the workers that are left when every file has ended, so that Vitest reports the results. It takes each of these
   * workers for an error: where there is no other one, the results alone decide whether the run fails.
   */
  #endWorkers(since: number): void {
    const state = this.#vitest?.state;
    const isPassed =
      state?.getUnhandledErrors().length === 0 && state.getTestModules().every((module) => module.ok());
    const below = processesBelow(process.pid);
    printHung(since, "every file has ended, and a worker has not", below);
    console.error(
      `Its worker is ended, and the run ${isPassed ? "passes" : "fails"} by the results of its files.`,
    );
    if (isPassed) process.once("exit", () => (process.exitCode = 0));
    clearInterval(this.#timer);
    this.#timer = setTimeout(() => endRun(since, "the run has not ended without its workers"), graceMs);
    for (const { pid } of below.filter(({ command }) => /vitest\/dist\/workers\//.test(command))) kill(pid);
  }
}

/** Returns what tells a file of a project from the same file of another project. */
const keyOf = ({ project, moduleId }: { project: { name: string }; moduleId: string }): string =>
  [project.name, moduleId].filter(Boolean).join(": ");

/** Ends the run with exit code 1. A busy worker reads no message, and would outlive this process. */
function endRun(since: number, what: string): never {
  const below = processesBelow(process.pid);
  printHung(since, what, below);
  console.error("The run ends here.");
  for (const { pid } of below) kill(pid);
  process.exit(1);
}

function printHung(since: number, what: string, below: readonly Process[]): void {
  console.error(`\nHUNG for ${Math.round((Date.now() - since) / 1000)} s: ${what}`);
  for (const { state, cpu, command } of below)
    console.error(`  ${state} ${cpu} of CPU: ${command.slice(0, 200)}`);
}

interface Process {
  pid: number;
  parent: number;
  /** As `ps` shows it: `R` computes, `S` and `D` wait. */
  state: string;
  /** CPU time, as `ps` shows it. */
  cpu: string;
  command: string;
}

/** Returns the processes below this one, children before their parents. */
function processesBelow(pid: number): Process[] {
  // The command lines of browsers are long: what is cut off would not be ended.
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid=,stat=,time=,args="], {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  const all = [...(stdout ?? "").matchAll(/^ *(\d+) +(\d+) +(\S+) +(\S+) +(.*)$/gm)].map(
    ([, child, parent, state = "", cpu = "", command = ""]) => ({
      pid: Number(child),
      parent: Number(parent),
      state,
      cpu,
      command,
    }),
  );
  const below = (id: number): Process[] =>
    all.flatMap((process) => (process.parent === id ? [...below(process.pid), process] : []));
  return below(pid);
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended since, as ps itself has.
  }
}
