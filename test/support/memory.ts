/** Measures the memory of a running program. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Program } from "./program.js";

const statusMB = ({ process: { pid } }: Program, field: string): number =>
  Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;

/** Returns the program's current resident memory, in MB. */
export const residentMB = (program: Program): number =>
  process.platform === "linux"
    ? statusMB(program, "VmRSS")
    : Number(execFileSync("ps", ["-o", "rss=", "-p", String(program.process.pid)], { encoding: "utf8" })) /
      1024;

/** Only Linux reports the peak of another process. */
export const hasPeaks = process.platform === "linux";

/** Returns the program's peak memory, in MB. */
export const peakMB = (program: Program): number => statusMB(program, "VmHWM");
