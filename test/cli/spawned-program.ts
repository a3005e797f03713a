/** Spawns programs that run until they are stopped, and reads their output. */
import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { programFile, temporaryFolder } from "../support/program.js";
import { until } from "../support/until.js";

export interface SpawnedProgram {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Resolves to the output so far once it matches. */
  waitFor(pattern: RegExp): Promise<string>;
  exitCode: Promise<number | null>;
}

export function spawnProgram(
  file: string,
  args: readonly string[],
  options: SpawnOptions = {},
): SpawnedProgram {
  const child = spawn(file, args, { cwd: temporaryFolder(), stdio: "pipe", ...options });
  let stdout = "";
  let stderr = "";
  child.stdout?.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr?.on("data", (chunk) => {
    stderr += chunk;
  });
  const output = () => stdout + stderr;
  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    waitFor: (pattern) =>
      until(`output matches ${pattern}`, () => (pattern.test(output()) ? output() : undefined)),
    exitCode: new Promise((resolve) => child.once("close", (code) => resolve(code))),
  };
}

/** Spawns standin without a terminal, as CI does. */
export const spawnStandin = (args: readonly string[]): SpawnedProgram =>
  spawnProgram(process.execPath, [programFile, ...args], { detached: true });

/**
 * Runs a simple command on a terminal of its own; both streams arrive as stdout. The command replaces the shell that
 * starts it: some shells (selected by $SHELL) would otherwise stay, and exit on Ctrl+C before the command does.
 */
export const spawnOnTerminal = (command: string): SpawnedProgram =>
  spawnProgram("script", ["-qefc", `exec ${command}`, "/dev/null"], {
    env: { ...process.env, TERM: "xterm" },
  });
