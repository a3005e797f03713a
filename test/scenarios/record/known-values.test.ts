/** The values of a reply that a recording takes for made by the sandbox. */
import { expect, test } from "vitest";
import { KnownValues } from "../../../src/scenarios/record/known-values.js";

test.each([
  ["an id", "wac_k7qzcngpendccxarctmw", true],
  ["an id without a digit", "wac_xfqzcngpendccxarctmw", true],
  ["a code", "482913", true],
  ["a word", "insufficient_balance", false],
  ["a date", "2026-03-02", false],
])("%s", (_what, text, isMade) => {
  const known = new KnownValues();
  known.learn({}, "channel", { value: text });
  expect(known.reference(text) !== null).toBe(isMade);
});
