/**
 * Values in a request that select an outcome (fixtures/test-values.json). Values of one kind differ in their last digit
 * or in a word.
 */
import fixture from "../../fixtures/test-values.json" with { type: "json" };
import { toKobo } from "../contract/money.js";

export interface TestValue {
  /** Kind of value: phone, bvn, card, kobo … */
  where: string;
  value: string;
  /** Ids of the operations that it applies to. */
  operations: readonly string[];
  outcome: string;
  note: string;
  /** The code that is always sent to this number. */
  code?: string;
}

export const testValues: readonly TestValue[] = fixture.values;

/** Fixed codes by phone number in E.164. */
export const testCodes: ReadonlyMap<string, string> = new Map(
  testValues.flatMap(({ value, code }) => (code === undefined ? [] : [[value, code] as const])),
);

type OutcomesByValue = Map<string, string>;

/** Outcomes of operations, by kind of value. */
const outcomesByKind = new Map<string, Map<string, OutcomesByValue>>();
for (const { where, value, operations, outcome } of testValues) {
  for (const operation of operations) {
    const kinds = outcomesByKind.get(operation) ?? new Map<string, OutcomesByValue>();
    outcomesByKind.set(operation, kinds.set(where, (kinds.get(where) ?? new Map()).set(value, outcome)));
  }
}

/** Returns the outcome that this value selects. `O` is the operation's outcomes, which a test checks. */
export const testValueOutcome = <O extends string>(
  operation: string,
  where: string,
  value: string,
): O | undefined => outcomesByKind.get(operation)?.get(where)?.get(value) as O | undefined;

/** Returns the outcome of the first test value that the text contains, in upper or lower case. */
export function testValueWithin<O extends string>(
  operation: string,
  where: string,
  text: string,
): O | undefined {
  const lower = text.toLowerCase();
  for (const [value, outcome] of outcomesByKind.get(operation)?.get(where) ?? []) {
    if (lower.includes(value.toLowerCase())) return outcome as O;
  }
  return undefined;
}

/** Returns the outcome that the kobo of an amount select, if its naira are a multiple of 100: `.05`, `.57`, `.59`, `.68`. */
export function testAmountOutcome<O extends string>(
  operation: string,
  naira: number | undefined,
): O | undefined {
  const kobo = naira === undefined ? null : toKobo(naira);
  if (kobo === null || kobo < 100_00 || Math.floor(kobo / 100) % 100 !== 0) return undefined;
  return testValueOutcome(operation, "kobo", `.${String(kobo % 100).padStart(2, "0")}`);
}
