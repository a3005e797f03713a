/** One process a data folder: a file with the owner's pid and start, taken over when that process is gone. */
import { closeSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { StoreError } from "./store.js";

interface Owner {
  pid: number;
  /** When the process began, in the kernel's ticks; pids come round again, in containers at once. */
  started: string | null;
}

/** Clock ticks since boot at which a process began; null where the kernel does not say. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    return null;
  }
}

function alive({ pid, started }: Owner): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  const now = startOf(pid);
  return started === null || now === null || started === now;
}

function readOwner(file: string): Owner | null {
  try {
    const owner = JSON.parse(readFileSync(file, "utf8")) as Partial<Owner>;
    return typeof owner.pid === "number" ? { pid: owner.pid, started: owner.started ?? null } : null;
  } catch {
    return null;
  }
}

function create(file: string): boolean {
  let handle: number;
  try {
    handle = openSync(file, "wx");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return false;
    throw new StoreError(`${file} cannot be written (${message}); choose another folder with --data`);
  }
  writeSync(handle, JSON.stringify({ pid: process.pid, started: startOf(process.pid) } satisfies Owner));
  closeSync(handle);
  return true;
}

/** Takes the folder, or throws a StoreError that names who has it. The returned function gives it back. */
export function lockFolder(folder: string): () => void {
  const file = join(folder, "lock");
  if (!create(file)) {
    const owner = readOwner(file);
    if (owner && alive(owner)) {
      throw new StoreError(
        `the data folder ${folder} is in use by process ${owner.pid}; stop it, or choose another with --data`,
      );
    }
    rmSync(file, { force: true });
    if (!create(file))
      throw new StoreError(`the data folder ${folder} was taken by another process just now`);
  }
  return () => rmSync(file, { force: true });
}
