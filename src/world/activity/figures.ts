/** Counts of what has happened since the start, for operators. */

export class Figures {
  commits = 0;
  /** Number of delivery attempts by the class of the answer, such as `2xx`, or `none`. */
  readonly attempts = new Map<string, number>();
  /** Number of requests by operation and status. Undefined: a path without one. Null: dropped by a fault. */
  readonly requests = new Map<string | undefined, Map<number | null, number>>();

  committed(): void {
    this.commits++;
  }

  attempted({ status }: { status: number | null }): void {
    const result = status === null ? "none" : `${Math.floor(status / 100)}xx`;
    this.attempts.set(result, (this.attempts.get(result) ?? 0) + 1);
  }

  answered(operation: string | undefined, status: number | null): void {
    let counts = this.requests.get(operation);
    if (!counts) {
      counts = new Map();
      this.requests.set(operation, counts);
    }
    counts.set(status, (counts.get(status) ?? 0) + 1);
  }
}
