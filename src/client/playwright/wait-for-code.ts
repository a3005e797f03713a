import type { SandboxAccount } from "../account/account.js";
import { ControlError } from "../errors.js";

export interface OtpOptions {
  /** Wall-clock time to wait for a message, at most 60s. Default 5s. */
  timeout?: string;
}

/** Resolves with the code of the newest message to `to`. Messages that an earlier call has read are ignored. */
export async function waitForCode(
  account: SandboxAccount,
  to: string,
  { timeout = "5s" }: OtpOptions = {},
): Promise<string> {
  let newest: string | undefined;
  while (newest === undefined) [newest] = (await account.inbox.wait({ to, timeout })).codes;
  for (;;) {
    const message = await account.inbox.wait({ to, timeout: "0s" }).catch(ignoreTimeout);
    if (message === null) return newest;
    newest = message.codes[0] ?? newest;
  }
}

function ignoreTimeout(error: unknown): null {
  if (error instanceof ControlError && error.code === "wait_timeout") return null;
  throw error;
}
