/** The optional npm packages: what a request or a command answers when one of them is not installed. */
import { refuse } from "./errors.js";

/** Adds every optional package to a project that was installed with `--omit=optional`. */
const installCommand = "npm install --include=optional";

/** Thrown when a package that was left out of the installation is needed. */
export class NotInstalled extends Error {
  override name = "NotInstalled";
}

/** Returns the failure to report for a missing package. `alternative`: what works without it. */
export const notInstalled = (packageName: string, alternative?: string): NotInstalled =>
  new NotInstalled(
    `the optional package ${packageName} is not installed; add it with \`${installCommand}\`${
      alternative ? `, or ${alternative}` : ""
    }`,
  );

/** Node's messages for a package; a module that is given by its path does not match. The name is without a subpath. */
const missingModule = /^Cannot find (?:package|module) '((?:@[\w.~-]+\/)?[\w~-][\w.~-]*)[/']/;
/** Messages of packages whose native code for this platform, a package of its own, is missing. */
const missingSharpBinary = /^Could not load the "sharp" module using the (\S+) runtime\nPossible solutions:/;
const missingPactBinary = /^Couldn't find npm package (\S+)/;

function missingPackage(message: string): string | undefined {
  const [, platform] = missingSharpBinary.exec(message) ?? [];
  if (platform) return `@img/sharp-${platform}`;
  return (missingModule.exec(message) ?? missingPactBinary.exec(message))?.[1];
}

/** Returns the failure to report when `error` says that a package cannot be found; null for any other error. */
export function asNotInstalled(error: unknown): NotInstalled | null {
  if (error instanceof NotInstalled) return error;
  const packageName = error instanceof Error ? missingPackage(error.message) : undefined;
  return packageName ? notInstalled(packageName) : null;
}

/** Refuses the request when `error` says that a package is not installed; throws any other error as it is. */
export function refuseNotInstalled(error: unknown): never {
  const failure = asNotInstalled(error);
  if (failure) refuse("not_installed", { message: `This operation cannot run here: ${failure.message}.` });
  throw error;
}
