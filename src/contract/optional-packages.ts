/** The optional npm packages: what a request or a command answers when one of them is not installed. */
import { refuse } from "./errors.js";

/** Adds every optional package to a project that was installed with `--omit=optional`. */
export const installCommand = "npm install --include=optional";

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

/** A package by its name, as opposed to a file by its path; the name is without a subpath. */
const missingModule = /^Cannot find (?:package|module) '((?:@[^/']+\/)?[^./'][^/']*)/;

/** Returns the failure to report when `error` says that a package cannot be found; null for any other error. */
export function asNotInstalled(error: unknown): NotInstalled | null {
  if (error instanceof NotInstalled) return error;
  const { code, message } = error as Partial<NodeJS.ErrnoException>;
  if (code !== "ERR_MODULE_NOT_FOUND" && code !== "MODULE_NOT_FOUND") return null;
  const [, packageName] = missingModule.exec(message ?? "") ?? [];
  return packageName ? notInstalled(packageName) : null;
}

/** Refuses the request when `error` says that a package is not installed; throws any other error as it is. */
export function refuseNotInstalled(error: unknown): never {
  const failure = asNotInstalled(error);
  if (failure) refuse("not_installed", { message: `This operation cannot run here: ${failure.message}.` });
  throw error;
}
