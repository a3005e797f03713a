/** Runs a command as a child process in the foreground, passing signals on to it. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { CommandError } from "../errors.js";
import { exitCodeOf, onStopSignals } from "../signals.js";

/** Returns the error for a command that could not be started. Its exit code is the one that shells use. */
export function startError(command: string, error: unknown): CommandError {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === "ENOENT"
    ? new CommandError(`${command} does not exist, or its interpreter does not (${code})`, 127)
    : new CommandError(`${command} cannot be run (${code ?? message})`, 126);
}

export interface ExitStatus {
  /** If a signal ended the process, 128 plus the signal's number. */
  readonly code: number;
  readonly signal: NodeJS.Signals | null;
}

export async function exitStatus(child: ChildProcess): Promise<ExitStatus> {
  const [code, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
  return { code: code ?? (signal ? exitCodeOf(signal) : 1), signal };
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
 * Returns the ids of the processes below a process. Commands such as npm end on SIGTERM and leave what they have started.
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
