/** What an account is given by the sandbox that it lives in. */
import type { Account } from "./account.js";
import type { Coverage } from "./coverage.js";
import type { DeliveryPlan } from "./outbox/delivery-plan.js";
import type { Endpoint, SentEvent } from "./outbox/outbox.js";
import type { State } from "./store/state.js";
import type { AccountLog } from "./store/store.js";

export interface AccountOptions {
  id: string;
  /** The sandbox's: what is drawn from it alone is the same on every account. */
  seed: string;
  state: State;
  log: AccountLog;
  /** Where people reach the sandbox's pages, without a slash at its end. */
  baseUrl(): string;
  /** Payloads of events have neither id nor is_test. */
  barePayloads: boolean;
  /** Of the whole sandbox. */
  coverage: Coverage;
  /** What is to go wrong with an event's deliveries to an endpoint. */
  planDelivery(
    account: Account,
    sent: SentEvent,
    endpoint: Pick<Endpoint, "id" | "url">,
  ): DeliveryPlan | null;
  /** After each commit, before its line is safe. */
  onCommit(account: Account): void;
}
