/** Creates temporary folders that are removed when the process exits. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export function tempFolder() {
  const folder = mkdtempSync(join(tmpdir(), "standin-bench-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
