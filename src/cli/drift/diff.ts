/** `standin drift --diff`: compares what two lock files have observed. */
import type { DriftLock } from "../../contract/drift-lock.js";
import { defaultLockFile } from "../../contract/drift-lock.js";
import { compareLocks, type LockChange } from "../../drift/lock.js";
import { readLock } from "../../drift/read-lock.js";
import { exitCodes, UsageError } from "../errors.js";
import { printResult } from "../output/print.js";
import { formatCount, formatTable } from "../output/table.js";
import type { DriftFlags } from "./flags.js";

async function existing(file: string): Promise<DriftLock> {
  const lock = await readLock(file);
  if (!lock)
    throw new UsageError(`there is no ${file}; "standin drift --against URL --lock FILE" writes one`);
  return lock;
}

/** Compares the locks, or the default one with the only one that is named. Exits with 1 if they differ. */
export async function diffLocks(flags: DriftFlags, files: readonly string[]): Promise<void> {
  const [one = "", other] = files.length === 1 ? [files[0], defaultLockFile] : files;
  if (other === undefined || files.length > 2)
    throw new UsageError("--diff takes two lock files, such as --diff old.lock.json drift.lock.json");
  const changes = compareLocks(await existing(one), await existing(other));
  printResult(flags, { from: one, to: other, changes }, () => formatChanges(changes, one, other));
  if (changes.length > 0) process.exitCode = exitCodes.failed.code;
}

function formatChanges(changes: readonly LockChange[], one: string, other: string): string {
  if (changes.length === 0) return `${one} and ${other} have observed the same.`;
  const rows = changes.map(({ id, before, after }) => [
    id,
    before ?? "not observed",
    after ?? "not observed",
  ]);
  return [formatTable(["what", one, other], rows), "", `${formatCount(changes.length, "difference")}.`].join(
    "\n",
  );
}
