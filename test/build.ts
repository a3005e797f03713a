/** Builds dist/ before the tests when it is older than the source: what starts the program starts what users start. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const newest = (folder: string): number =>
  Math.max(
    ...readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs),
  );

export function setup(): void {
  const built = existsSync("dist/standin.cjs") ? statSync("dist/standin.cjs").mtimeMs : 0;
  const changed = Math.max(newest("src"), newest("fixtures"), statSync("build.mjs").mtimeMs);
  if (changed > built) execFileSync(process.execPath, ["build.mjs"], { stdio: "inherit" });
}
