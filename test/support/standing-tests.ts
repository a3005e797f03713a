/** A reporter that names the files which have been running for minutes: of a test that hangs, a log would show nothing. */
import type { Reporter, TestCase, TestModule } from "vitest/node";

const intervalMs = 60_000;
/** In minutes. */
const namedAfter = 3;

interface Standing {
  since: number;
  /** The test that runs, as far as a busy worker has told. */
  test?: string;
}

export default class StandingTests implements Reporter {
  readonly #running = new Map<string, Standing>();
  #timer: NodeJS.Timeout | undefined;

  onTestRunStart(): void {
    this.#timer = setInterval(() => this.#name(), intervalMs);
  }

  onTestModuleQueued({ relativeModuleId }: TestModule): void {
    this.#running.set(relativeModuleId, { since: Date.now() });
  }

  onTestCaseReady({ module, fullName }: TestCase): void {
    const standing = this.#running.get(module.relativeModuleId);
    if (standing) standing.test = fullName;
  }

  onTestModuleEnd({ relativeModuleId }: TestModule): void {
    this.#running.delete(relativeModuleId);
  }

  onTestRunEnd(): void {
    clearInterval(this.#timer);
  }

  #name(): void {
    for (const [file, { since, test = "" }] of this.#running) {
      const minutes = Math.floor((Date.now() - since) / 60_000);
      if (minutes >= namedAfter) console.log(` still running after ${minutes} min: ${file} > ${test}`);
    }
  }
}
