/**
 * Lets one process at a time use a data folder. The lock is a folder with one file, of a unique name, that describes its
 * owner. It is put in place by one rename, which fails while another owner's file is in it; a lock whose owner is gone is
 * released by deleting exactly that file. If several processes find a stale lock, only one can take it over.
 */
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { basename, join } from "node:path";
import { delay, fastestStopwatch, second } from "../../time/time.js";
import { StoreError } from "./store.js";

/** Interval in ms between heartbeats, which renew the modification time of the owner's file. */
export const heartbeatMs = 1 * second;
/** Time in ms without a heartbeat after which an owner counts as dead if its process cannot be looked up. */
const staleAfterMs = 10 * second;
/**
 * Time in ms after a heartbeat during which the owner may write without checking the lock again. A process that takes
 * over a lock with a missing heartbeat waits equally long, in case the owner renewed it at that instant.
 */
const leaseMs = 2 * second;
const maxAttempts = 100;

export class FolderLock {
  #sinceHeartbeat = fastestStopwatch();

  constructor(
    readonly path: string,
    /** Name of the file that describes this process. */
    readonly ownFile: string,
    readonly text: string,
    /** Whether an owner that may still be running was judged by its heartbeat, and has lost the lock. */
    readonly isFromSilentOwner = false,
  ) {}

  /** Whether the last heartbeat is so long ago that the lock must be renewed before anything is written. */
  get isLate(): boolean {
    return this.#sinceHeartbeat() > leaseMs;
  }

  /** File that describes this process. It is gone once another process has taken the lock over. */
  get file(): string {
    return join(this.path, this.ownFile);
  }

  /** Renews the heartbeat. Returns `removed` when the lock was deleted, and `taken` when another process has it. */
  renew(): "held" | "removed" | "taken" {
    const begun = fastestStopwatch();
    try {
      writeFileSync(this.file, this.text, { flag: "r+" });
      this.#sinceHeartbeat = begun;
      return "held";
    } catch (error) {
      if (!isMissing(error)) return "held";
      return findHolder(this.path, 0) ? "taken" : "removed";
    }
  }

  release(): void {
    rmSync(this.file, { force: true });
    removeIfEmpty(this.path);
  }
}

/**
 * Locks the folder, or throws a StoreError that names its owner. Waits up to 10 s for a heartbeat of an owner on another
 * host or in another container.
 */
export async function lockFolder(folder: string, warn: (message: string) => void): Promise<FolderLock> {
  for (let silent: string | null = null; ; ) {
    const lock = tryLock(folder, silent);
    if (lock instanceof FolderLock) {
      if (lock.isFromSilentOwner) await delay(leaseMs);
      return lock;
    }
    const { file, owner } = lock;
    const wait = `waiting up to ${staleAfterMs / second} s for a heartbeat of ${formatOwner(owner)}`;
    warn(`${file}: ${wait}, which may have ended without removing its lock`);
    if (await isBeating(lock)) throw inUse(folder, owner);
    silent = file;
  }
}

/**
 * Locks the folder, unless its owner can only be judged by its heartbeat: then returns the holder of the lock. `silent` is
 * the file of an owner without a heartbeat.
 */
export function tryLock(folder: string, silent: string | null = null): FolderLock | Holder {
  const path = join(folder, "lock");
  let prepared = "";
  let isFromSilentOwner = false;
  try {
    prepared = mkdtempSync(`${path}-`);
    const ownFile = `${prepared.slice(path.length + 1)}.json`;
    const text = JSON.stringify(thisProcess());
    writeFileSync(join(prepared, ownFile), text, { mode: 0o600 });
    // Both times are the file system's: the clocks of two hosts may differ.
    const now = statSync(join(prepared, ownFile)).mtimeMs;
    for (let attempt = 0; !canMove(prepared, path); attempt++) {
      const holder = findHolder(path, now);
      const isFree = holder === null || holder.file === silent || !isAlive(holder);
      if (!isFree && needsHeartbeat(holder)) return holder;
      if (!isFree || attempt === maxAttempts) throw inUse(folder, holder?.owner ?? null);
      if (holder) {
        isFromSilentOwner ||= needsHeartbeat(holder);
        removeLock(holder);
      } else removeIfEmpty(path);
    }
    prepared = "";
    removeAbandoned(folder, `${basename(path)}-`);
    return new FolderLock(path, ownFile, text, isFromSilentOwner);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    const reason = (error as Error).message;
    throw new StoreError(
      `${path} cannot be written (${reason}); choose another folder with --data, or keep the state in memory with --memory`,
    );
  } finally {
    if (prepared !== "") rmSync(prepared, { recursive: true, force: true });
  }
}

const inUse = (folder: string, owner: LockOwner | null): StoreError =>
  new StoreError(
    `the data folder ${folder} is in use by ${formatOwner(owner)}; stop it, choose another with --data, or keep the state in memory with --memory`,
  );

