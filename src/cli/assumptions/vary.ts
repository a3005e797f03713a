/** `standin assumptions --vary`: a client's test command, once for each other answer to what the interface leaves open. */
import type { CoverageReport } from "../../library/types.js";
import { minute } from "../../world/time/time.js";
import { readConfig } from "../config.js";
import { CommandFailure } from "../control-api.js";
import { type CapturedRun, runCaptured } from "../exec/captured-run.js";
import { exitCodeOf, onStopSignals } from "../exec/child.js";
import { waitingFor } from "../progress.js";
import { type SettingsFlags, toSettings } from "../sandbox-options.js";
import { write } from "../steering.js";
import { keyOf, startTestBed, type TestBedOptions } from "../test-bed.js";
import { touchedIn, variationsOf } from "./variations.js";
import { describe, lastLines, sayEnd, toJson, type Varied } from "./vary-report.js";

export interface VaryFlags extends SettingsFlags {
  key?: string;
  only?: string[];
  all?: true;
  bail?: true;
  /** Real ms. */
  timeout?: number;
  verbose?: true;
  json?: true;
}

export const usualTimeout = 10 * minute;

/** One run: what is varied in it, what came of it. */
type Observe = (
  title: string,
  assumptions: Record<string, string>,
) => Promise<{ run: CapturedRun; coverage: CoverageReport }>;

export async function vary(command: readonly string[], flags: VaryFlags): Promise<void> {
  const config = await readConfig(flags.config);
  const variations = variationsOf(toSettings(flags, config).assumptions, flags.only ?? null);
  // One key for all runs: with the same seed they draw the same ids, and differ in what is varied alone.
  const observe = observer(command, flags, { flags, config, key: keyOf(flags) });
  const { run, coverage } = await observe("the defaults", {});
  if (run.code !== 0 || run.timedOut) throw failsAnyway(run, flags);
  const touched = touchedIn(coverage);
  const results: Varied[] = [];
  for (const variation of variations) {
    const { assumption, alternative } = variation;
    const title = `${assumption}=${alternative}`;
    const operations = touched.get(assumption) ?? [];
    const skipped = whySkipped(operations, results, flags);
    const varied = skipped ? null : (await observe(title, { [assumption]: alternative })).run;
    const result = skipped ?? (varied?.code === 0 && !varied.timedOut ? "same" : "depends");
    results.push({ ...variation, operations, result, run: varied });
    if (varied && result === "depends") sayFailure(title, varied, flags);
  }
  write(`${flags.json ? toJson(command, run, results) : describe(results)}\n`);
  if (results.some(({ result }) => result === "depends")) process.exitCode = 1;
}

function whySkipped(
  operations: readonly string[],
  results: readonly Varied[],
  { all, bail }: VaryFlags,
): "not run" | "not touched" | null {
  if (bail && results.some(({ result }) => result === "depends")) return "not run";
  return operations.length === 0 && !all ? "not touched" : null;
}

/** Runs the command against a sandbox that nothing has used yet. */
function observer(command: readonly string[], flags: VaryFlags, options: TestBedOptions): Observe {
  const stop = new AbortController();
  onStopSignals((signal) => stop.abort(new CommandFailure(`stopped by ${signal}`, exitCodeOf(signal))));
  return async (title, assumptions) => {
    const bed = await startTestBed({ ...options, assumptions });
    try {
      if (flags.verbose) process.stderr.write(`--- ${title}\n`);
      const running = runCaptured(command, {
        env: bed.env,
        timeout: flags.timeout ?? usualTimeout,
        stopped: stop.signal,
        show: (text) => void (flags.verbose && process.stderr.write(text)),
      });
      const run = await (flags.verbose ? running : waitingFor(`the run with ${title}`, running));
      stop.signal.throwIfAborted();
      return { run, coverage: (await bed.api.call<CoverageReport>("GET", "/coverage")).value };
    } finally {
      await bed.sandbox.close();
    }
  };
}

function failsAnyway(run: CapturedRun, flags: VaryFlags): CommandFailure {
  sayFailure("the defaults", run, flags);
  const hint = run.timedOut ? "give it more time with --timeout" : "make it pass there first";
  return new CommandFailure(
    `the command ends with ${sayEnd(run)} before anything is varied, so nothing can be said of the guesses; ${hint}`,
  );
}

function sayFailure(title: string, run: CapturedRun, { verbose, json }: VaryFlags): void {
  if (verbose || json) return;
  const lines = lastLines(run.output).map((line) => `  ${line}`);
  process.stderr.write(`With ${title} the command ends with ${sayEnd(run)}:\n${lines.join("\n")}\n\n`);
}
