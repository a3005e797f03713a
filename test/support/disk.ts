/** A disk that is full, for one running program: its files may not grow past so many bytes. */
import { execFileSync, type SpawnSyncReturns, spawnSync } from "node:child_process";
import { type Program, programFile } from "./program.js";

/** Linux has prlimit; elsewhere these tests are left out. */
export const diskCanBeFull = spawnSync("prlimit", ["--version"]).status === 0;

export function limitFiles({ process: { pid } }: Program, bytes: number | "unlimited"): void {
  execFileSync("prlimit", ["--pid", String(pid), `--fsize=${bytes}:unlimited`]);
}

/** Starts the program on a folder of a disk without any room. */
export const startWithoutRoom = (folder: string): SpawnSyncReturns<string> =>
  spawnSync(
    "prlimit",
    ["--fsize=0", process.execPath, programFile, "start", "--port", "0", "--data", folder],
    {
      encoding: "utf8",
      timeout: 60_000,
    },
  );
