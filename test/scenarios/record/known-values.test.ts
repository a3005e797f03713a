/** The values of a reply that a recording takes for made by the sandbox. */
import { expect, test } from "vitest";
import { expectationOf, KnownValues } from "../../../src/scenarios/record/expectations.js";
import { Secrets } from "../../../src/scenarios/record/secrets.js";

test.each([
  ["an id", "wac_k7qzcngpendccxarctmw", true],
  ["an id without a digit", "wac_xfqzcngpendccxarctmw", true],
  ["an id of the service in upper case", "wac_XFQZCNGPENDC", true],
  ["a code", "482913", true],
  ["an error that begins as an id does", "otp_daily_limit", false],
  ["a word", "insufficient_balance", false],
  ["a date", "2026-03-02", false],
])("%s", (_what, text, isMade) => {
  const known = new KnownValues();
  known.learn({}, "channel", { value: text });
  expect(known.reference(text) !== null).toBe(isMade);
});

test.each(["phv_k7qzcngpendccxarctmw", "phv_01HZXQ7KM4", "phv_7f3c-11ee-be56"])(
  "an id is expected by its prefix, whatever follows it: %s",
  (id) => {
    const expecting = { known: new KnownValues(), secrets: new Secrets(), request: {} };
    expect(expectationOf({ id }, expecting)).toEqual({ id: "/phv_.+/" });
  },
);
