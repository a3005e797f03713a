/**
 * The library: a sandbox inside your own process, for tests.
 *
 *     const sandbox = await startSandbox();
 *     const account = sandbox.account();          // a world of its own
 *     await account.advance("24h");
 *     const { codes } = await account.inbox.wait({ to: "+2348031234567" });
 *     await sandbox.close();
 */

import { SandboxAccount } from "./client/account/account.js";
import type { CoverageOptions, CoverageReport } from "./client/account/types.js";
import type { ClientOptions } from "./client/client.js";
import { createInProcessClient } from "./client/in-process.js";
import { checkOptions, isWebAddress, type SandboxOptions } from "./contract/options.js";
import type { ReceiverCheckOptions, ReceiverReport } from "./receiver-check/check-receiver.js";
import { createSandboxServer } from "./sandbox.js";
import { testKey } from "./server/settings.js";
import { areTimersFake } from "./time/machine.js";
import { newKey } from "./world/account/account-id.js";

export type { SandboxAccount } from "./client/account/account.js";
export type { FakeTimers, MachineName, Moves } from "./client/account/account-client.js";
export { ExpectationError } from "./client/account/account-client.js";
export { formatCoverage } from "./client/account/format.js";
export type {
  AccountChanges,
  AccountState,
  ActivityEntry,
  ActivityExplanation,
  ActivityFilter,
  AdvanceResult,
  Adversity,
  ClockState,
  ConductReport,
  CoverageOptions,
  CoverageReport,
  DeliveryEntry,
  ErrorCode,
  EventEntry,
  EventKind,
  Expectation,
  ExportedPact,
  Fault,
  HeldChanges,
  HeldEntry,
  InboxMessage,
  OperationId,
  OutcomeName,
  PactOptions,
  RecordEntry,
  Recording,
  RecordingOptions,
  RequestEntry,
  RequestExpectation,
  RestoreResult,
  RewindResult,
  Rule,
  RuleEffect,
  RuleInput,
  RuleStage,
  RuleSubject,
  ScenarioEntry,
  ScenarioState,
  Snapshot,
  WebhookEntry,
} from "./client/account/types.js";
export { ControlError, NoSandbox } from "./client/client.js";
export type { ScenarioResult, ScenarioRunOptions, StepResult } from "./client/scenario-run/run-scenario.js";
export type { SandboxOptions } from "./contract/options.js";
export type { CheckResult, ReceiverCheckOptions, ReceiverReport } from "./receiver-check/check-receiver.js";

export interface AccountOptions {
  /** API key of 8 to 128 visible characters. Default: a new random key. */
  key?: string;
  /** Mode of the random key. Default `test`. */
  mode?: "test" | "live";
}

export interface Sandbox {
  /** The Express application, to mount in another application or to hand to supertest. It needs no port. */
  readonly app: SandboxApp;
  /** Base URL, without a trailing slash. Empty before `listen()`. */
  readonly url: string;
  /** Base URL of HTTPS. Null before `listen()`, and without the option `tls`. */
  readonly tlsUrl: string | null;
  /** Certificate in PEM of the authority that clients have to trust for HTTPS. Null before `listen()`, and without one. */
  readonly ca: string | null;
  /** Listens on the port and host of the options (default: a free port of 127.0.0.1), and resolves with the base URL. */
  listen(): Promise<string>;
  /** Returns an isolated account. The key, also given alone, is its name: the same key gives the same account. */
  account(options?: AccountOptions | string): SandboxAccount;
  /** Reports what all accounts together have exercised since the start; `formatCoverage` formats it. */
  coverage(options?: CoverageOptions): Promise<CoverageReport>;
  close(): Promise<void>;
}

/** A request handler of Node's `http` and of Express. */
export type SandboxApp = (request: object, response: object, next?: (error?: unknown) => void) => void;

export interface ConnectOptions {
  /** The token that `standin start --admin-token` was given. */
  adminToken?: string;
}

/**
 * Connects to a sandbox that runs in another process, such as one that test workers share. Throws a TypeError if the
 * URL is not valid. The first call rejects if no sandbox answers.
 */
export const connectSandbox = (
  url: string,
  { adminToken }: ConnectOptions = {},
): Pick<Sandbox, "url" | "account"> => {
  if (!isWebAddress(url))
    throw new TypeError(
      `connectSandbox takes the http or https URL of a sandbox, such as http://127.0.0.1:4010; got ${JSON.stringify(url)}`,
    );
  const base = url.replace(/\/+$/, "");
  return { url: base, account: (options) => accountOf({ baseUrl: base, adminToken }, options) };
};

/** Returns the account of a key, or of a new random one. The connection is read at each request. */
const accountOf = (
  connection: Omit<ClientOptions, "key">,
  options: AccountOptions | string = {},
): SandboxAccount => {
  const { key, mode = "test" }: AccountOptions = typeof options === "string" ? { key: options } : options;
  return new SandboxAccount(
    Object.defineProperty({ ...connection, key: key ?? newKey(mode) }, "baseUrl", {
      get: () => connection.baseUrl,
    }),
  );
};

/**
 * Creates a sandbox that listens on no port: use its `app`, or call `listen()`. It keeps its state in memory unless
 * the options name a folder. Rejects with a TypeError when the options are not valid, and with an Error when timers were
 * already fake when this module was loaded.
 */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  await checkOptions(options);
  if (areTimersFake)
    throw new Error(
      "standin was loaded while timers were fake, so it would never answer; import it before the test fakes its timers",
    );
  const created = await createSandboxServer(options);
  const { adminToken } = created.settings;
  const inProcess = createInProcessClient(created.server, () => created.url ?? "");
  const connection = {
    get baseUrl() {
      return created.url ?? "";
    },
    adminToken,
    isInProcess: true as const,
    fetch: inProcess.fetch,
  };
  return {
    app: created.app as unknown as SandboxApp,
    get url() {
      return created.url ?? "";
    },
    get tlsUrl() {
      return created.tlsUrl;
    },
    get ca() {
      return created.ca;
    },
    listen: () => created.listen(),
    account: (options) => accountOf(connection, options),
    coverage: ({ reset = false } = {}) =>
      accountOf(connection, { key: testKey }).call(reset ? "resetCoverage" : "getCoverage"),
    async close() {
      await inProcess.close();
      await created.close();
    },
  };
}

/**
 * Creates a sandbox and listens. Rejects when the port is taken or the data folder cannot be used, and with a
 * TypeError when the options are not valid.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await createSandbox(options);
  try {
    await sandbox.listen();
    return sandbox;
  } catch (error) {
    await sandbox.close();
    throw error;
  }
}

/**
 * Sends every kind of webhook to a receiver, signed with `secret`, and reports how it answers. No sandbox needs to run.
 * Rejects if nothing listens at the URL, and with a RangeError if `only` names an unknown check.
 */
export async function checkReceiver(options: ReceiverCheckOptions): Promise<ReceiverReport> {
  // Loaded when needed, since most tests do not use it.
  const check = await import("./receiver-check/check-receiver.js");
  return check.runReceiverCheck(options);
}

/**
 * Throws an error. The consumer helpers of version 0.2 (`interaction`, with the types `InteractionOptions`, `StateName`,
 * `ConsumerInteraction`, `PactBuilder` and `MatcherObject`) were removed: write interactions with Pact's own builder.
 *
 * @deprecated Removed in version 0.3; docs/pact.md shows the same test with Pact's own builder.
 */
export function interaction(..._removed: unknown[]): never {
  throw new Error(
    "interaction() was removed in version 0.3: write the interaction with Pact's own builder, as docs/pact.md shows.",
  );
}
