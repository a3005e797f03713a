/** Signals that ask a program to stop. */
import { constants } from "node:os";
import { timer } from "../time/time.js";

/**
 * Calls `listener` with each signal that asks for a stop, and with SIGTERM once the npm that waited for this program is gone.
 * Returns a function that removes the listener.
 */
export function onStopSignals(listener: (signal: NodeJS.Signals) => void): () => void {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, listener);
  const stopWatching = onNpmGone(() => listener("SIGTERM"));
  return () => {
    stopWatching();
    for (const signal of signals) process.off(signal, listener);
  };
}

/** Resolves when the program is asked to stop. */
export const untilStopped = (): Promise<void> =>
  new Promise((resolve) => {
    onStopSignals(() => resolve());
  });

/** Aborts when the program is asked to stop, or when stdout is closed. */
export function stopController(): AbortController {
  const stop = new AbortController();
  onStopSignals(() => stop.abort());
  process.stdout.on("error", () => stop.abort());
  return stop;
}

/** Read at once, since the parent may end while the program starts. */
const parent = process.ppid;

const parentCheckMs = 250;

/**
 * Calls `listener` once the shell in which npm or npx runs this program has ended. Both pass signals on to that shell only,
 * which ends without a signal to its child.
 */
export function onNpmGone(listener: () => void): () => void {
  if (!isAwaitedByNpm(process.env.npm_lifecycle_script)) return () => {};
  const check = () => {
    if (process.ppid === parent) next = timer(parentCheckMs, check);
    else listener();
  };
  let next = timer(parentCheckMs, check);
  return () => next.cancel();
}

const backgroundJob = /(?<![&>])&(?![&>\d])|\b(?:nohup|setsid|disown)\b/;

/**
 * Returns whether the script of package.json, or the command of npx, runs this program in the foreground. Otherwise it is
 * meant to outlive its shell, or another program has started it and inherited the variable.
 */
export const isAwaitedByNpm = (script = ""): boolean =>
  /\bstandin\b/.test(script) && !backgroundJob.test(script);

/** Returns the exit code that shells give a program that the signal ended. */
export const exitCodeOf = (signal: NodeJS.Signals): number => 128 + constants.signals[signal];
