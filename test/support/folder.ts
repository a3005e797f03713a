/** The data folder of a test, and the programs that run on it. Both are removed when the test ends. */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { accountId } from "../../src/world/world.js";
import { type Program, startProgram, temporaryFolder } from "./program.js";

export function freshFolder(): string {
  const folder = temporaryFolder();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The program on this folder; killed at the end of the test if it still runs. */
export async function startOn(folder: string, ...flags: string[]): Promise<Program> {
  const program = await startProgram(["--data", folder, ...flags], folder);
  onTestFinished(async () => void (await program.stop("SIGKILL")));
  return program;
}

/** Where an account's files are. */
export const accountFile = (folder: string, key: string, name = ""): string =>
  join(folder, "accounts", accountId(key), name);

/** Every file below the folder, with its bytes as text. */
export function filesBelow(folder: string): Map<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(paths.map((path) => [path, readFileSync(path, "latin1")]));
}
