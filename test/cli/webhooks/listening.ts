/** The listener of a test. */
import { onTestFinished } from "vitest";
import type { SandboxAccount } from "../../../src/client/account/account.js";
import { type SpawnedProgram, spawnStandin } from "../spawned-program.js";
import { connectionTo } from "../use-program.js";

/** Starts `standin listen` with these arguments. Resolves once it is listening; it is killed at the end of the test. */
export async function listen(account: SandboxAccount, ...args: string[]): Promise<SpawnedProgram> {
  const listening = spawnStandin(["listen", ...args, ...connectionTo(account)]);
  onTestFinished(() => void listening.child.kill("SIGKILL"));
  await listening.waitFor(/whsec_/);
  return listening;
}
