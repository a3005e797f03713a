/** Builds dist/ once before the tests: those that start the program start what users start. */
import { execFileSync } from "node:child_process";

export function setup(): void {
  execFileSync(process.execPath, ["build.mjs"], { stdio: "inherit" });
}