/** Moves the prepared lock into place. Returns false if a lock exists already. */
function canMove(prepared: string, path: string): boolean {
  try {
    renameSync(prepared, path);
    return true;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    // Windows answers EPERM for every folder that exists. ENOTDIR: an earlier version's lock is a file.
    if (["ENOTEMPTY", "EEXIST", "ENOTDIR", "EPERM"].includes(code)) return false;
    throw error;
  }
}

export interface Holder {
  file: string;
  /** Owner of the lock. Null if the file cannot be parsed: a power failure may leave it empty. */
  owner: LockOwner | null;
  /** Time in ms on the clock of the file system. */
  heartbeat: number;
  /** Time in ms since the last heartbeat. */
  age: number;
  /** Whether the lock is a file, as earlier versions wrote it, without heartbeats. */
  isFile: boolean;
}

function findHolder(path: string, now: number): Holder | null {
  try {
    const isFile = statSync(path).isFile();
    const [name] = isFile ? [""] : readdirSync(path);
    if (name === undefined) return null;
    const file = join(path, name);
    const heartbeat = statSync(file).mtimeMs;
    return { file, owner: parseOwner(readFileSync(file, "utf8")), heartbeat, age: now - heartbeat, isFile };
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Returns whether the owner cannot be looked up, and is therefore judged by its heartbeat. */
const needsHeartbeat = ({ owner, isFile }: Holder): boolean => !isFile && !(owner && canLookUp(owner));

/** Returns whether the owner is running, or may be. */
const isAlive = (holder: Holder): boolean =>
  needsHeartbeat(holder) ? holder.age <= staleAfterMs : holder.owner !== null && isRunning(holder.owner);

/** Waits until the heartbeat is renewed, or has been missing for too long. */
async function isBeating({ file, heartbeat, age }: Holder): Promise<boolean> {
  for (let waited = Math.max(age, 0); waited <= staleAfterMs; waited += heartbeatMs / 2) {
    await delay(heartbeatMs / 2);
    try {
      if (statSync(file).mtimeMs !== heartbeat) return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }
  return false;
}

/** Removes the lock of a dead owner, unless another process has already replaced it. */
function removeLock({ file, isFile }: Holder): void {
  try {
    unlinkSync(file);
  } catch (error) {
    // Another process may have replaced the file of the earlier version with its folder.
    if (!isMissing(error) && !isFile) throw error;
  }
}

function removeIfEmpty(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // Another process has put its lock there, or removed it.
  }
}

/** Removes files of processes that ended while taking the lock. A process that is still trying would be refused anyway. */
function removeAbandoned(folder: string, prefix: string): void {
  for (const name of readdirSync(folder))
    if (name.startsWith(prefix)) rmSync(join(folder, name), { recursive: true, force: true });
}

const isMissing = (error: unknown): boolean =>
  ["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "");

/** The process that holds a lock. */
interface LockOwner {
  pid: number;
  /** Start of the process in clock ticks since boot, because pids are reused, in containers immediately. */
  started: string | null;
  /** Name of the host, for people. */
  host?: string;
  /** Boot id of the kernel, which all containers of a host share, or the host name if there is none. */
  machine?: string;
  /** PID namespace of the process, or null if the system has none. */
  pid_namespace?: string | null;
}

/** Describes the owner for people. */
const formatOwner = (owner: LockOwner | null): string => {
  if (!owner) return "another process";
  const isElsewhere = owner.host !== undefined && owner.host !== hostname();
  return isElsewhere ? `process ${owner.pid} on ${owner.host}` : `process ${owner.pid}`;
};

const thisProcess = (): LockOwner => ({
  pid: process.pid,
  started: startOf(process.pid),
  host: hostname(),
  machine: machineId(),
  pid_namespace: pidNamespace(),
});

/** Parses an owner. Returns null if the text does not describe one. */
function parseOwner(text: string): LockOwner | null {
  const owner = attempt(() => JSON.parse(text) as Partial<LockOwner> | null);
  return typeof owner?.pid === "number" ? { ...owner, pid: owner.pid, started: owner.started ?? null } : null;
}

/** Returns whether the owner's pid refers to the same process here. */
const canLookUp = ({ machine, pid_namespace }: LockOwner): boolean =>
  machine === machineId() && pid_namespace === pidNamespace();

/** Returns whether the process that took the lock is still running. The pid must be one that can be looked up here. */
function isRunning({ pid, started }: LockOwner): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  const now = startOf(pid);
  return now !== "ended" && (started === null || now === null || started === now);
}

const machineId = (): string =>
  attempt(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()) ?? hostname();

const pidNamespace = (): string | null => attempt(() => readlinkSync("/proc/self/ns/pid"));

/** Returns the start of a process in clock ticks since boot, or null if the kernel does not expose it. */
function startOf(pid: number): string | null {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  if (stat === null) return null;
  const [state = "", ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  // A child whose parent never reads its exit code remains as a zombie.
  return state === "Z" || state === "X" ? "ended" : (fields[18] ?? null);
}

function attempt<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
