/** Traffic of a client on one account, for the rules of conduct. */
import { parseObject } from "../../contract/json.js";
import { fromIso } from "../../time/time.js";
import type { JournalEntry } from "../../world/activity/request-journal.js";
import type { Delivery, DeliveryAttempt } from "../../world/webhooks/delivery.js";

export class ClientCall {
  /** JSON object that was sent. Empty for other bodies. */
  readonly body: Readonly<Record<string, unknown>>;
  /** JSON object that was answered. Empty for other replies. */
  readonly reply: Readonly<Record<string, unknown>>;

  constructor(
    readonly entry: JournalEntry,
    /** Whether its times can be compared with the times of later calls: the clock has been running since, and was not set. */
    readonly isTimed: boolean,
    /** Number that equal requests share, since comparing long bodies takes time. */
    readonly question: number,
  ) {
    this.body = parseObject(entry.body ?? "") ?? {};
    this.reply = parseObject(entry.reply ?? "") ?? {};
  }

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
  get arrivedAt(): number {
    return this.entry.at;
  }

  get answeredAt(): number {
    return this.entry.at + (this.entry.duration_ms ?? 0);
  }

  get isRead(): boolean {
    return this.entry.method === "GET";
  }

  /** Whether the client was told to come back later. */
  get isTurnedAway(): boolean {
    return this.status === 429 || (this.status ?? 0) >= 500;
  }

  /** Returns whether both ask for the same thing. */
  repeats(earlier: ClientCall): boolean {
    return this.question === earlier.question;
  }
}

/** Returns when an attempt was sent, and when its answer had ended, in ms on the account's clock. */
export function spanOf({ at, duration_ms }: DeliveryAttempt): { startedAt: number; answeredAt: number } {
  const startedAt = fromIso(at) ?? Number.NaN;
  return { startedAt, answeredAt: startedAt + duration_ms };
}

export interface Traffic {
  /** Requests to the service, oldest first. */
  readonly calls: readonly ClientCall[];
  /** Oldest first. */
  readonly deliveries: readonly Delivery[];
  /** Whether the clock stood still at some time. What happened then has one time. */
  readonly wasFrozen: boolean;
  /** Whether a webhook endpoint is registered. */
  readonly hasEndpoint: boolean;
}
