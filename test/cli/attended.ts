/** A program of ours that goes on until something happens to it: what it has said so far, and how it ends. */
import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { programFile, temporaryFolder } from "../support/program.js";
import { until } from "../support/until.js";

export interface Attended {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Resolves once either stream has it. */
  says(pattern: RegExp): Promise<string>;
  ended: Promise<number | null>;
}

export function attend(file: string, args: readonly string[], options: SpawnOptions = {}): Attended {
  const child = spawn(file, args, { cwd: temporaryFolder(), stdio: "pipe", ...options });
  let stdout = "";
  let stderr = "";
  child.stdout?.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr?.on("data", (chunk) => {
    stderr += chunk;
  });
  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    says: (pattern) =>
      until(
        `it says ${pattern}`,
        () => (pattern.test(stdout + stderr) ? stdout + stderr : undefined),
        20_000,
      ),
    ended: new Promise((resolve) => child.once("close", (code) => resolve(code))),
  };
}

/** Without a terminal, wherever the tests are run: as a continuous integration starts it. */
export const attendStandin = (args: readonly string[]): Attended =>
  attend(process.execPath, [programFile, ...args], { detached: true });

/**
 * A simple command on a terminal of its own; both streams come as stdout. It takes the place of the shell that starts
 * it: some shells ($SHELL decides which it is) would stay, and end of a Ctrl+C before the command does.
 */
export const attendOnTerminal = (command: string): Attended =>
  attend("script", ["-qefc", `exec ${command}`, "/dev/null"], { env: { ...process.env, TERM: "xterm" } });
