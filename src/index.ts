/**
 * The library: a sandbox inside your own process, for tests.
 *
 *     const sandbox = await startSandbox();
 *     const account = sandbox.account();          // a world of its own
 *     await account.advance("24h");
 *     const { codes } = await account.inbox.wait({ to: "+2348031234567" });
 *     await sandbox.close();
 */
import { SandboxAccount } from "./library/account.js";
import { type SandboxOptions, startServer } from "./sandbox.js";
import { unpredictable } from "./world/random.js";

export type { SandboxAccount } from "./library/account.js";
export { ControlError, ExpectationError } from "./library/errors.js";
export type {
  AdvanceResult,
  ClockState,
  DeliveryEntry,
  EventEntry,
  Expectation,
  InboxMessage,
  RecordEntry,
  RequestEntry,
  RequestExpectation,
  RestoreResult,
  Rule,
  RuleInput,
  Snapshot,
} from "./library/types.js";
export type { SandboxOptions } from "./sandbox.js";

export interface AccountOptions {
  /** 8 to 128 visible characters; absent: a fresh one is invented. */
  key?: string;
  /** Of an invented key. */
  mode?: "test" | "live";
}

export interface Sandbox {
  /** Base URL, without a slash at its end. */
  readonly url: string;
  /** A world of its own: the key is its name, and the same key is the same world. */
  account(options?: AccountOptions): SandboxAccount;
  close(): Promise<void>;
}

/**
 * Starts a sandbox, in memory and on a free port unless the options say otherwise, and resolves once it serves.
 * Rejects when the port is taken or the data folder cannot be used.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const running = await startServer(options);
  const adminToken = running.settings.adminToken;
  return {
    url: running.url,
    account({ key, mode = "test" } = {}) {
      return new SandboxAccount(running.url, key ?? `svc_${mode}_${unpredictable(12)}`, adminToken);
    },
    close: () => running.close(),
  };
}
