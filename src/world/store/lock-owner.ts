/** The process that holds the lock of a data folder, and whether it is still running. */
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

export interface LockOwner {
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
export const formatOwner = (owner: LockOwner | null): string => {
  if (!owner) return "another process";
  const isElsewhere = owner.host !== undefined && owner.host !== hostname();
  return isElsewhere ? `process ${owner.pid} on ${owner.host}` : `process ${owner.pid}`;
};

export const thisProcess = (): LockOwner => ({
  pid: process.pid,
  started: startOf(process.pid),
  host: hostname(),
  machine: machineId(),
  pid_namespace: pidNamespace(),
});

/** Parses an owner. Returns null if the text does not describe one. */
export function parseOwner(text: string): LockOwner | null {
  const owner = attempt(() => JSON.parse(text) as Partial<LockOwner> | null);
  return typeof owner?.pid === "number" ? { ...owner, pid: owner.pid, started: owner.started ?? null } : null;
}

/** Returns whether the owner's pid refers to the same process here. */
export const canLookUp = ({ machine, pid_namespace }: LockOwner): boolean =>
  machine === machineId() && pid_namespace === pidNamespace();

/** Returns whether the process that took the lock is still running. The pid must be one that can be looked up here. */
export function isRunning({ pid, started }: LockOwner): boolean {
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
