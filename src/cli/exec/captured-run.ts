/** A command run to its end with its output caught, in a process group of its own, so that nothing of it stays. */
import { type ChildProcess, spawn } from "node:child_process";
import { delay, second, stopwatch } from "../../world/time/time.js";
import { type Ended, ended, notRun } from "./child.js";

export interface CapturedRun extends Ended {
  readonly timedOut: boolean;
  /** Real ms. */
  readonly durationMs: number;
  /** Both streams as they came, at most the last 256 KB. */
  readonly output: string;
}

export interface RunOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Real ms. */
  readonly timeout: number;
  /** Ends the run early. */
  readonly stopped: AbortSignal;
  show(text: string): void;
}

const keptOutput = 256 * 1024;
/** Between the request to end and the end. */
const grace = 5 * second;

export async function runCaptured(command: readonly string[], options: RunOptions): Promise<CapturedRun> {
  const [file = "", ...args] = command;
  const elapsed = stopwatch();
  let output = "";
  const take = (text: string) => {
    output = (output + text).slice(-keptOutput);
    options.show(text);
  };
  try {
    const stdio: ["ignore", "pipe", "pipe"] = ["ignore", "pipe", "pipe"];
    const child = spawn(file, args, { env: options.env, stdio, detached: process.platform !== "win32" });
    child.stdout.setEncoding("utf8").on("data", take);
    child.stderr.setEncoding("utf8").on("data", take);
    const { end, timedOut } = await untilOver(child, options);
    return { ...end, timedOut, durationMs: Math.round(elapsed()), output };
  } catch (error) {
    throw notRun(file, error);
  }
}

/** What the command left running goes too: it would hold the output open, and ports that the next run wants. */
async function untilOver(
  child: ChildProcess,
  { timeout, stopped }: RunOptions,
): Promise<{ end: Ended; timedOut: boolean }> {
  const exit = ended(child, "exit");
  const closed = new AbortController();
  child.once("close", () => closed.abort());
  const over = new AbortController();
  const early = AbortSignal.any([over.signal, stopped]);
  const tooLong = delay(timeout, early).then(async () => {
    if (over.signal.aborted) return false;
    await endGroup(child, over.signal);
    return !stopped.aborted;
  });
  try {
    const end = await exit;
    over.abort();
    await endGroup(child, closed.signal);
    return { end, timedOut: await tooLong };
  } finally {
    over.abort();
  }
}

async function endGroup(child: ChildProcess, gone: AbortSignal): Promise<void> {
  killGroup(child, "SIGTERM");
  await delay(grace, gone);
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
    // Nobody of the group is there any more.
  }
}
