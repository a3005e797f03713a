import { describe, expect, test } from "vitest";
import { InvalidScenario } from "../../src/scenarios/parse-scenario.js";
import { lines, parse, wrongIn } from "./files.js";

const payment = "do: simulate_payment, with: { virtual_account_id: va_1, amount: 900 }";

describe("a file that is not a scenario is refused", () => {
  test.each([
    ["an empty file", "", "story.yaml:1:1: is empty"],
    ["a comment", "# nothing yet\n", "story.yaml:1:1: the scenario must be an object; got null"],
    ["a list", "- name: X\n", "story.yaml:1:1: the scenario must be an object; got an array"],
    ["a text", "hello\n", 'story.yaml:1:1: the scenario must be an object; got "hello"'],
    ["one without a name", "description: x\n", "story.yaml:1:1: name: is required"],
    [
      "several in one",
      "name: X\n---\nname: Y\n",
      "story.yaml:2:1: Source contains multiple documents; a scenario file has one",
    ],
    [
      "a tab as indentation",
      "name: X\ngiven:\n\tbusiness: {}\n",
      "story.yaml:3:1: Tabs are not allowed as indentation",
    ],
    ["a key that comes twice", "name: X\nname: Y\n", "story.yaml:2:1: Map keys must be unique"],
    [
      "a tag of a programming language",
      "name: !!js/function x\n",
      "story.yaml:1:7: Unresolved tag: tag:yaml.org,2002:js/function",
    ],
    [
      "an alias of nothing",
      "name: X\ngiven:\n  business: *shop\n",
      "story.yaml:3:13: *shop names nothing: &shop is missing or comes later",
    ],
    [
      "an alias before its anchor",
      "name: X\ngiven:\n  business: *b\n  people: [&b {}]\n",
      "story.yaml:3:13: *b names nothing: &b is missing or comes later",
    ],
    [
      "one nested without end",
      `name: X\ngiven: ${"[".repeat(20_000)}`,
      /^story\.yaml:2:\d+: is nested too deep$/,
    ],
    [
      "a novel",
      `name: X\ndescription: ${"x".repeat(1_000_000)}\n`,
      "story.yaml:1:1: is longer than 1000000 characters",
    ],
  ])("%s", async (_what, text, problem) => {
    expect(await wrongIn(text)).toEqual([
      typeof problem === "string" ? problem : expect.stringMatching(problem),
    ]);
  });

  test("a bracket that is never closed", async () => {
    const [first] = await wrongIn("name: X\ngiven: { people: [{}\n");
    expect(first).toMatch(/^story\.yaml:3:1: Flow sequence .* end with a \]$/);
  });

  test("exponential aliases, at once", async () => {
    const rows = "bcdefghij".split("").map((name, index) => {
      const before = `*${"abcdefghi"[index]}`;
      return `  - &${name} [${Array(9).fill(before).join(",")}]`;
    });
    const text = lines("name: X", "steps:", "  - &a [lol,lol,lol,lol,lol,lol,lol,lol,lol]", ...rows);
    expect(await wrongIn(text)).toEqual(["story.yaml:1:1: its aliases expand to too many values"]);
  });

  test("the error is an InvalidScenario with file, line and column of each problem", async () => {
    await expect(parse("name: X\nsteppes: []\n")).rejects.toBeInstanceOf(InvalidScenario);
    await expect(parse("name: X\nsteppes: []\n")).rejects.toMatchObject({
      name: "InvalidScenario",
      errors: [{ file: "story.yaml", line: 2, column: 1 }],
    });
  });
});

