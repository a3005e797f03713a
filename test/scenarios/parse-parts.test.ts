import { describe, expect, test } from "vitest";
import { lines, parse, ref, wrongIn } from "./files.js";

const payment = "do: simulate_payment, with: { virtual_account_id: va_1, amount: 900 }";

describe("a timeline", () => {
  test.each([
    [
      "a duration in words",
      `{ after: soon, ${payment} }`,
      "3:7: timeline.0.after: must be a duration such as 30s or 24h",
    ],
    ["a time in words", `{ at: noon, ${payment} }`, /3:7: timeline\.0\.at: must be an ISO 8601 time/],
    [
      "no cron expression",
      `{ cron: often, ${payment} }`,
      /3:7: timeline\.0\.cron: must be a cron expression such as \*\/5 \* \* \* \* .*expected 5 or 6 fields/,
    ],
    ["a minute that there is not", `{ cron: "60 * * * *", ${payment} }`, /3:7: timeline\.0\.cron: .*60/],
    [
      "a day that never comes",
      `{ cron: "0 0 30 2 *", ${payment} }`,
      /3:7: timeline\.0\.cron: .*impossible day/,
    ],
    ["a last day that never comes", `{ cron: "0 0 31W 2 *", ${payment} }`, /3:7: timeline\.0\.cron: /],
    ["no time at all", `{ ${payment} }`, "3:5: timeline.0: needs exactly one of after, at and cron"],
    [
      "two times",
      `{ after: 1s, cron: "* * * * *", ${payment} }`,
      "3:5: timeline.0: needs exactly one of after, at and cron",
    ],
    [
      "times without a cron",
      `{ after: 1s, times: 2, ${payment} }`,
      "3:18: timeline.0.times: is for cron entries only",
    ],
    [
      "times that are none",
      `{ cron: "* * * * *", times: 0, ${payment} }`,
      /3:26: timeline\.0\.times: must be at least 1/,
    ],
    [
      "an operation that there is not",
      "{ after: 1s, do: simulate_paymnt }",
      '3:18: timeline.0.do: there is no "simulate_paymnt"; the nearest is simulate_payment',
    ],
    [
      "an operation that only looks",
      "{ after: 1s, do: get_balance }",
      "3:18: timeline.0.do: get_balance is not an action: it only reads",
    ],
    [
      "one that steers the sandbox",
      "{ after: 1s, do: advance_clock }",
      "3:18: timeline.0.do: advance_clock is not an action: it configures the sandbox",
    ],
    [
      "one that takes a file",
      "{ after: 1s, do: verifyLiveness }",
      "3:18: timeline.0.do: verifyLiveness is not an action: it takes a file",
    ],
    [
      "a word that is near to nothing",
      "{ after: 1s, do: reset }",
      '3:18: timeline.0.do: there is no "reset"; it takes an operation\'s id such as simulate_payment',
    ],
    [
      "a duration without its unit",
      `{ after: 5, ${payment} }`,
      "3:7: timeline.0.after: must be a string; got 5; a duration, such as 5s",
    ],
    [
      "a time that is a year",
      `{ at: 2026, ${payment} }`,
      "3:7: timeline.0.at: must be a string; got 2026; a time, such as 2026-03-02T09:00:00Z",
    ],
    [
      "a field that nobody gives",
      "{ after: 1s, do: move_record, with: { id: po_1 } }",
      "3:35: timeline.0.with.move: is required",
    ],
    [
      "an event that there is not",
      "{ after: 1s, do: trigger_event, with: { event: payout.lost } }",
      /3:45: timeline\.0\.with\.event: must be one of .*payout\.paid/,
    ],
    [
      "an outcome of what has none",
      "{ after: 1s, do: trigger_event, with: { event: payout.paid, outcome: paid } }",
      /3:65: timeline\.0\.with\.outcome: is not known here/,
    ],
  ])("explains what is wrong with %s", async (_what, entry, problem) => {
    const expected = typeof problem === "string" ? `story.yaml:${problem}` : expect.stringMatching(problem);
    expect(await wrongIn(lines("name: X", "timeline:", `  - ${entry}`))).toEqual([expected]);
  });

  test("can omit fields that default to records of given", async () => {
    const made = "name: X\ngiven: { virtual_accounts: [{}] }\n";
    const entry = "timeline: [{ after: 30s, do: simulate_payment, with: { amount: 2500 } }]\n";
    expect(await parse(made + entry)).toMatchObject({ timeline: [{ after: "30s" }] });
    expect(await wrongIn(`name: X\n${entry}`)).toEqual([
      "story.yaml:2:48: timeline.0.with.virtual_account_id: is required",
    ]);
  });
});

