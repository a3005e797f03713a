/** Simulates a full disk for one running program by limiting the size of its files. */
import { execFileSync, type SpawnSyncReturns, spawnSync } from "node:child_process";
import { type Program, programFile } from "./program.js";

/** Only Linux has prlimit; these tests are skipped elsewhere. */
export const diskCanBeFull = spawnSync("prlimit", ["--version"]).status === 0;

export function limitFiles({ process: { pid } }: Program, bytes: number | "unlimited"): void {
  execFileSync("prlimit", ["--pid", String(pid), `--fsize=${bytes}:unlimited`]);
}

/** Starts the program on a folder whose disk has no room for files of more than a number of bytes. */
export const startWithoutRoom = (folder: string, bytes = 0): SpawnSyncReturns<string> =>
  spawnSync(
    "prlimit",
    [`--fsize=${bytes}`, process.execPath, programFile, "start", "--port", "0", "--data", folder],
    {
      encoding: "utf8",
      timeout: 60_000,
    },
  );
