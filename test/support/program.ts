/** Runs the program as users do: in a process of its own, from dist/. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SandboxAccount } from "../../src/client/account/account.js";

export interface Program {
  process: ChildProcess;
  url: string;
  /** The line that it printed when it was ready. */
  ready: { url: string; tlsUrl?: string };
  stdout(): string;
  stderr(): string;
  account(key: string): SandboxAccount;
  /** Sends the signal and resolves to the exit code, or to null if the signal ended the process. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), "standin-test-"));

export const programFile = join(import.meta.dirname, "../../dist/standin.cjs");

/** Starts `standin start --port 0 --json` with these flags, run by `wrapper` if given, and waits until it is ready. */
export function startProgram(
  flags: readonly string[],
  cwd = temporaryFolder(),
  wrapper: readonly string[] = [],
): Promise<Program> {
  const started = [process.execPath, programFile, "start", "--port", "0", "--json", ...flags];
  const [command = "", ...args] = [...wrapper, ...started];
  const child = spawn(command, args, {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  let err = "";
  const ended = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  return new Promise((resolve, reject) => {
    child.stderr.on("data", (chunk) => {
      err += chunk;
    });
    child.stdout.on("data", (chunk) => {
      out += chunk;
      if (!out.includes("\n")) return;
      const ready = JSON.parse(out.slice(0, out.indexOf("\n"))) as Program["ready"];
      const { url } = ready;
      resolve({
        process: child,
        url,
        ready,
        stdout: () => out,
        stderr: () => err,
        account: (key) => new SandboxAccount({ baseUrl: url, key }),
        stop(signal = "SIGTERM") {
          child.kill(signal);
          return ended;
        },
      });
    });
    void ended.then((code) => reject(new Error(`standin ended with code ${code}: ${err}`)));
  });
}

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the program until it exits. */
export function runProgram(
  args: readonly string[],
  cwd = temporaryFolder(),
  env: NodeJS.ProcessEnv = {},
): Promise<Finished> {
  const child = spawn(process.execPath, [programFile, ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, stdout, stderr })));
}