describe("a step", () => {
  test.each([
    [
      "of no kind",
      "{}",
      /^story\.yaml:3:5: steps\.0: is none of call, advance, receive, webhook, .*control$/,
    ],
    [
      "of a kind that there is not",
      "{ cal: GET /v1/balance }",
      /3:5: steps\.0: is none of call, .*; the nearest is call$/,
    ],
    [
      "of two kinds",
      "{ call: GET /v1/balance, advance: 1h }",
      /3:5: steps\.0: has the keys of several steps; a step is one of call, /,
    ],
    [
      "that only says something",
      "{ say: hello, as: greeting }",
      /3:5: steps\.0: does nothing: in addition to say and as, it needs one of call, .*control$/,
    ],
    [
      "whose status no reply can have",
      '{ call: GET /v1/balance, expect: { status: "200" } }',
      /3:40: steps\.0\.expect\.status: must be a number such as 200, or a pattern such as .*; got "200"$/,
    ],
    ["that is a text", "just wait", '3:5: steps.0: must be an object; got "just wait"'],
    [
      "whose route there is not",
      "{ call: GET /v1/balances }",
      "3:7: steps.0.call: the service has no GET /v1/balances; the nearest is GET /v1/balance",
    ],
    [
      "with the wrong method",
      "{ call: DELETE /v1/balance }",
      /3:7: steps\.0\.call: the service has no DELETE \/v1\/balance; the nearest is GET \/v1\/balance/,
    ],
    [
      "whose control route there is not",
      "{ control: GET /acount }",
      "3:7: steps.0.control: the control API has no GET /acount; the nearest is GET /account",
    ],
    [
      "whose event there is not",
      "{ webhook: payout.pad }",
      "3:7: steps.0.webhook: there is no such event; the nearest is payout.paid",
    ],
    [
      "that receives events that there are not",
      "{ receive: { events: [payout.paid, payout.pad] } }",
      "3:40: steps.0.receive.events.1: there is no such event; the nearest is payout.paid",
    ],
    [
      "that answers as nobody does",
      "{ receive: { answers: [] } }",
      /3:18: steps\.0\.receive\.answers: must have at least 1 item/,
    ],
    [
      "that goes on to nowhere",
      "{ advance: tomorrow }",
      "3:7: steps.0.advance: must be a duration such as 24h, next, or an ISO 8601 time",
    ],
    [
      "with a channel that there is not",
      "{ inbox: { channel: fax } }",
      '3:16: steps.0.inbox.channel: must be one of sms, chat, email; got "fax"',
    ],
    [
      "with a pattern that is none",
      "{ call: GET /v1/balance, expect: { body: { balance: /(/ } } }",
      /3:48: steps\.0\.expect\.body\.balance: invalid regular expression: missing closing \)/,
    ],
    [
      "with a type that is none",
      "{ call: GET /v1/balance, expect: { body: { balance: <nmber> } } }",
      /3:48: steps\.0\.expect\.body\.balance: there is no type <nmber>; the nearest is <number>/,
    ],
    [
      "that goes on by a number",
      "{ advance: 5 }",
      "3:7: steps.0.advance: must be a string; got 5; a duration, such as 5s",
    ],
    [
      "with a name of nothing",
      `{ call: "GET /v1/audits/${ref("site.id")}" }`,
      `3:7: steps.0.call: ${ref("site.id")} is not known yet; there is given, key, url, now`,
    ],
    [
      "with a section that is not there",
      `{ record: "${ref("given.payments.0.id")}" }`,
      `3:7: steps.0.record: ${ref("given.payments.0.id")} names nothing: given makes nothing`,
    ],
    [
      "that takes a name that is there",
      "{ call: GET /v1/balance, as: given }",
      "3:30: steps.0.as: given is a built-in name",
    ],
    [
      "with a name that is none",
      "{ call: GET /v1/balance, as: The Balance }",
      /3:30: steps\.0\.as: must match/,
    ],
  ])("%s", async (_what, step, problem) => {
    const expected = typeof problem === "string" ? `story.yaml:${problem}` : expect.stringMatching(problem);
    expect(await wrongIn(lines("name: X", "steps:", `  - ${step}`))).toEqual([expected]);
  });

  test("can refer to the result of an earlier step, but not to that of a later one", async () => {
    const named = "- { call: GET /v1/balance, as: before }";
    const uses = `- { call: GET /v1/balance, expect: { body: { balance: "${ref("before.balance")}" } } }`;
    expect(await parse(lines("name: X", "steps:", named, uses))).toMatchObject({
      steps: [{ as: "before" }, {}],
    });
    expect(await wrongIn(lines("name: X", "steps:", uses, named))).toEqual([
      `story.yaml:3:46: steps.0.expect.body.balance: ${ref("before.balance")} is not known yet; there is given, key, url, now`,
    ]);
  });
});

