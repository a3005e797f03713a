/** Runs a command with a new sandbox, whose state is read before it closes. */
import { CommandError } from "../errors.js";
import { exitCodeOf, onStopSignals } from "../signals.js";
import {
  startTemporarySandbox,
  type TemporarySandbox,
  type TemporarySandboxOptions,
} from "../temporary-sandbox.js";
import { type CapturedRun, runCaptured } from "./captured-run.js";

export interface SandboxRunOptions {
  sandbox: TemporarySandboxOptions;
  /** Heading that a verbose run prints first. */
  title: string;
  /** Wall-clock time in ms after which the run is ended. */
  timeout: number;
  stopped: AbortSignal;
  /** Whether its output is printed on stderr. */
  isVerbose: boolean;
}

/** Runs the command and resolves with what `read` reads. */
export async function runWithSandbox<T>(
  command: readonly string[],
  { sandbox: options, title, timeout, stopped, isVerbose }: SandboxRunOptions,
  read: (run: CapturedRun, sandbox: TemporarySandbox) => Promise<T>,
): Promise<T> {
  const sandbox = await startTemporarySandbox(options);
  try {
    if (isVerbose) process.stderr.write(`--- ${title}\n`);
    const run = await runCaptured(command, {
      env: sandbox.env,
      timeout,
      stopped,
      onOutput: (text) => void (isVerbose && process.stderr.write(text)),
    });
    return await read(run, sandbox);
  } finally {
    await sandbox.close();
  }
}

/** Returns a signal that aborts when the program is asked to stop. Its reason is the error to end with. */
export function stopSignal(): AbortSignal {
  const stop = new AbortController();
  onStopSignals((signal) => stop.abort(new CommandError(`stopped by ${signal}`, exitCodeOf(signal))));
  return stop.signal;
}
