/**
 * The library: a sandbox inside your own process, for tests.
 *
 *     const sandbox = await startSandbox();
 *     const account = sandbox.account();          // a world of its own
 *     await account.advance("24h");
 *     const { codes } = await account.inbox.wait({ to: "+2348031234567" });
 *     await sandbox.close();
 */
import type { ClientOptions } from "./client/client.js";
import { checkOptions, isWebAddress, type SandboxOptions } from "./contract/options.js";
import { SandboxAccount } from "./library/account.js";
import type { CoverageOptions, CoverageReport } from "./library/types.js";
import type { ReceiverCheckOptions } from "./receiver-check/check-receiver.js";
import type { ReceiverReport } from "./receiver-check/report.js";
import { createSandboxServer } from "./sandbox.js";
import { inProcessFetch } from "./server/in-process.js";
import { testKey } from "./server/settings.js";
import { randomHex } from "./world/time/random.js";

export { ControlError, NoSandbox } from "./client/errors.js";
export type { SandboxOptions } from "./contract/options.js";
export type { SandboxAccount } from "./library/account.js";
export { ExpectationError } from "./library/errors.js";
export { formatCoverage } from "./library/format-coverage.js";
export type { MachineName, Moves } from "./library/moves.js";
export type { ErrorCode, EventKind, OperationId, OutcomeName } from "./library/names.js";
export type {
  Adversity,
  Fault,
  Rule,
  RuleEffect,
  RuleInput,
  RuleStage,
  RuleSubject,
} from "./library/rule-types.js";
export type { ScenarioResult, ScenarioRunOptions, StepResult } from "./library/scenario-run/result.js";
export type {
  AccountChanges,
  AccountState,
  ActivityEntry,
  ActivityExplanation,
  ActivityFilter,
  AdvanceResult,
  ClockState,
  CoverageOptions,
  CoverageReport,
  DeliveryEntry,
  EventEntry,
  Expectation,
  ExportedPact,
  InboxMessage,
  PactOptions,
  RecordEntry,
  RequestEntry,
  RequestExpectation,
  RestoreResult,
  ScenarioEntry,
  ScenarioState,
  Snapshot,
  WebhookEntry,
} from "./library/types.js";
export type { PactBuilder } from "./pact/consumer/add-to-pact.js";
export type { MatcherObject } from "./pact/consumer/body-template.js";
export { type ConsumerInteraction, interaction } from "./pact/consumer/interaction.js";
export type { InteractionOptions, StateName } from "./pact/consumer/interaction-options.js";
export type { ReceiverCheckOptions } from "./receiver-check/check-receiver.js";
export type { CheckResult, ReceiverReport } from "./receiver-check/report.js";

export interface AccountOptions {
  /** 8 to 128 visible characters; absent: a fresh one is invented. */
  key?: string;
  /** Of an invented key. */
  mode?: "test" | "live";
}

export interface Sandbox {
  /** The Express application, to mount in another application or to hand to supertest. It needs no port. */
  readonly app: SandboxApp;
  /** Base URL, without a trailing slash. Empty before `listen()`. */
  readonly url: string;
  /** Listens on the port and host of the options (default: a free port of 127.0.0.1), and resolves with the base URL. */
  listen(): Promise<string>;
  /** Returns an isolated account. The key is its name: the same key gives the same account. */
  account(options?: AccountOptions): SandboxAccount;
  /** Reports what all accounts together have exercised since the start; `formatCoverage` formats it. */
  coverage(options?: CoverageOptions): Promise<CoverageReport>;
  close(): Promise<void>;
}

/** A request handler of Node's `http` and of Express. */
export type SandboxApp = (request: object, response: object, next?: (error?: unknown) => void) => void;

export interface ConnectOptions {
  /** Of `standin start --admin-token`. */
  adminToken?: string;
}

/**
 * Accounts of a sandbox that runs already, in whatever process: for test workers that share one. Throws a TypeError
 * where the URL is none; that no sandbox answers there, the first call says.
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

/** Returns the account of a key, which is invented where none is given. The connection is read at each request. */
const accountOf = (
  connection: Omit<ClientOptions, "key">,
  { key, mode = "test" }: AccountOptions = {},
): SandboxAccount =>
  new SandboxAccount(
    Object.defineProperty({ ...connection, key: key ?? `svc_${mode}_${randomHex(12)}` }, "baseUrl", {
      get: () => connection.baseUrl,
    }),
  );

/**
 * Creates a sandbox that listens on no port: use its `app`, or call `listen()`. It keeps its state in memory unless
 * the options name a folder. Rejects with a TypeError when the options are not valid.
 */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  await checkOptions(options);
  const created = await createSandboxServer(options);
  const { adminToken } = created.settings;
  const inProcess = inProcessFetch(created.server);
  const connection = {
    get baseUrl() {
      return created.url ?? "";
    },
    adminToken,
    fetch: (url: string, init: RequestInit) =>
      created.url === null ? inProcess(url, init) : fetch(url, init),
  };
  return {
    app: created.app as unknown as SandboxApp,
    get url() {
      return created.url ?? "";
    },
    listen: () => created.listen(),
    account: (options) => accountOf(connection, options),
    coverage: ({ reset = false } = {}) =>
      accountOf(connection, { key: testKey }).control(reset ? "DELETE" : "GET", "/coverage"),
    close: () => created.close(),
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
 * Sends a receiver of webhooks the whole repertoire, signed with `secret`, and judges it by what it answers; no sandbox
 * need run. Rejects when nothing listens at the URL, with a RangeError when `only` names no check.
 */
export async function checkReceiver(options: ReceiverCheckOptions): Promise<ReceiverReport> {
  // Of no use to most tests: what starts a sandbox does not load it.
  const check = await import("./receiver-check/check-receiver.js");
  return check.checkReceiver(options);
}