describe("references", () => {
  test.each([
    [
      "of given to what comes later",
      `name: X\ngiven:\n  payments: [{ virtual_account_id: "${ref("given.payouts.0.id")}" }]\n  payouts: [{}]\n`,
      /^story\.yaml:3:16: given\.payments\.0\.virtual_account_id: \$\{given\.payouts\.0\.id\} names nothing: given makes business, payout_account, virtual_accounts, payments$/,
    ],
    [
      "of rules to steps",
      `name: X\nrules: [{ on: createPayout, outcome: failed, when: { body: { amount: "${ref("before.amount")}" } } }]\n`,
      `story.yaml:2:62: rules.0.when.body.amount: ${ref("before.amount")} is not known yet; there is given`,
    ],
    [
      "of the timeline to steps",
      `name: X\ntimeline: [{ after: 1s, do: move_record, with: { id: "${ref("payout.id")}", move: reject } }]\n`,
      `story.yaml:2:50: timeline.0.with.id: ${ref("payout.id")} is not known yet; there is given`,
    ],
  ])("%s are refused", async (_what, text, problem) => {
    expect(await wrongIn(text)).toEqual([
      typeof problem === "string" ? problem : expect.stringMatching(problem),
    ]);
  });
});

describe("rules are checked as those of the control API", () => {
  test.each([
    [
      "an operation that there is not",
      "{ on: createPayot, outcome: rejected }",
      /3:7: rules\.0\.on: there is no operation or event "createPayot"; the nearest is createPayout/,
    ],
    [
      "an outcome that there is not",
      "{ on: createPayout, outcome: rejcted }",
      /3:25: rules\.0\.outcome: createPayout has no outcome "rejcted"/,
    ],
    [
      "a pattern that is none",
      "{ on: createPayout, outcome: rejected, when: { body: { amount: /(/ } } }",
      /3:60: rules\.0\.when\.body\.amount: invalid regular expression: missing closing \)/,
    ],
    [
      "a latency without its unit",
      "{ on: createPayout, fault: { latency: 5 } }",
      /3:34: rules\.0\.fault\.latency: must be a string or an object; got 5; a duration, such as 5s$/,
    ],
    [
      "an event that there is not",
      "{ on: webhooks, webhook: { drop: true }, when: { event: payout.payd } }",
      /3:54: rules\.0\.when\.event: there is no event "payout\.payd"; the nearest is payout\.paid/,
    ],
    [
      "a second thing",
      "{ on: createPayout, outcome: rejected, times: 1, next: [{ outcome: lost }] }",
      /3:63: rules\.0\.next\.0\.outcome: createPayout has no outcome "lost"/,
    ],
  ])("%s", async (_what, rule, problem) => {
    expect(await wrongIn(lines("name: X", "rules:", `  - ${rule}`))).toEqual([
      expect.stringMatching(problem),
    ]);
  });
});
