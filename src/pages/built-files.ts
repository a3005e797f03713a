/** Files of the pages that the build writes below dist/. They are read on demand, and not kept in memory. */
import { readdir, readFile } from "node:fs/promises";

/** Folders of dist/ whose files browsers load. */
type Folder = "pages" | "dashboard";

/** The program and the library are in dist/bundle/. If the sources run unbuilt, these are the files of the last build. */
const dist = new URL(import.meta.url.endsWith(".ts") ? "../../dist/" : "../", import.meta.url);

/** Returns the names of the files in a folder: none if it was not built. */
export const listBuiltFiles = (folder: Folder): Promise<string[]> =>
  readdir(new URL(folder, dist)).catch(() => []);

/** Reads a file. Returns null if it was not built. `name` must not come from a request unchecked. */
export const readBuiltFile = (folder: Folder, name: string): Promise<Buffer | null> =>
  readFile(new URL(`${folder}/${name}`, dist)).catch(() => null);
