/** One running sandbox for the tests of a file, and the commands that use it. */
import { afterAll, beforeAll, expect } from "vitest";
import type { SandboxAccount } from "../../src/library/account.js";
import { type Program, runProgram, startProgram } from "../support/program.js";

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
export async function standin({ baseUrl, key }: SandboxAccount, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runProgram([...args, "--url", baseUrl, "--key", key]);
  expect([code, stderr]).toEqual([0, ""]);
  return stdout;
}
