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

/**
 * Returns the outcome of the first test value of this kind that `isMeant` accepts. `O` is the operation's outcomes,
 * which a test checks.
 */
const outcomeOf = <O extends string>(
  operation: string,
  kind: string,
  isMeant: (value: string) => boolean,
): O | undefined =>
  testValues.find(
    ({ where, value, operations }) => where === kind && isMeant(value) && operations.includes(operation),
  )?.outcome as O | undefined;

/** Returns the outcome that this value selects. */
export const testValueOutcome = <O extends string>(
  operation: string,
  where: string,
  given: string,
): O | undefined => outcomeOf(operation, where, (value) => value === given);

/** Returns the outcome of the first test value that the text contains, in upper or lower case. */
export const testValueWithin = <O extends string>(
  operation: string,
  where: string,
  text: string,
): O | undefined => outcomeOf(operation, where, (value) => text.toLowerCase().includes(value.toLowerCase()));

/** Returns the outcome that the kobo of an amount select, if its naira are a multiple of 100: `.05`, `.57`, `.59`, `.68`. */
export function testAmountOutcome<O extends string>(
  operation: string,
  naira: number | undefined,
): O | undefined {
  const kobo = naira === undefined ? null : toKobo(naira);
  if (kobo === null || kobo < 100_00 || Math.floor(kobo / 100) % 100 !== 0) return undefined;
  return testValueOutcome(operation, "kobo", `.${String(kobo % 100).padStart(2, "0")}`);
}
