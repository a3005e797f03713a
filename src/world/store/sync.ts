/** Waits until the disk has what was written: the only place that asks it to. */
import { fdatasync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";

/** Windows cannot open folders, and stores their entries without being asked. */
const canSync = process.platform !== "win32";

/** Waits for the bytes of an open file. */
export const syncFile: (fd: number) => Promise<void> = promisify(fdatasync);

/** Waits for the entries of folders: the name of a new file, or of a renamed one. */
export async function syncFolders(folders: readonly string[]): Promise<void> {
  if (!canSync) return;
  for (const folder of folders) {
    const handle = await open(folder, "r");
    await handle.sync().finally(() => handle.close());
  }
}

/** Returns the folders in which something was created: the file's own, and those above it up to the first new one's parent. */
export function newEntriesOf(folder: string, created: string | undefined): string[] {
  const folders = [folder];
  for (let path = folder; created !== undefined && path.length >= created.length; path = dirname(path))
    folders.push(dirname(path));
  return folders;
}
