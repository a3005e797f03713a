/** Values that always have their outcome, whoever is registered: nobody may have them (fixtures/test-values.json). */
import { toTestNumber } from "../phone/phone-numbers.js";
import { testValues } from "../test-values.js";

const listed: ReadonlySet<string> = new Set(testValues.map(({ value }) => value));

/** The number is written the normal way. Of phone numbers the whole range is kept, listed or not. */
export const isTestNumber = (number: string): boolean => listed.has(number) || toTestNumber(number) !== null;

/** A file name that contains one of them asks for an outcome; the last three are those of scans. */
const fileWords = [
  ...testValues.filter(({ where }) => where === "file name").map(({ value }) => value),
  ...["likely_ai", "inconclusive", "authentic"],
];

/** The test value that every file name with this face would contain. */
export const testWordIn = (face: string): string | null =>
  fileWords.find((word) => face.replaceAll("-", "").includes(word.replaceAll("_", ""))) ?? null;
