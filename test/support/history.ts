/**
 * Checks that the history of an account is linearizable. The order of its writes is known, since the journal has them in
 * their order. A read says how many writes of a kind it has seen, and so lies between two of them. The history is
 * linearizable if and only if every read can have a place there such that no operation is placed before one that had
 * ended when it began. It suffices to try the earliest place that each operation can have, in the order in which they
 * began: a later place would only leave less to the operations that follow.
 */
export interface Operation {
  /** Ms on one clock. An operation whose outcome is unknown is left out: it never ended. */
  began: number;
  ended: number;
  /** First and last place that the operation can have in the order of writes. They are the same for a write. */
  from: number;
  to: number;
}

/** Returns a sentence for each operation that has no place after those that had ended when it began. */
export function violations(operations: readonly Operation[]): string[] {
  const found: string[] = [];
  let latest = Number.NEGATIVE_INFINITY;
  const byEnd = [...operations].sort((one, other) => one.ended - other.ended);
  const places = new Map<Operation, number>();
  let next = 0;
  for (const operation of [...operations].sort((one, other) => one.began - other.began)) {
    for (; next < byEnd.length && (byEnd[next] as Operation).ended < operation.began; next++)
      latest = Math.max(latest, places.get(byEnd[next] as Operation) as number);
    const place = Math.max(operation.from, latest);
    places.set(operation, place);
    if (place > operation.to) found.push(`${JSON.stringify(operation)} began after ${latest} had been seen`);
  }
  return found;
}

/** A kind of write, and how many of that kind a read has seen. */
export interface Seen {
  kind: string;
  count: number;
}

/** Returns the places that a read can have. `order` has the kinds of all writes in their order; their places are 1, 2, … */
export function placesOf({ kind, count }: Seen, order: readonly string[]): { from: number; to: number } {
  const places = order.flatMap((one, at) => (one === kind ? [at + 1] : []));
  const next = places[count] ?? order.length + 1;
  const last = count === 0 ? 0 : (places[count - 1] ?? Number.POSITIVE_INFINITY);
  return { from: last + 0.5, to: next - 0.5 };
}
