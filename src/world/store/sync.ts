/** The only place that syncs files and folders to the disk. */
import { closeSync, fdatasync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";

/** When a line counts as safe. `process`: once the operating system has it. `power`: once the disk has it. */
export type Durability = "process" | "power";

/** Windows cannot open folders, and syncs their entries by itself. */
const canSync = process.platform !== "win32";

/** Waits until the disk has the contents of an open file. */
export const syncFile = (fd: number): Promise<void> => promisify(fdatasync)(fd);

/** Waits until the disk has the entries of folders, such as the name of a new or renamed file. */
export async function syncFolders(folders: readonly string[]): Promise<void> {
  if (!canSync) return;
  for (const folder of folders) {
    const handle = await open(folder, "r");
    await handle.sync().finally(() => handle.close());
  }
}

/** Like `syncFolders`, but blocks the thread. Used at startup and after a file is rewritten, for few folders. */
export function syncFoldersAtOnce(folders: readonly string[]): void {
  if (!canSync) return;
  for (const folder of folders) {
    const fd = openSync(folder, "r");
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  }
}

/**
 * Replaces a file in one step, so that no partly written file is left behind. If `isSynced`, the contents and the name
 * are on the disk afterwards.
 */
export function replaceFile(path: string, contents: string | Uint8Array, isSynced: boolean): void {
  try {
    writeFileSync(`${path}.new`, contents, { mode: 0o600, flush: isSynced });
    renameSync(`${path}.new`, path);
  } catch (error) {
    rmSync(`${path}.new`, { force: true });
    throw error;
  }
  if (isSynced) syncFoldersAtOnce([dirname(path)]);
}

/** Returns the folders with new entries: the file's own, and its ancestors up to the parent of the first new folder. */
export function newEntriesOf(folder: string, created: string | undefined): string[] {
  const folders = [folder];
  for (let path = folder; created !== undefined && path.length >= created.length; path = dirname(path))
    folders.push(dirname(path));
  return folders;
}
