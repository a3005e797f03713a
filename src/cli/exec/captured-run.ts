/** Runs a command in its own process group and captures its output. */
import { type ChildProcess, spawn } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { delay, second, stopwatch } from "../../time/time.js";
import { type ExitStatus, exitStatus, startError } from "./child-process.js";

export interface CapturedRun extends ExitStatus {
  readonly timedOut: boolean;
  /** Wall-clock time in ms. */
  readonly durationMs: number;
  /** Stdout and stderr interleaved, at most the last 256 KB. */
  readonly output: string;
}

export interface CapturedRunOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Wall-clock time in ms after which the run is ended. */
  readonly timeout: number;
  readonly stopped: AbortSignal;
  onOutput(text: string, stream: "stdout" | "stderr"): void;
}

export const hasPassed = ({ code, timedOut }: CapturedRun): boolean => code === 0 && !timedOut;

/** Number of lines of its output that tell what a run said last. */
const shownLines = 20;

export const lastLines = (output: string): string[] => output.trimEnd().split("\n").slice(-shownLines);

export function formatExit({ timedOut, signal, code }: CapturedRun): string {
  if (timedOut) return "timeout";
  return signal ? `signal ${signal}` : `exit code ${code}`;
}

const maxOutputLength = 256 * 1024;
/** Time between SIGTERM and SIGKILL, in ms. */
const killGraceMs = 5 * second;

export async function runCaptured(
  command: readonly string[],
  options: CapturedRunOptions,
): Promise<CapturedRun> {
  const [file = "", ...args] = command;
  const elapsed = stopwatch();
  let output = "";
  const capture = (stream: "stdout" | "stderr") => (text: string) => {
    output = (output + text).slice(-maxOutputLength);
    options.onOutput(text, stream);
  };
  try {
    const stdio: ["ignore", "pipe", "pipe"] = ["ignore", "pipe", "pipe"];
    const child = spawn(file, args, { env: options.env, stdio, detached: process.platform !== "win32" });
    child.stdout.setEncoding("utf8").on("data", capture("stdout"));
    child.stderr.setEncoding("utf8").on("data", capture("stderr"));
    const { status, timedOut } = await waitForExit(child, options);
    return { ...status, timedOut, durationMs: Math.round(elapsed()), output };
  } catch (error) {
    throw startError(file, error);
  }
}

/** Waits for the exit, then ends the rest of the group, which would keep the output and ports of the next run open. */
async function waitForExit(
  child: ChildProcess,
  { timeout, stopped }: CapturedRunOptions,
): Promise<{ status: ExitStatus; timedOut: boolean }> {
  const exit = exitStatus(child);
  const closed = new AbortController();
  child.once("close", () => closed.abort());
  const over = new AbortController();
  const early = AbortSignal.any([over.signal, stopped]);
  const timingOut = delay(timeout, early).then(async () => {
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
  /** Its command line, at most the first 200 characters. */
  readonly command: string;
}

const maxCommandLength = 200;

/**
 * Returns the processes that runs have left running, outside of their process groups: those whose environment has the URL
 * of one of their sandboxes. Those that are about to end are given a second. Empty without `/proc`, which only Linux has.
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

/** Returns the parts of a file of `/proc`. Empty for processes of other users, and for those that have ended. */
const readProcessFile = async (pid: number, name: string): Promise<string[]> =>
  (await readFile(`/proc/${pid}/${name}`, "utf8").catch(() => "")).split("\0").filter((part) => part !== "");
