/** Sandboxes of this process on data folders, for tests that need no program of their own. */
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { type SandboxAccount, type SandboxOptions, startSandbox } from "../../src/index.js";
import { version } from "../../src/sandbox.js";
import { FileStore } from "../../src/world/store/file-store.js";
import { freshFolder } from "./folder.js";

export interface FolderSandbox {
  url: string;
  account(key: string): SandboxAccount;
  /** Returns the warnings as the program prints them. */
  stderr(): string;
  /** Stops like a program that gets SIGTERM. */
  stop(): Promise<void>;
}

/** Starts a sandbox on the folder. It stops at the end of the test at the latest. */
export async function openOn(folder: string, options: SandboxOptions = {}): Promise<FolderSandbox> {
  let printed = "";
  const warn = (message: string) => {
    printed += `${message}\n`;
  };
  const sandbox = await startSandbox({ data: folder, validateReplies: true, warn, ...options });
  let stopped: Promise<void> | null = null;
  const stop = () => (stopped ??= sandbox.close());
  onTestFinished(stop);
  return { url: sandbox.url, account: (key) => sandbox.account({ key }), stderr: () => printed, stop };
}

/** Copies a folder that is in use to `copy`, as it would be if the process were killed now. The copy is not locked. */
export function copyAsKilled(folder: string, copy = freshFolder()): string {
  cpSync(folder, copy, { recursive: true });
  rmSync(join(copy, "lock"), { recursive: true, force: true });
  return copy;
}

/** Expects the index of due accounts to be sound. A sandbox only reads it, and reports damage, some time after its start. */
export async function expectSoundIndex(folder: string): Promise<void> {
  const warnings: string[] = [];
  const warn = (message: string) => void warnings.push(message);
  const store = await FileStore.open({ folder: copyAsKilled(folder), durability: "process", version, warn });
  onTestFinished(() => store.close());
  await store.dueAccounts();
  expect(warnings).toEqual([]);
}
