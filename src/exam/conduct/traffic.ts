/** Traffic of a client on one account, for the rules of conduct. */
import { parseObject } from "../../contract/json.js";
import type { JournalEntry } from "../../world/activity/request-journal.js";
import type { Delivery } from "../../world/webhooks/delivery.js";

export class ClientCall {
  #body: Readonly<Record<string, unknown>> | undefined;
  #reply: Readonly<Record<string, unknown>> | undefined;

  constructor(
    readonly entry: JournalEntry,
    /** Whether its times can be compared with those of later calls: the clock has been running since, and was not set. */
    readonly isTimed: boolean,
  ) {}

  get id(): string {
    return this.entry.id;
  }

  get operation(): string {
    return this.entry.operation ?? "";
  }

  get status(): number | null {
    return this.entry.status;
  }

  /** Ms on the account's clock. */
  get answeredAt(): number {
    return this.entry.at;
  }

  get arrivedAt(): number {
    return this.entry.at - (this.entry.duration_ms ?? 0);
  }

  get isRead(): boolean {
    return this.entry.method === "GET";
  }

  /** Whether the client was told to come back later. */
  get isTurnedAway(): boolean {
    return this.status === 429 || (this.status ?? 0) >= 500;
  }

  /** JSON object that was sent. Empty for other bodies. */
  get body(): Readonly<Record<string, unknown>> {
    this.#body ??= parseObject(this.entry.body ?? "") ?? {};
    return this.#body;
  }

  /** JSON object that was answered. Empty for other replies. */
  get reply(): Readonly<Record<string, unknown>> {
    this.#reply ??= parseObject(this.entry.reply ?? "") ?? {};
    return this.#reply;
  }

  /** Returns whether both ask for the same thing. */
  repeats(earlier: ClientCall): boolean {
    const [one, other] = [this.entry, earlier.entry];
    return one.method === other.method && one.path === other.path && one.body === other.body;
  }
}

export interface Traffic {
  /** Requests to the service, oldest first. */
  readonly calls: readonly ClientCall[];
  /** Oldest first. */
  readonly deliveries: readonly Delivery[];
  /** Whether a webhook endpoint is registered. */
  readonly hasEndpoint: boolean;
}
