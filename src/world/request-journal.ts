/** The last requests of an account, in memory only: what a tester looks at, and what expectations are checked against. */
export interface JournalEntry {
  id: string;
  /** Ms on the account's clock. */
  at: number;
  /** Operation id; null when no operation was reached. */
  operation: string | null;
  method: string;
  /** Path with query. */
  path: string;
  /** Name, value, name, value … as received. */
  headers: readonly string[];
  /** The body's text, when it was JSON and short enough to keep. */
  body: string | null;
  /** Null: the connection was reset before anything happened. */
  status: number | null;
  error_code: string | null;
  outcome: string | null;
  /** What went wrong on the wire; null: nothing. */
  fault: string | null;
  /** All that a rule's fault asked for, an error that was answered as usual included. */
  asked_fault: string | null;
  /** As the service answered. */
  reply: string | null;
  /** Real ms. */
  duration_ms: number;
}

export const requestLimit = 1_000;

export class RequestJournal {
  #entries: JournalEntry[] = [];
  #oldest = 0;

  add(entry: JournalEntry): void {
    if (this.#entries.length < requestLimit) {
      this.#entries.push(entry);
      return;
    }
    this.#entries[this.#oldest] = entry;
    this.#oldest = (this.#oldest + 1) % requestLimit;
  }

  /** Newest first. */
  list(): JournalEntry[] {
    return [...this.#entries.slice(this.#oldest), ...this.#entries.slice(0, this.#oldest)].reverse();
  }

  clear(): void {
    this.#entries = [];
    this.#oldest = 0;
  }
}
