/** Runs a command beside a new sandbox: in the foreground, or in its own process group with its output captured. */

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { delay, second, stopwatch } from "../../time/time.js";
import { CommandError } from "../errors.js";
import { exitCodeOf, onStopSignals } from "../signals.js";
import {
  type TemporarySandbox,
  type TemporarySandboxOptions,
  withTemporarySandbox,
} from "../temporary-sandbox.js";

/** Runs a command beside a new sandbox. Resolves with the result of `read`, which is called before the sandbox closes. */
export const runUnder = <Run, Result>(
  options: TemporarySandboxOptions,
  run: (env: NodeJS.ProcessEnv) => Promise<Run>,
  read: (run: Run, sandbox: TemporarySandbox) => Promise<Result>,
): Promise<Result> => withTemporarySandbox(options, async (sandbox) => read(await run(sandbox.env), sandbox));

/** Returns a signal that aborts when the program is asked to stop. Its reason is the error to end with. */
export function stopSignal(): AbortSignal {
  const stop = new AbortController();
  onStopSignals((signal) => stop.abort(new CommandError(`stopped by ${signal}`, exitCodeOf(signal))));
  return stop.signal;
}

export interface CapturedRun extends ExitStatus {
  readonly timedOut: boolean;
  /** Stdout and stderr interleaved, at most the last 256 KB. */
  readonly output: string;
}

interface CapturedRunOptions {
  /** Wall-clock time in ms after which the run is ended. */
  readonly timeout: number;
  /**
   * A run goes on beyond the time limit until it has shown no sign of progress for `silenceMs`, at most for `maxMs` in all. It
   * shows one by printing, and may show others: `sinceSign` returns the time in ms since the last of those.
   */
  readonly whileProgressing?: {
    readonly silenceMs: number;
    readonly maxMs: number;
    sinceSign(): number;
  };
  readonly stopped: AbortSignal;
  /** Heading of the run. If given, the heading and the output are printed on stderr. */
  readonly shownAs?: string | undefined;
  onStdout?(text: string): void;
}

export const hasPassed = ({ code, timedOut }: CapturedRun): boolean => code === 0 && !timedOut;

/** Number of lines of the output that are shown as its last lines. */
const shownLines = 20;

export const lastLines = (output: string): string[] => output.trimEnd().split("\n").slice(-shownLines);

export function formatExit({ timedOut, signal, code }: CapturedRun): string {
  if (timedOut) return "timeout";
  return signal ? `signal ${signal}` : `exit code ${code}`;
}

const maxOutputLength = 256 * 1024;
/** Time between SIGTERM and SIGKILL, in ms. */
const killGraceMs = 5 * second;

/** Runs a command in its own process group. */
export async function runCaptured(
  command: readonly string[],
  env: NodeJS.ProcessEnv,
  options: CapturedRunOptions,
): Promise<CapturedRun> {
  const [file = "", ...args] = command;
  const { shownAs, onStdout } = options;
  let output = "";
  const capture = (text: string) => {
    output = (output + text).slice(-maxOutputLength);
    if (shownAs !== undefined) process.stderr.write(text);
  };
  if (shownAs !== undefined) process.stderr.write(`--- ${shownAs}\n`);
  try {
    const stdio: ["ignore", "pipe", "pipe"] = ["ignore", "pipe", "pipe"];
    const child = spawn(file, args, { env, stdio, detached: process.platform !== "win32" });
    child.stdout.setEncoding("utf8").on("data", capture);
    if (onStdout) child.stdout.on("data", onStdout);
    child.stderr.setEncoding("utf8").on("data", capture);
    const { status, timedOut } = await waitForExit(child, options);
    return { ...status, timedOut, output };
  } catch (error) {
    throw startError(file, error);
  }
}

/** Waits for the exit, then ends the rest of the group, which would keep the output and ports of the next run open. */
async function waitForExit(
  child: ChildProcess,
  options: CapturedRunOptions,
): Promise<{ status: ExitStatus; timedOut: boolean }> {
  const { stopped } = options;
  const exit = exitStatus(child);
  const closed = new AbortController();
  child.once("close", () => closed.abort());
  const over = new AbortController();
  const early = AbortSignal.any([over.signal, stopped]);
  const timingOut = untilOver(child, options, early).then(async () => {
    if (over.signal.aborted) return false;
    await endGroup(child, over.signal);
    return !stopped.aborted;
  });
  try {
    const status = await exit;
    over.abort();
    await endGroup(child, closed.signal);
    return { status, timedOut: await timingOut };
  } finally {
    over.abort();
  }
}

/** Waits until a run has no time left: its time limit is over, and it has shown no sign of progress for some time. */
async function untilOver(
  { stdout, stderr }: ChildProcess,
  { timeout, whileProgressing }: CapturedRunOptions,
  early: AbortSignal,
): Promise<void> {
  const elapsed = stopwatch();
  let printedAt = 0;
  for (const stream of [stdout, stderr])
    stream?.on("data", () => {
      printedAt = elapsed();
    });
  const end = () => {
    if (!whileProgressing) return timeout;
    const { silenceMs, maxMs, sinceSign } = whileProgressing;
    const progressedAt = Math.max(printedAt, elapsed() - sinceSign());
    return Math.max(timeout, Math.min(progressedAt + silenceMs, maxMs));
  };
  while (elapsed() < end() && !early.aborted) await delay(end() - elapsed(), early);
}

