/** Errors for optional npm packages that are not installed. */
import { refuse } from "./errors.js";

/** Command that installs all optional packages in a project that was installed with `--omit=optional`. */
const installCommand = "npm install --include=optional";

/** Thrown when a required optional package is not installed. */
export class NotInstalled extends Error {
  override name = "NotInstalled";
}

/** Returns the error for a missing package. `alternative` names a way that works without it. */
export const notInstalled = (packageName: string, alternative?: string): NotInstalled =>
  new NotInstalled(
    `the optional package ${packageName} is not installed; add it with \`${installCommand}\`${
      alternative ? `, or ${alternative}` : ""
    }`,
  );

/** Matches Node's messages for packages, but not for modules given by path. Captures the name without a subpath. */
const missingModule = /^Cannot find (?:package|module) '((?:@[\w.~-]+\/)?[\w~-][\w.~-]*)[/']/;
/** Matches the messages of packages whose separate package with native code for this platform is missing. */
const missingSharpBinary = /^Could not load the "sharp" module using the (\S+) runtime\nPossible solutions:/;
const missingPactBinary = /^Couldn't find npm package (\S+)/;

function missingPackage(message: string): string | undefined {
  const [, platform] = missingSharpBinary.exec(message) ?? [];
  if (platform) return `@img/sharp-${platform}`;
  return (missingModule.exec(message) ?? missingPactBinary.exec(message))?.[1];
}

/** Returns the error to report if `error` says that a package cannot be found, or null for any other error. */
export function asNotInstalled(error: unknown): NotInstalled | null {
  if (error instanceof NotInstalled) return error;
  const packageName = error instanceof Error ? missingPackage(error.message) : undefined;
  return packageName ? notInstalled(packageName) : null;
}

/** Refuses the request if `error` says that a package is not installed. Rethrows any other error. */
export function refuseNotInstalled(error: unknown): never {
  const failure = asNotInstalled(error);
  if (failure) refuse("not_installed", { message: `This operation cannot run here: ${failure.message}.` });
  throw error;
}
