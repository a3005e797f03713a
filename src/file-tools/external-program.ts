/** Runs external programs (LibreOffice) for an engine: found on the PATH, started without a shell. */
import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { parentPort } from "node:worker_threads";
import { minute, timer } from "../time/time.js";

/** A backstop; the limit of the conversion thread is shorter. */
const defaultTimeoutMs = 2 * minute;

/** Resources that outlive a terminated thread. The pool kills the program and removes the folder. */
export interface ExternalResources {
  folder: string;
  pid: number | null;
}

const reportResources = (external: ExternalResources | null): void => parentPort?.postMessage({ external });

const executableSuffixes = process.platform === "win32" ? [".exe"] : [""];

/** Returns the path of a program, or null if it is not on the PATH. */
export function findProgram(name: string): string | null {
  for (const folder of (process.env.PATH ?? "").split(delimiter))
    for (const suffix of executableSuffixes)
      if (folder !== "" && isExecutable(join(folder, name + suffix))) return join(folder, name + suffix);
  return null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Calls `work` with a temporary folder, which is removed afterwards. */
export async function withTempFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "standin-"));
  reportResources({ folder, pid: null });
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
    reportResources(null);
  }
}

const hasProcessGroups = process.platform !== "win32";

/** Kills a program and the processes that it has started. */
export function killProgram(pid: number): void {
  try {
    process.kill(hasProcessGroups ? -pid : pid, "SIGKILL");
  } catch {
    // It has already exited.
  }
}

/** Runs a program without input or output. Returns false if it fails, cannot be started, or takes longer than `timeoutMs`. */
export function runProgram(
  path: string,
  args: readonly string[],
  folder: string,
  timeoutMs = defaultTimeoutMs,
): Promise<boolean> {
  return new Promise((resolve) => {
    // A process group of its own, because some programs are scripts that start the real one.
    const child = spawn(path, args, {
      cwd: folder,
      stdio: "ignore",
      windowsHide: true,
      detached: hasProcessGroups,
    });
    const timeout = timer(timeoutMs, () => child.pid !== undefined && killProgram(child.pid));
    reportResources({ folder, pid: child.pid ?? null });
    child.once("error", () => {
      timeout.cancel();
      resolve(false);
    });
    child.once("exit", (code) => {
      timeout.cancel();
      reportResources({ folder, pid: null });
      resolve(code === 0);
    });
  });
}
