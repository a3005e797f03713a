/** The exit codes of all commands, the errors that end a command, and their line on stderr. */
import { formatNearest } from "../contract/nearest.js";

/** Exit codes, with what each means for every command that runs or judges something. docs/cli.md has the same table. */
export const exitCodes = {
  passed: { code: 0, meaning: "passed" },
  failed: { code: 1, meaning: "failed or refused" },
  couldNotRun: { code: 2, meaning: "could not run: the command line is invalid, or no sandbox answers" },
  notTried: { code: 3, meaning: "nothing or too little was tried" },
} as const;
type Outcome = keyof typeof exitCodes;

/** Formats the exit codes for --help. `words` replaces their meanings. */
export const formatExitCodes = (words: Partial<Record<Outcome, string>> = {}): string =>
  `Exit codes: ${Object.entries(exitCodes)
    .map(([outcome, { code, meaning }]) => `${code} ${words[outcome as Outcome] ?? meaning}`)
    .join("; ")}.`;

/** A mistake in the command line, the environment or the config file, or no sandbox at the URL. Exit code 2. */
export class UsageError extends Error {}

/** A request that was refused or failed. Exit code 1 unless another is given. */
export class CommandError extends Error {
  constructor(
    message: string,
    readonly exitCode: number = exitCodes.failed.code,
  ) {
    super(message);
  }
}

/** Throws a UsageError for the first unknown name that was given to a flag. */
export function checkNames(
  flag: string,
  noun: string,
  given: readonly string[],
  known: readonly string[],
): void {
  const unknown = given.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const hint = `${formatNearest(unknown, known)}; there are ${known.join(", ")}`;
  throw new UsageError(`${flag}: there is no ${noun} ${JSON.stringify(unknown)}${hint}`);
}

export function printError(message: string): void {
  process.stderr.write(`standin: ${message.replaceAll(/\s+/g, " ").trim()}\n`);
}
