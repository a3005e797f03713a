/** One running sandbox for the tests of a file, and the commands that use it. */
import { afterAll, beforeAll, expect } from "vitest";
import type { SandboxAccount } from "../../src/client/account/account.js";
import { type Finished, type Program, runProgram, startProgram } from "../support/program.js";
import { runHere } from "./run-here.js";

export function useProgram() {
  let program: Program;
  let accounts = 0;
  beforeAll(async () => {
    program = await startProgram(["--memory"]);
  });
  afterAll(() => program.stop());
  return {
    get url() {
      return program.url;
    },
    account: (): SandboxAccount => program.account(`svc_test_commands_${++accounts}`),
  };
}

/** Runs `standin` with the URL and key of this account, and returns what it printed. */
export const standin = async (account: SandboxAccount, ...args: string[]): Promise<string> =>
  outputOf(await runProgram([...args, ...connectionTo(account)]));

/** Like `standin`, but in this process. */
export const standinHere = async (account: SandboxAccount, ...args: string[]): Promise<string> =>
  outputOf(await runHere([...args, ...connectionTo(account)]));

/** Returns the options that select the account. */
export const connectionTo = ({ baseUrl, key }: SandboxAccount): string[] => ["--url", baseUrl, "--key", key];

function outputOf({ code, stdout, stderr }: Finished): string {
  expect([code, stderr]).toEqual([0, ""]);
  return stdout;
}
