/** The errors with which a command ends, and the line on stderr that reports each. */

/** A mistake in the command line, the environment or the config file, or no sandbox at the URL. Exit code 2. */
export class UsageError extends Error {}

/** A request that was refused or failed. Exit code 1 unless another is given. */
export class CommandError extends Error {
  constructor(
    message: string,
    readonly exitCode = 1,
  ) {
    super(message);
  }
}

export function printError(message: string): void {
  process.stderr.write(`standin: ${message.replaceAll(/\s+/g, " ").trim()}\n`);
}
