/** Other programs that an engine may use: found on PATH, run without a shell, ended with the thread that started them. */
import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { parentPort } from "node:worker_threads";
import { minute, timer } from "../world/time/time.js";

/** The thread's own limit comes first. */
const longestRun = 2 * minute;

/** What outlives a thread that is stopped: whoever stops it ends the program and removes the folder. */
export interface LeftBehind {
  folder: string;
  pid: number | null;
}

const tell = (leftBehind: LeftBehind | null): void => parentPort?.postMessage({ leftBehind });

const endings = process.platform === "win32" ? [".exe"] : [""];

/** Its path; null where PATH has none. */
export function findProgram(name: string): string | null {
  for (const folder of (process.env.PATH ?? "").split(delimiter))
    for (const ending of endings)
      if (folder !== "" && isExecutable(join(folder, name + ending))) return join(folder, name + ending);
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

/** A folder for one file's work; gone afterwards. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "standin-"));
  tell({ folder, pid: null });
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
    tell(null);
  }
}

const hasGroups = process.platform !== "win32";

/** With whatever it has started itself. */
export function endProgram(pid: number): void {
  try {
    process.kill(hasGroups ? -pid : pid, "SIGKILL");
  } catch {
    // It ended by itself.
  }
}

/**
 * Whether it ended well; false too when it cannot be started, or takes longer than so many ms.
 * What it prints is nobody's.
 */
export function runProgram(
  path: string,
  args: readonly string[],
  folder: string,
  longest = longestRun,
): Promise<boolean> {
  return new Promise((resolve) => {
    // A group of its own: some programs are scripts that start the real one.
    const child = spawn(path, args, { cwd: folder, stdio: "ignore", windowsHide: true, detached: hasGroups });
    const limit = timer(longest, () => child.pid !== undefined && endProgram(child.pid));
    tell({ folder, pid: child.pid ?? null });
    child.once("error", () => {
      limit.cancel();
      resolve(false);
    });
    child.once("exit", (code) => {
      limit.cancel();
      tell({ folder, pid: null });
      resolve(code === 0);
    });
  });
}
