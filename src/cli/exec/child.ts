/** A command beside this program: run in its place, with its signals passed on, its end told as a shell tells it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { constants } from "node:os";
import { CommandFailure } from "../control-api.js";

/** The command never ran; the exit code is what a shell gives then. */
export function notRun(command: string, error: unknown): CommandFailure {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === "ENOENT"
    ? new CommandFailure(`${command} does not exist, or what it asks to be run with does not (${code})`, 127)
    : new CommandFailure(`${command} cannot be run (${code ?? message})`, 126);
}

export interface Ended {
  /** 128 and the signal's number where a signal ended it. */
  readonly code: number;
  readonly signal: NodeJS.Signals | null;
}

export async function ended(child: ChildProcess, event: "exit" | "close"): Promise<Ended> {
  const [code, signal] = (await once(child, event)) as [number | null, NodeJS.Signals | null];
  return { code: code ?? (signal ? exitCodeOf(signal) : 1), signal };
}

export const exitCodeOf = (signal: NodeJS.Signals): number => 128 + constants.signals[signal];

/** Runs it in this program's place: the same terminal, the same input and output. */
export async function runInPlace(command: readonly string[], env: NodeJS.ProcessEnv): Promise<Ended> {
  const [file = "", ...args] = command;
  let child: ChildProcess | undefined;
  // Before it runs: once it does, a signal may come at any moment, and none may end this program without it.
  const stopPassing = passSignals((signal) => child?.kill(signal));
  try {
    child = spawn(file, args, { env, stdio: "inherit" });
    return await ended(child, "exit");
  } catch (error) {
    throw notRun(file, error);
  } finally {
    stopPassing();
  }
}

/** What a terminal sends to everything that runs in it; SIGTERM always has one receiver. */
const sentByTerminals: ReadonlySet<NodeJS.Signals> = new Set(["SIGINT", "SIGHUP"]);

/**
 * Each signal is passed on once. The first one that a terminal sends has reached the command already: it is passed on
 * when it comes again, since then it was sent to this program alone, or by somebody who insists.
 */
function passSignals(kill: (signal: NodeJS.Signals) => void): () => void {
  const had = new Map<NodeJS.Signals, number>();
  const pass = (signal: NodeJS.Signals) => {
    const count = (had.get(signal) ?? 0) + 1;
    had.set(signal, count);
    const after = sentByTerminals.has(signal) && hasTerminal() ? 2 : 1;
    if (count === after) kill(signal);
  };
  return onStopSignals(pass);
}

/** Calls back with each signal that asks for an end; the returned function stops that. */
export function onStopSignals(listener: (signal: NodeJS.Signals) => void): () => void {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, listener);
  return () => {
    for (const signal of signals) process.off(signal, listener);
  };
}

/** Input and output may all be redirected while Ctrl+C still comes from a terminal. */
function hasTerminal(): boolean {
  try {
    closeSync(openSync("/dev/tty", "r"));
    return true;
  } catch {
    return process.stdin.isTTY === true;
  }
}
