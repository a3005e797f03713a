/** Builds dist/ before the tests if it is older than the source, so that tests start the same program as users. */
import { execFileSync } from "node:child_process";

export function setup(): void {
  execFileSync(process.execPath, ["build.mjs", "--if-stale"], { stdio: "inherit" });
}
