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
import type { CoverageOptions, CoverageReport } from "./library/types.js";
import { checkOptions, isWebAddress } from "./options.js";
import type { ReceiverCheckOptions } from "./receiver-check/index.js";
import type { ReceiverReport } from "./receiver-check/report.js";
import { type SandboxOptions, startServer } from "./sandbox.js";
import { unpredictable } from "./world/time/random.js";

export { ControlError, NoSandbox } from "./client/errors.js";
export type { SandboxAccount } from "./library/account.js";
export { sayCoverage } from "./library/coverage-summary.js";
export { ExpectationError } from "./library/errors.js";
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
export type {
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
export type { ScenarioResult, StepResult, WalkOptions } from "./library/walk/result.js";
export type { PactBuilder } from "./pact/consumer/add-to-pact.js";
export type { MatcherObject } from "./pact/consumer/body-template.js";
export { type ConsumerInteraction, interaction } from "./pact/consumer/interaction.js";
export type { InteractionOptions, StateName } from "./pact/consumer/interaction-options.js";
export type { ReceiverCheckOptions } from "./receiver-check/index.js";
export type { CheckResult, ReceiverReport } from "./receiver-check/report.js";
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
  /** What all accounts together have tried of the service since the start, and what not; `sayCoverage` puts it in words. */
  coverage(options?: CoverageOptions): Promise<CoverageReport>;
  close(): Promise<void>;
}

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
  return { url: base, account: accountsOf(base, adminToken ?? null) };
};

const accountsOf =
  (url: string, adminToken: string | null): Sandbox["account"] =>
  ({ key, mode = "test" } = {}) =>
    new SandboxAccount({ baseUrl: url, key: key ?? `svc_${mode}_${unpredictable(12)}`, adminToken });

/**
 * Starts a sandbox, in memory and on a free port unless the options say otherwise, and resolves once it serves.
 * Rejects when the port is taken or the data folder cannot be used, with a TypeError when the options are not right.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  await checkOptions(options);
  const running = await startServer(options);
  const adminToken = running.settings.adminToken;
  return {
    url: running.url,
    account: accountsOf(running.url, adminToken),
    coverage({ reset = false } = {}) {
      const account = new SandboxAccount({ baseUrl: running.url, key: running.testKey, adminToken });
      return account.control(reset ? "DELETE" : "GET", "/coverage");
    },
    close: () => running.close(),
  };
}

/**
 * Sends a receiver of webhooks the whole repertoire, signed with `secret`, and judges it by what it answers; no sandbox
 * need run. Rejects when nothing listens at the URL, with a RangeError when `only` names no check.
 */
export async function checkReceiver(options: ReceiverCheckOptions): Promise<ReceiverReport> {
  // Of no use to most tests: what starts a sandbox does not load it.
  const check = await import("./receiver-check/index.js");
  return check.checkReceiver(options);
}
