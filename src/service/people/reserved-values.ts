/** Test values (fixtures/test-values.json), which always select their outcome. No person may have one. */
import { toTestNumber } from "../phone/phone-numbers.js";
import { testValues } from "../test-values.js";

const listed: ReadonlySet<string> = new Set(testValues.map(({ value }) => value));

/** Returns whether a number in normal notation is a test value. The whole range of test phone numbers is reserved. */
export const isTestNumber = (number: string): boolean => listed.has(number) || toTestNumber(number) !== null;

/** Words that select an outcome in a file name. */
const fileWords = testValues.filter(({ where }) => where === "file name").map(({ value }) => value);

/** Returns the test value that every file name with this face would contain, or null. */
export const findTestWord = (face: string): string | null =>
  fileWords.find((word) => face.replaceAll("-", "").includes(word.replaceAll("_", ""))) ?? null;
