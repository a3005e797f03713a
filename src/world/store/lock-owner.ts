/** The process that has a data folder's lock: where it runs, and whether it still does. */
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

export interface LockOwner {
  pid: number;
  /** When the process began, in clock ticks since boot: pids are used again, in containers at once. */
  started: string | null;
  /** Name of the host, for people. */
  host?: string;
  /** Id of the running kernel, which all containers of a host share. The host's name where the kernel has no such id. */
  machine?: string;
  /** Namespace that the pid belongs to. Null where there are none. */
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

/** Returns null when the text describes no owner. */
export function parseOwner(text: string): LockOwner | null {
  const owner = attempt(() => JSON.parse(text) as Partial<LockOwner> | null);
  return typeof owner?.pid === "number" ? { ...owner, pid: owner.pid, started: owner.started ?? null } : null;
}

/** Returns whether the owner's pid means the same process here. */
export const canLookUp = ({ machine, pid_namespace }: LockOwner): boolean =>
  machine === machineId() && pid_namespace === pidNamespace();

/** Returns whether the process still runs that took the lock. Only for a pid that can be looked up here. */
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

/** Returns the clock ticks since boot at which a process began, or null where the kernel does not say. */
function startOf(pid: number): string | null {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  if (stat === null) return null;
  const [state = "", ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  // A parent that never asks for the exit code leaves its child a zombie.
  return state === "Z" || state === "X" ? "ended" : (fields[18] ?? null);
}

function attempt<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
