/** Signals that ask a program to stop. */
import { constants } from "node:os";

/** Calls `listener` with each signal that asks for a stop. The returned function removes it. */
export function onStopSignals(listener: (signal: NodeJS.Signals) => void): () => void {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, listener);
  return () => {
    for (const signal of signals) process.off(signal, listener);
  };
}

/** Returns the exit code that shells give a program that the signal ended. */
export const exitCodeOf = (signal: NodeJS.Signals): number => 128 + constants.signals[signal];