async function endGroup(child: ChildProcess, gone: AbortSignal): Promise<void> {
  killGroup(child, "SIGTERM");
  await delay(killGraceMs, gone);
  if (gone.aborted) return;
  killGroup(child, "SIGKILL");
  child.stdout?.destroy();
  child.stderr?.destroy();
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (process.platform === "win32" || child.pid === undefined) child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // No process of the group is left.
  }
}

export interface LeftProcess {
  readonly pid: number;
  /** Command line of the process, at most the first 200 characters. */
  readonly command: string;
}

const maxCommandLength = 200;

/**
 * Returns processes that runs have left running outside their process groups, found by the URL of a sandbox in their
 * environment. Waits a second for processes that are about to end. Empty without `/proc`, which only Linux has.
 */
export async function findLeftRunning(urls: ReadonlySet<string>): Promise<LeftProcess[]> {
  const find = async () => (await Promise.all((await processIds()).map(read))).flat();
  const read = async (pid: number): Promise<LeftProcess[]> => {
    const environment = await readProcessFile(pid, "environ");
    const isOfRun = environment.some(
      (entry) => entry.startsWith("STANDIN_URL=") && urls.has(entry.slice("STANDIN_URL=".length)),
    );
    if (!isOfRun) return [];
    return [{ pid, command: (await readProcessFile(pid, "cmdline")).join(" ").slice(0, maxCommandLength) }];
  };
  if ((await find()).length === 0) return [];
  await delay(second, new AbortController().signal);
  return find();
}

const processIds = async (): Promise<number[]> =>
  (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number);

/** Returns the parts of a file of `/proc`. Empty for processes that have ended or belong to other users. */
const readProcessFile = async (pid: number, name: string): Promise<string[]> =>
  (await readFile(`/proc/${pid}/${name}`, "utf8").catch(() => "")).split("\0").filter((part) => part !== "");

/** Returns the error for a command that could not be started. Its exit code is what shells use. */
function startError(command: string, error: unknown): CommandError {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === "ENOENT"
    ? new CommandError(`${command} does not exist, or its interpreter does not (${code})`, 127)
    : new CommandError(`${command} cannot be run (${code ?? message})`, 126);
}

export interface ExitStatus {
  /** If a signal ended the process, 128 plus the signal's number. */
  readonly code: number;
  readonly signal: NodeJS.Signals | null;
  /** Wall-clock time in ms. */
  readonly durationMs: number;
}

/** Waits for the exit of a child that has just been started. */
async function exitStatus(child: ChildProcess): Promise<ExitStatus> {
  const elapsed = stopwatch();
  const [code, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
  return { code: code ?? (signal ? exitCodeOf(signal) : 1), signal, durationMs: Math.round(elapsed()) };
}

/** Runs a command with the terminal, input and output of this program. */
export async function runInForeground(
  command: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<ExitStatus> {
  const [file = "", ...args] = command;
  let child: ChildProcess | undefined;
  // Registered before the start, so that no signal ends this program and leaves the command running.
  let descendants: readonly number[] = [];
  const stopForwarding = forwardSignals((signal) => {
    if (signal === "SIGTERM" && child?.pid !== undefined) descendants = descendantsOf(child.pid);
    child?.kill(signal);
  });
  try {
    child = spawn(file, args, { env, stdio: "inherit" });
    const status = await exitStatus(child);
    for (const pid of descendants) terminate(pid);
    return status;
  } catch (error) {
    throw startError(file, error);
  } finally {
    stopForwarding();
  }
}

/**
 * Returns the ids of the processes below a process. Commands such as npm end on SIGTERM and leave their children running.
 * Empty where `ps` is not installed.
 */
function descendantsOf(ancestor: number): number[] {
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
  const processes = Array.from((stdout ?? "").matchAll(/(\d+) +(\d+)/g), ([, pid, ppid]) => ({
    pid: Number(pid),
    ppid: Number(ppid),
  }));
  const below = (id: number): number[] =>
    processes.filter(({ ppid }) => ppid === id).flatMap(({ pid }) => [pid, ...below(pid)]);
  return below(ancestor);
}

function terminate(pid: number): void {
  try {
    process.kill(pid, "SIGTERM");
  } catch {
    // The process has ended.
  }
}

/** Signals that a terminal sends to every process that runs in it. SIGTERM always has a single receiver. */
const terminalSignals: ReadonlySet<NodeJS.Signals> = new Set(["SIGINT", "SIGHUP"]);

/**
 * Forwards each signal once. On a terminal, the command has already received the first SIGINT or SIGHUP itself: only the
 * second one is forwarded, which is either a repeated Ctrl+C or was sent to this program alone.
 */
function forwardSignals(kill: (signal: NodeJS.Signals) => void): () => void {
  const counts = new Map<NodeJS.Signals, number>();
  return onStopSignals((signal) => {
    const count = (counts.get(signal) ?? 0) + 1;
    counts.set(signal, count);
    const forwarded = terminalSignals.has(signal) && hasTerminal() ? 2 : 1;
    if (count === forwarded) kill(signal);
  });
}

/** Checks the controlling terminal itself: Ctrl+C comes from it even if input and output are redirected. */
function hasTerminal(): boolean {
  try {
    closeSync(openSync("/dev/tty", "r"));
    return true;
  } catch {
    return process.stdin.isTTY === true;
  }
}
