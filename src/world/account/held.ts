/** Requests and replies that a rule has stopped, until a tester releases or drops them. They are in memory only. */
import type { HeaderChanges } from "../../contract/headers.js";
import { afterTick, minute, timer } from "../../time/time.js";
import { Waiters } from "../../time/waiters.js";
import { partOfHeap, Total } from "../store/total.js";

/** Longest time that something is held, in ms: of real time for requests and replies, on the account's clock for webhooks. */
export const maxHeldMs = 10 * minute;

/** Changes that a tester makes before the release. */
export interface ReleaseChanges {
  status?: number;
  headers?: HeaderChanges;
  /** JSON, or a string that is sent as it is. */
  body?: unknown;
}

export type HeldEnd = { isDropped: true } | { isDropped: false; changes: ReleaseChanges };

/** A held request or reply. Its id is the id of the request. */
export interface HeldExchange {
  readonly id: string;
  readonly kind: "request" | "reply";
  /** Id of the rule that stopped it. */
  readonly rule: string | null;
  /** When it was stopped, in ms on the account's clock. */
  readonly at: number;
  readonly operation: string;
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  /** Status of a reply. Null for a request. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON body. Null if the body is not JSON. */
  readonly body: unknown;
}

/** Estimated size in bytes of a held webhook without the texts of its event. */
const webhookBytes = 1_000;
/** Maximum number of items per account that are remembered as returned by a wait. */
const maxReturned = 20_000;

interface HeldWebhook {
  /** Id of the delivery. */
  id: string;
  send(): void;
}

/** Counts the held webhooks. When the total is exceeded, the oldest is sent. */
class HeldWebhooks {
  /** Their numbers in the total, by the ids of their deliveries. */
  readonly #counted = new Map<string, number>();
  readonly #total = new Total<HeldWebhook>("webhooks that rules hold", partOfHeap(40), ({ id, send }) => {
    this.#counted.delete(id);
    // The commit in which another webhook was held may still be open.
    afterTick(send);
  });

  hold(id: string, textLength: number, send: () => void): void {
    this.release(id);
    this.#counted.set(id, this.#total.add({ id, send }, webhookBytes + textLength));
  }

  release(id: string): void {
    const counted = this.#counted.get(id);
    if (counted !== undefined) this.#total.release(counted);
    this.#counted.delete(id);
  }
}

/** The held webhooks of all accounts. */
export const heldWebhooks = new HeldWebhooks();

const unchanged: HeldEnd = { isDropped: false, changes: {} };

export class Held {
  readonly waiters = new Waiters<{ id: string }>();
  readonly #exchanges = new Map<string, { exchange: HeldExchange; end(how: HeldEnd): void }>();
  /** Kinds and ids that a wait has returned. */
  readonly #returned = new Set<string>();

  get hasAny(): boolean {
    return this.#exchanges.size > 0 || this.waiters.hasAny;
  }

  /** Holds a request or a reply, until it is ended, until `gone` aborts, or for `maxHeldMs` of real time. */
  hold(exchange: HeldExchange, gone: AbortSignal): Promise<HeldEnd> {
    if (this.waiters.ended || gone.aborted) return Promise.resolve(unchanged);
    return new Promise((resolve) => {
      const release = () => end(unchanged);
      const limit = timer(maxHeldMs, release);
      const end = (how: HeldEnd) => {
        limit.cancel();
        gone.removeEventListener("abort", release);
        this.#exchanges.delete(exchange.id);
        this.#returned.delete(returnedKey(exchange));
        resolve(how);
      };
      gone.addEventListener("abort", release);
      this.#exchanges.set(exchange.id, { exchange, end });
      this.waiters.wake();
    });
  }

  /** Returns the held exchanges, oldest first. */
  list(): HeldExchange[] {
    return [...this.#exchanges.values()].map(({ exchange }) => exchange);
  }

  get(id: string): HeldExchange | undefined {
    return this.#exchanges.get(id)?.exchange;
  }

  end(id: string, how: HeldEnd): void {
    this.#exchanges.get(id)?.end(how);
  }

  /** Releases everything that a rule holds, or everything that is held if no rule is given. */
  release(rule?: string): void {
    for (const { exchange, end } of [...this.#exchanges.values()])
      if (rule === undefined || exchange.rule === rule) end(unchanged);
  }

  /** Returns the first item that is still held and that no earlier call has returned, or undefined. */
  take<T extends { id: string; kind: string; isHeld(): boolean }>(oldestFirst: readonly T[]): T | undefined {
    const next = oldestFirst.find((item) => !this.#returned.has(returnedKey(item)) && item.isHeld());
    if (next) this.#returned.add(returnedKey(next));
    const [oldest = ""] = this.#returned;
    if (this.#returned.size > maxReturned) this.#returned.delete(oldest);
    return next;
  }
}

const returnedKey = ({ id, kind }: { id: string; kind: string }): string => `${kind} ${id}`;
