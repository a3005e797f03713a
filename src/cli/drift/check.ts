/** `standin drift --check`: judges the lock file, for CI. */
import { type DriftLock, defaultLockFile } from "../../contract/drift-lock.js";
import { defaultMaxAgeMs, lockProblems } from "../../drift/lock.js";
import { readLock } from "../../drift/read-lock.js";
import { realNow } from "../../time/time.js";
import { readConfig } from "../config.js";
import { UsageError } from "../errors.js";
import { writeJunit } from "../output/junit.js";
import { colors, printResult } from "../output/print.js";
import { formatCount } from "../output/table.js";
import { assumptionsInForce, type DriftFlags } from "./flags.js";

/** Reads the lock file, or rejects with a UsageError. */
export const lockIn = (file: string): Promise<DriftLock | null> =>
  readLock(file).catch((error: Error) => {
    throw new UsageError(error.message);
  });

export async function checkLock(flags: DriftFlags): Promise<void> {
  const file = flags.lock ?? defaultLockFile;
  const lock = await lockIn(file);
  const inForce = assumptionsInForce(flags, await readConfig(flags.config));
  const problems = lock
    ? lockProblems(lock, inForce, { now: realNow(), maxAgeMs: flags.maxAge ?? defaultMaxAgeMs })
    : [`there is no ${file}; "standin drift --against URL" writes it`];
  await writeJunit(flags, "drift", [
    ...problems.map((failure, index) => ({
      group: "drift",
      name: `problem ${index + 1}`,
      seconds: 0,
      failure,
    })),
    ...(problems.length === 0 ? [{ group: "drift", name: file, seconds: 0 }] : []),
  ]);
  printResult(flags, { file, passed: problems.length === 0, problems }, () =>
    problems.length === 0
      ? colors.green(`${file}: nothing contradicts it, and nothing in it is too old.`)
      : [...problems, "", colors.red(`${file}: ${formatCount(problems.length, "problem")}.`)].join("\n"),
  );
  if (problems.length > 0) process.exitCode = 1;
}
