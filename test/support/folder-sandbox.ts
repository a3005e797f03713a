/** Sandboxes of this process on data folders, for tests that need no program of their own. */
import { onTestFinished } from "vitest";
import { type SandboxAccount, type SandboxOptions, startSandbox } from "../../src/index.js";

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