describe("the error of an unknown key names the nearest known one", () => {
  test.each([
    [
      "at the top",
      "name: X\nsteppes: []\n",
      "2:1: steppes: is not known here; the nearest is steps (known: name, description, account, given, rules, timeline, steps)",
    ],
    [
      "a section",
      "name: X\ngiven:\n  paymnts: [{}]\n",
      /^story.yaml:3:3: given\.paymnts: is not known here; the nearest is payments \(known: clock, account, people/,
    ],
    [
      "a field of a section",
      "name: X\ngiven:\n  payments:\n    - amout: 3\n",
      "4:7: given.payments.0.amout: is not known here; the nearest is amount (known: virtual_account_id, amount, outcome, moves, settled, issue)",
    ],
    [
      "a field of a section that is one record",
      "name: X\ngiven:\n  business: { busines_name: Ada }\n",
      /3:15: given\.business\.busines_name: is not known here; the nearest is business_name \(/,
    ],
    [
      "a move's",
      "name: X\ngiven:\n  payments:\n    - moves: [{ mov: settle, move: settle }]\n",
      /4:17: given\.payments\.0\.moves\.0\.mov.*the nearest is move \(known: move, with\)/,
    ],
    [
      "a rule's",
      "name: X\nrules:\n  - on: createPayout\n    outcme: rejected\n",
      /4:5: rules\.0\.outcme: is not known here; the nearest is outcome \(/,
    ],
    [
      "what a rule matches by",
      "name: X\nrules:\n  - { on: createPayout, outcome: rejected, when: { boddy: {} } }\n",
      /3:52: rules\.0\.when\.boddy: is not known here; the nearest is body \(/,
    ],
    [
      "a timeline's",
      `name: X\ntimeline:\n  - { aftr: 30s, ${payment} }\n`,
      /3:7: timeline\.0\.aftr: is not known here; the nearest is after \(/,
    ],
    [
      "a field of what the timeline does",
      "name: X\ntimeline:\n  - { after: 30s, do: simulate_payment, with: { virtual_account_id: a, amout: 1, amount: 100 } }\n",
      /3:72: timeline\.0\.with\.amout: is not known here; the nearest is amount \(/,
    ],
    [
      "a step's",
      "name: X\nsteps:\n  - call: GET /v1/balance\n    expct: {}\n",
      /4:5: steps\.0\.expct: is not known here; the nearest is expect \(/,
    ],
    [
      "of what a step expects",
      "name: X\nsteps:\n  - { call: GET /v1/balance, expect: { staus: 200 } }\n",
      /3:40: steps\.0\.expect\.staus: is not known here; the nearest is status \(/,
    ],
    [
      "of a step's file",
      "name: X\nsteps:\n  - { call: POST /v1/verify/liveness, files: { selfie: { name: a.png, fixtur: selfie.jpg } } }\n",
      "3:71: steps.0.files.selfie.fixtur: is not known here; the nearest is fixture (known: name, fixture, text, base64)",
    ],
    ["__proto__", "name: X\n__proto__: {}\n", /2:1: __proto__: is not known here/],
    ["that is a number", "name: X\ngiven: { 1: a }\n", /2:10: given\.1: is not known here/],
  ])("%s", async (_where, text, problem) => {
    const expected = typeof problem === "string" ? `story.yaml:${problem}` : expect.stringMatching(problem);
    expect(await wrongIn(text)).toEqual([expected]);
  });
});

describe("a value of the wrong kind", () => {
  test("is reported with its place, one error each", async () => {
    const text = lines("name: 5", "given: []", "rules: {}", "timeline: 3", "steps: x");
    expect(await wrongIn(text)).toEqual([
      'story.yaml:1:1: name: must be a string; got 5; put it in quotes: "5"',
      "story.yaml:2:1: given: must be an object; got an array",
      "story.yaml:3:1: rules: must be an array; got an object",
      "story.yaml:4:1: timeline: must be an array; got 3",
      'story.yaml:5:1: steps: must be an array; got "x"',
    ]);
  });

  test.each([
    [
      "a code without quotes",
      'payout_account: { bank_code: 058, account_number: "0123456789" }',
      '3:21: given.payout_account.bank_code: must be a string; got 58; put it in quotes: "058"',
    ],
    ["a list that is one", "payments: { amount: 3 }", "3:3: given.payments: must be an array; got an object"],
    ["one that is a list", "business: [{}]", "3:3: given.business: must be an object; got an array"],
    [
      "moves that are a text",
      "payments: [{ moves: settle }]",
      '3:16: given.payments.0.moves: must be an array; got "settle"',
    ],
    [
      "a word that is neither true nor an input",
      "payments: [{ settled: 1 }]",
      "3:16: given.payments.0.settled: must be a boolean or an object; got 1",
    ],
    [
      "a number in words",
      "payments: [{ amount: much }]",
      '3:16: given.payments.0.amount: must be a number; got "much"',
    ],
    [
      "an outcome that there is not",
      "payouts: [{ outcome: lost }]",
      /^story\.yaml:3:15: given\.payouts\.0\.outcome: must be one of paid, failed, rejected, requested, .*; got "lost"$/,
    ],
    [
      "a clock in words",
      "clock: noon",
      "3:3: given.clock: must be an ISO 8601 time from 1970 to 9000 such as 2026-03-01T09:00:00Z",
    ],
    [
      "a day that there is not",
      'clock: "2026-02-30T09:00:00Z"',
      /3:3: given\.clock: must be an ISO 8601 time/,
    ],
    [
      "a time before all clocks",
      'clock: "1969-12-31T23:59:59Z"',
      /3:3: given\.clock: must be an ISO 8601 time/,
    ],
    ["an endpoint without a URL", "webhooks: [{}]", "3:14: given.webhooks.0.url: is required"],
  ])("of given: %s", async (_what, given, problem) => {
    const expected = typeof problem === "string" ? `story.yaml:${problem}` : expect.stringMatching(problem);
    expect(await wrongIn(lines("name: X", "given:", `  ${given}`))).toEqual([expected]);
  });

  test("in one part does not hide problems of the others", async () => {
    const text = lines(
      "name: X",
      "given: []",
      "rules: [{ on: createPayot, outcome: rejected }]",
      "steps: [{ call: GET /v1/balances }]",
    );
    expect((await wrongIn(text)).map((line) => line.split(" ").slice(0, 2).join(" "))).toEqual([
      "story.yaml:2:1: given:",
      "story.yaml:3:11: rules.0.on:",
      "story.yaml:4:11: steps.0.call:",
    ]);
  });
});
