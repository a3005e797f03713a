/** Values in a request that ask for an outcome (fixtures/test-values.json); design: first digit of difference last. */
import fixture from "../../fixtures/test-values.json" with { type: "json" };

export interface TestValue {
  /** Where the value stands: phone, bvn, card, kobo … */
  where: string;
  value: string;
  /** Operation ids. */
  operations: readonly string[];
  outcome: string;
  note: string;
}

export const testValues: readonly TestValue[] = fixture.values;

const byPlace = new Map<string, Map<string, string>>();
for (const { where, value, operations, outcome } of testValues) {
  for (const operation of operations) {
    const place = `${operation} ${where}`;
    byPlace.set(place, (byPlace.get(place) ?? new Map()).set(value, outcome));
  }
}

/** The outcome of the first value that the text contains; upper and lower case are one. */
export function testValueWithin(operation: string, where: string, text: string): string | undefined {
  const lower = text.toLowerCase();
  for (const [value, outcome] of byPlace.get(`${operation} ${where}`) ?? []) {
    if (lower.includes(value.toLowerCase())) return outcome;
  }
  return undefined;
}

/** The outcome that a value asks of an operation. */
export const testValueOutcome = (operation: string, where: string, value: string): string | undefined =>
  byPlace.get(`${operation} ${where}`)?.get(value);
