/** Settings and services that the sandbox gives each of its accounts. */

import type { Coverage } from "../activity/coverage.js";
import type { JournalEntry } from "../activity/request-journal.js";
import type { FixedSettings } from "../records/account-settings.js";
import type { RequestLog } from "../store/request-log.js";
import type { State } from "../store/state.js";
import type { AccountLog } from "../store/store.js";
import type { PlanDelivery } from "../webhooks/dispatch.js";
import type { PayloadBytes } from "../webhooks/sent-event.js";

export interface AccountEnvironment {
  id: string;
  /** Seed of the sandbox. Values drawn from it alone are the same on every account. */
  seed: string;
  /** Distinguishes this run of the sandbox from earlier ones on the same data. */
  runId: string;
  state: State;
  log: AccountLog;
  /** Log that stores the request journal, or null if it is not stored. */
  requestLog: RequestLog | null;
  /** Removes the secrets of a request before it reaches the disk. */
  redactRequest: (entry: JournalEntry) => JournalEntry;
  /** Returns the base URL of the sandbox's pages, without a trailing slash. */
  baseUrl(): string;
  /** The URL at which the process reaches itself, without a trailing slash. Null while it listens on no port. */
  ownUrl(): string | null;
  /** Settings that the account has in place of fresh ones. */
  fixedSettings: FixedSettings;
  /** Adds records to the account when it is new or was reset. */
  fillFresh(): void;
  /** Leaves id and is_test out of the payloads of events. */
  barePayloads: boolean;
  /** Gives each endpoint a webhook secret of its own. */
  endpointSecrets: boolean;
  /** How the JSON of payloads is written. */
  payloadBytes: PayloadBytes;
  /** Leaves the wallet as it is when a test key makes a priced call. */
  keepsTestWallet: boolean;
  /** Coverage of the whole sandbox. */
  coverage: Coverage;
  planDelivery: PlanDelivery;
  /** Called after each commit, before its line is safe. */
  onCommit(): void;
}
