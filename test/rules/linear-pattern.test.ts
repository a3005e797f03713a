/** Patterns of users take time that grows linearly with the text, and cannot delay other accounts or end the process. */
import { expect, test } from "vitest";
import type { RuleInput, SandboxAccount } from "../../src/index.js";
import { call, post, useSandbox } from "../support/sandbox.js";
import { forged } from "../support/snapshots.js";

const sandbox = useSandbox();
const on = "startPhoneVerification";
const outcome = "provider_unavailable";
const withPattern = (pattern: string): RuleInput => ({ on, when: { body: { reference: pattern } }, outcome });

const start = async (account: SandboxAccount, reference: string) => {
  const body = { phone: "+2348031234567", reference };
  const { status, headers } = await post(account, "/v1/phone/verify/start", body);
  return [status, headers.get("X-Sandbox-Rules")];
};

const nested = (depth: number) => `/${"(".repeat(depth)}a${")".repeat(depth)}/`;

test.each([
  ["4,000 look-aheads", `/${"(?=a".repeat(4_000)}/`, /has 16000 characters, above 1000/],
  ["20,000 nested groups", nested(20_000), /has 40001 characters, above 1000/],
  ["101 nested groups", nested(101), /groups are nested deeper than 100/],
  ["a look-ahead", "/(?!a).+/", /look-around such as .* is not supported; !\/…\/ matches/],
  ["a look-behind", "/.+(?<=a)/", /look-around such as .* is not supported/],
  ["a back-reference by number", "/(a)\\1/", /back-references such as \\1 are not supported/],
  ["a back-reference by name", "/(?<n>a)\\k<n>/", /back-references/],
  ["half a surrogate pair", "/\\ud83d\\ude00/", /surrogate pairs are not supported; write .*\\u\{1F600\}/],
  ["a property with its category", "/\\p{Script=Greek}/", /write the value alone, \\p\{Greek\}/],
  [
    "too many repetitions in all",
    "/[a-z]{600}[0-9]{600}/",
    /\d{4} steps with its repetitions written out, above 1000/,
  ],
  ["too many repetitions at once", "/a{2000}/", /invalid repeat count/],
])("a rule with %s is refused", async (_what, pattern, message) => {
  const { status, body } = await post(sandbox.account(), "/_sandbox/rules", withPattern(pattern));
  expect([status, body.error.param]).toEqual([400, "when.body.reference"]);
  expect(body.error.message).toMatch(message);
});

test.each([
  ["100 nested groups", nested(100), "a"],
  ["an escaped back-reference", "/a\\\\1/", "a\\1"],
  ["what looks like a look-ahead within a class", "/[(?=]+/", "(?="],
  ["a named group", "/(?<year>\\d{4})/", "2026"],
  ["letters beyond ASCII", "/\\p{Lu}\\p{L}+/", "Ọlá"],
])("a rule with %s matches", async (_what, pattern, reference) => {
  const account = sandbox.account();
  await account.rules.add(withPattern(pattern));
  expect(await start(account, reference)).toEqual([503, null]);
});

test("a pattern on which others backtrack exponentially is evaluated like any other", async () => {
  const account = sandbox.account();
  await account.rules.add(withPattern("/(a+)+b/"));
  expect(await start(account, `${"a".repeat(1_000)}!`)).toEqual([201, null]);
  expect(await start(account, "aab")).toEqual([503, null]);
});

test("rules whose patterns would take too long on a text are passed over, and rules without patterns decide", async () => {
  const account = sandbox.account();
  await account.rules.add({ on, outcome });
  for (let i = 0; i < 3; i++) await account.rules.add(withPattern("/(?:(?:a|b)*a){200}c/"));
  expect(await start(account, "ab".repeat(10_000))).toEqual([503, "passed-over=2"]);
  expect(await start(account, "ab")).toEqual([503, null]);
});

test("a stored rule whose pattern is no longer accepted does not apply, and says why", async () => {
  const account = sandbox.account();
  const { id } = await account.rules.add(withPattern("/a.+/"));
  const stored = forged(await account.snapshot(), (document) => {
    document.state.rules[id].when.body.reference = "/(?=a).+/";
  });
  const copy = sandbox.account();
  await copy.restore(stored);
  expect(await start(copy, "ab")).toEqual([201, `stopped=${id}`]);
  const [{ stopped }] = (await call(copy, "GET", "/_sandbox/rules")).body.items;
  expect(stopped).toMatch(/^when\.body\.reference: look-around/);
});
