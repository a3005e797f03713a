/** A record that needs no redaction is not parsed: what is taken for such a record is exactly what redaction leaves alone. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { collectSecrets, mayNameSecret, redactor } from "../../src/contract/secrets.js";
import { propertyRuns } from "../support/repetitions.js";

const secrets = ["483920", "22301948576", "whsec_a1b2c3", "pass-word-1"];
const names = fc.constantFrom(
  "id",
  "code",
  "codes",
  "card",
  "licence",
  "number",
  "text",
  "body",
  "bvn",
  "state",
);
const words = fc.constantFrom(
  ...secrets,
  "\n483920",
  '"483920"',
  "the code 483920.",
  '{"code":"117"}',
  "x483920",
  "a word",
);
const leaves = fc.oneof(
  words,
  fc.string(),
  fc.integer(),
  fc.constant(null),
  fc.boolean(),
  fc.constant(22301948576),
);
const record = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    leaves,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(names, tie("value"), { maxKeys: 4 }),
  ),
}));

test("a record that may hold no secret is what redaction makes of it, and names none", () => {
  const { redact, mayHold } = redactor(new Set(secrets));
  fc.assert(
    fc.property(names, fc.dictionary(names, record.value, { maxKeys: 4 }), (key, value) => {
      const member = { [key]: value };
      const text = JSON.stringify(member).slice(1, -1);
      if (!mayHold(text)) expect(redact(member)).toEqual(member);
      const found = new Set<string>();
      collectSecrets(member, found);
      if (!mayNameSecret(text)) expect([...found]).toEqual([]);
    }),
    propertyRuns(2_000, 100_000),
  );
});

test("most records are taken for such a record", () => {
  const { mayHold } = redactor(new Set(secrets));
  expect(mayHold('"pay_1":{"id":"pay_1","amount":20000,"card":null,"holds":[]}')).toBe(false);
  expect(mayHold('"phv_1":{"id":"phv_1","code":"117"}')).toBe(true);
  expect(mayHold('"msg_1":{"id":"msg_1","text":"the code 483920"}')).toBe(true);
});
