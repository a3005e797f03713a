/** A disk that is full, for one running program: its files may not grow past so many bytes. */
import { execFileSync, spawnSync } from "node:child_process";
import type { Program } from "./program.js";

/** Linux has prlimit; elsewhere these tests are left out. */
export const diskCanBeFull = spawnSync("prlimit", ["--version"]).status === 0;

export function limitFiles({ process: { pid } }: Program, bytes: number | "unlimited"): void {
  execFileSync("prlimit", ["--pid", String(pid), `--fsize=${bytes}:unlimited`]);
}
