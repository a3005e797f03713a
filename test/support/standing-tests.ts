/**
 * A reporter that ends a run whose test hangs, and names the test. A loop without end occupies its worker, where no
 * timeout of Vitest fires. A test that only waits is ended by its own timeout, which is shorter.
 */
import { spawnSync } from "node:child_process";
import type { Reporter, TestCase, TestModule, Vitest } from "vitest/node";

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
  #timer: NodeJS.Timeout | undefined;
  #timeoutMs = 0;

  onInit({ projects }: Vitest): void {
    this.#timeoutMs = Math.max(...projects.map(({ config }) => config.testTimeout));
  }

  onTestRunStart(): void {
    this.#timer = setInterval(() => this.#endHung(), intervalMs);
  }

  onTestModuleQueued(module: TestModule): void {
    this.#note(module, "(before its first test)");
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
  }

  onTestRunEnd(): void {
    clearInterval(this.#timer);
  }

  #note({ moduleId }: TestModule, test: string, timeoutMs = this.#timeoutMs): void {
    this.#running.set(moduleId, { since: Date.now(), timeoutMs, test });
  }

  #endHung(): void {
    for (const [file, { since, timeoutMs, test }] of this.#running) {
      const silentMs = Date.now() - since;
      if (silentMs <= timeoutMs + graceMs) continue;
      console.error(`\nHUNG for ${Math.round(silentMs / 1000)} s: ${file} > ${test}\nThe run ends here.`);
      // A busy worker reads no message, and would outlive this process.
      for (const pid of processesBelow(process.pid)) kill(pid);
      process.exit(1);
    }
  }
}

/** Returns the ids of the processes below this one, children before their parents. */
function processesBelow(pid: number): number[] {
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
  const rows = (stdout ?? "")
    .trim()
    .split("\n")
    .map((row) => row.trim().split(/\s+/).map(Number));
  const below = (id: number): number[] =>
    rows.flatMap(([child = 0, parent]) => (parent === id ? [...below(child), child] : []));
  return below(pid);
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended since, as ps itself has.
  }
}
