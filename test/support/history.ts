/**
 * Checks that the history of an account is linearizable. The order of its writes is known, since each adds a record to a list,
 * and a read says how many records there were. So there is one candidate for the order of everything, and the history
 * is linearizable if and only if that order contradicts no two operations of which one ended before the other began.
 */
export interface Operation {
  /** Ms on one clock. An operation whose outcome is unknown never ended. */
  began: number;
  ended: number;
  /** Position of a write in the list, or number of records that a read has seen. */
  position: number;
  isWrite: boolean;
}

/** Returns a sentence for each operation that comes before one that had ended when it began. */
export function violations(operations: readonly Operation[]): string[] {
  // A write is at its position, and the reads that have seen it are between it and the next.
  const orderOf = ({ position, isWrite }: Operation) => (isWrite ? position : position - 0.5);
  const byEnd = [...operations].sort((one, other) => one.ended - other.ended);
  let next = 0;
  let latest = Number.NEGATIVE_INFINITY;
  const found: string[] = [];
  for (const operation of [...operations].sort((one, other) => one.began - other.began)) {
    for (; next < byEnd.length && (byEnd[next] as Operation).ended < operation.began; next++)
      latest = Math.max(latest, orderOf(byEnd[next] as Operation));
    if (orderOf(operation) < latest)
      found.push(
        `${operation.isWrite ? "write" : "read"} ${operation.position} began after ${latest} had been seen`,
      );
  }
  return found;
}
