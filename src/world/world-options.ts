/** Options of the accounts of one sandbox. */
import type { Account } from "./account/account.js";
import type { JobHandler } from "./account/run-job.js";
import type { JournalEntry } from "./activity/request-journal.js";
import type { FixedSettings } from "./records/account-settings.js";
import type { AnyMachine } from "./records/machine.js";
import type { Store } from "./store/store.js";
import type { DeliveryPlan, DeliveryTarget } from "./webhooks/dispatch.js";
import type { PayloadBytes, SentEvent } from "./webhooks/sent-event.js";

export interface WorldOptions {
  store: Store;
  seed: string;
  machines: readonly AnyMachine[];
  /** Handlers of further kinds of jobs, by kind. */
  jobs: Readonly<Record<string, JobHandler>>;
  /** Settings of one account, whenever it is new. Default: none. */
  fixedSettings?: { account: string; settings: FixedSettings };
  /** Adds records to every account that is new or was reset. Default: none. */
  fillFresh?(account: Account): void;
  /** Payloads of events are `{event,created_at,data}`: switch `bare` of assumption webhooks.payload. Default false. */
  barePayloads?: boolean;
  /** Gives each endpoint a webhook secret of its own. Default false. */
  endpointSecrets?: boolean;
  /** How the JSON of payloads is written; assumption webhooks.bytes. Default `spaced`. */
  payloadBytes?: PayloadBytes;
  /** Calls of test keys leave the wallet as it is: switch `free` of assumption charging.test_keys. Default false. */
  keepsTestWallet?: boolean;
  /** Returns the faults of an event's deliveries. Default: none. */
  planDelivery?(account: Account, sent: SentEvent, target: DeliveryTarget): DeliveryPlan | null;
  /** Removes the secrets of a request. Without it, request journals are kept in memory alone. */
  redactRequest?(entry: JournalEntry): JournalEntry;
  /** Returns the base URL of the sandbox's pages, without a trailing slash. */
  baseUrl(): string;
  /** Returns the URL at which the process reaches itself, without a trailing slash. Default: null, for none. */
  ownUrl?(): string | null;
  /** Called after each commit. */
  onCommit?(): void;
  /** Called with problems that occur outside a request, for the operator. */
  warn(message: string): void;
}
