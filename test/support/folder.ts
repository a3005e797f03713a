/** The data folder of a test and the programs that run on it. The folder is removed and the programs end with the test. */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { accountId } from "../../src/world/account/account-id.js";
import { type Program, startProgram, temporaryFolder } from "./program.js";

export function freshFolder(): string {
  const folder = temporaryFolder();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts the program on this folder. It is killed at the end of the test if it is still running. */
export async function startOn(folder: string, ...flags: string[]): Promise<Program> {
  const program = await startProgram(["--data", folder, ...flags], folder);
  onTestFinished(async () => void (await program.stop("SIGKILL")));
  return program;
}

/** Returns the path of a file of the account. */
export const accountFile = (folder: string, key: string, name = ""): string =>
  join(folder, "accounts", accountId(key), name);

/** Returns every file below the folder, with its bytes as text. */
export function filesBelow(folder: string): Map<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(paths.map((path) => [path, readFileSync(path, "latin1")]));
}
