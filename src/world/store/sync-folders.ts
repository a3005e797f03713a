/** Waits until the disk has the entries of folders: a new file's name, or a renamed one's. */
import { open } from "node:fs/promises";

/** Windows cannot open folders, and stores their entries without being asked. */
const canSync = process.platform !== "win32";

export async function syncFolders(folders: readonly string[]): Promise<void> {
  if (!canSync) return;
  for (const folder of folders) {
    const handle = await open(folder, "r");
    await handle.sync().finally(() => handle.close());
  }
}
