/** Builds dist/ before the tests when it is older than the source: what starts the program starts what users start. */
import { execFileSync } from "node:child_process";

export function setup(): void {
  execFileSync(process.execPath, ["build.mjs", "--if-stale"], { stdio: "inherit" });
}
