/** Invalid rules are refused with the field, the problem, and what would be right. */
import { expect, test } from "vitest";
import { post, useSandbox } from "../support/sandbox.js";

const sandbox = useSandbox();
const on = "startPhoneVerification";
const outcome = "sms_failed";
const payouts = "payout.paid";

const add = (rule: object) => post(sandbox.account(), "/_sandbox/rules", rule);

test.each<[string, object, RegExp]>([
  [
    "on",
    { on: "startPhoneVerificatoin", outcome },
    /no operation or event "startPhoneVerificatoin".*nearest is startPhoneVerification/,
  ],
  ["on", { on: "startPhone", outcome }, /"startPhone"; the nearest is startPhoneVerification\.$/],
  ["on", { on: "payout.payed", webhook: { drop: true } }, /nearest is payout\.paid/],
  ["on", { on: "x".repeat(5000), outcome }, /^.{1,300}$/s],
  ["when.event", { on, when: { event: payouts }, outcome }, /path, params, query, headers, body, files/],
  ["when.body", { on: payouts, when: { body: {} }, webhook: { drop: true } }, /matches by event, data, url/],
  ["when.body.a.b", { on, when: { body: { a: { b: "/(/" } } }, outcome }, /invalid regular expression/],
  ["when.headers.x-a", { on, when: { headers: { "X-A": "/[/" } }, outcome }, /invalid regular expression/],
  [
    "when.body.a",
    { on, when: { body: { a: "<strng>" } }, outcome },
    /no type <strng>; the nearest is <string>; the text itself is \/<strng>\//,
  ],
  ["when.body.a", { on, when: { body: { a: "<b>" } }, outcome }, /no type <b>, there is <any>, .*<time>/],
  [
    "when.event",
    { on: "webhooks", when: { event: "payout.payd" }, webhook: { drop: true } },
    /no event "payout\.payd"; the nearest is payout\.paid/,
  ],
  [
    "when.event",
    { on: "webhooks", when: { event: "*" }, webhook: { drop: true } },
    /no event "\*"; there is verification\.completed, /,
  ],
  ["fault", { on, fault: {} }, /must have a latency, an error, a reply, a reply_after or a set/],
  [
    "webhook",
    { on: payouts, webhook: {} },
    /at least one of duplicate, delay, reorder, drop, tamper, lose_answer/,
  ],
  [
    "when.url",
    { on: payouts, when: { url: "/+/" }, webhook: { drop: true } },
    /missing argument to repetition/,
  ],
  ["outcome", { on }, /is needed, or a fault/],
  [
    "outcome",
    { on, outcome: "paid" },
    /startPhoneVerification has no outcome "paid"; it has sent, sms_failed/,
  ],
  [
    "outcome",
    { on: "*", outcome },
    /Not every operation has the outcome "sms_failed"; all have .*provider_unavailable/,
  ],
  ["webhook", { on, webhook: { drop: true } }, /takes outcome or fault; webhook is for deliveries/],
  ["webhook", { on, outcome, webhook: { drop: true } }, /takes outcome or fault/],
  ["webhook", { on: payouts }, /takes webhook or hold, and neither outcome nor fault/],
  ["hold", { on: payouts, hold: "reply" }, /must be webhook, and excludes the field webhook/],
  ["hold", { on: payouts, hold: "webhook", webhook: { drop: true } }, /excludes the field webhook/],
  ["hold", { on, hold: "webhook" }, /must be request or reply/],
  ["webhook", { on: "webhooks", webhook: { drop: true }, outcome }, /neither outcome nor fault/],
  [
    "webhook",
    { on: "webhooks", webhook: { drop: true }, fault: { latency: "1s" } },
    /neither outcome nor fault/,
  ],
  ["fault.error", { on, outcome, fault: { error: "otp_hourly_limit" } }, /exclude each other/],
  ["fault.error", { on, fault: { error: "card_declined" } }, /must be one of .*insufficient_balance/],
  ["fault.error", { on: "*", fault: { error: "otp_hourly_limit" } }, /must be one of .*rate_limited/],
  ["fault.latency", { on, fault: { latency: "soon" } }, /at most 10m such as 500ms, or documented/],
  ["fault.latency", { on, fault: { latency: "11m" } }, /at most 10m/],
  [
    "fault.latency.min",
    { on, fault: { latency: { min: "documented", max: "2s" } } },
    /at most 10m such as 500ms\.?$/,
  ],
  ["fault.latency.max", { on, fault: { latency: { min: "1s", max: "1" } } }, /at most 10m such as 500ms/],
  ["fault.latency.min", { on, fault: { latency: { min: "3s", max: "2s" } } }, /must not be above max, 2s/],
  ["fault.over", { on, fault: { reply: "trickle", over: "1h" } }, /at most 10m/],
  ["fault.over", { on, fault: { over: "1s", latency: "1s" } }, /needs reply: trickle; latency delays/],
  ["fault.over", { on, fault: { over: "1s", reply: "truncated" } }, /needs reply: trickle/],
  [
    "fault.reply_after",
    { on, fault: { reply_after: "event" } },
    /must be a duration of at most 10m such as 500ms, or webhook/,
  ],
  ["fault.reply_after", { on, fault: { reply_after: "11m" } }, /at most 10m/],
  ["fault.retry_after", { on, fault: { retry_after: 5, latency: "1s" } }, /needs an error/],
  [
    "webhook.drop",
    { on: payouts, webhook: { drop: true, duplicate: 1 } },
    /cannot be combined with other faults/,
  ],
  [
    "webhook.drop",
    { on: payouts, webhook: { drop: true, delay: "1s" } },
    /cannot be combined with other faults/,
  ],
  ["webhook.delay", { on: payouts, webhook: { delay: "a while" } }, /must be a duration such as 30s or 2h/],
  ["webhook.delay.max", { on: payouts, webhook: { delay: { min: "1s", max: "?" } } }, /must be a duration/],
  [
    "webhook.delay.min",
    { on: payouts, webhook: { delay: { min: "2h", max: "1h" } } },
    /must not be above max, 1h/,
  ],
  [
    "webhook.delay",
    { on: payouts, webhook: { delay: "1s", reorder: true } },
    /cannot be combined with reorder/,
  ],
  ["times", { on, outcome, next: [{ outcome: "sent" }] }, /is needed where another stage follows/],
  [
    "next.0.times",
    { on, outcome, times: 1, next: [{ outcome }, { outcome }] },
    /is needed where another stage follows/,
  ],
  ["next.0.outcome", { on, outcome, times: 1, next: [{ outcome: "paid" }] }, /it has sent/],
  [
    "next.1.fault.error",
    { on, outcome, times: 1, next: [{ outcome, times: 1 }, { fault: { error: "paid" } }] },
    /must be one of/,
  ],
  [
    "next.0.webhook",
    { on, outcome, times: 1, next: [{ webhook: { drop: true } }] },
    /webhook is for deliveries/,
  ],
])("%s of %j", async (param, rule, says) => {
  const { status, body } = await add(rule);
  expect([status, body.error.param]).toEqual([400, param]);
  expect(body.error.message).toMatch(says);
  expect(body.error.message).toContain(param);
  expect(body.error.message).toMatch(/[^.]\.$/);
});

test.each<[string, object]>([
  ["on", { outcome }],
  ["times", { on, outcome, times: 0 }],
  ["times", { on, outcome, times: 1.5 }],
  ["probability", { on, outcome, probability: 0 }],
  ["probability", { on, outcome, probability: 1.1 }],
  ["after", { on, outcome, after: -1 }],
  ["priority", { on, outcome, priority: "high" }],
  ["colour", { on, outcome, colour: "red" }],
  ["scenario", { on, outcome, scenario: "mine" }],
  ["when.bodies", { on, outcome, when: { bodies: {} } }],
  ["when.body", { on, outcome, when: { body: [] } }],
  ["when.headers.x-a", { on, outcome, when: { headers: { "x-a": 1 } } }],
  ["fault", { on, fault: {} }],
  ["fault.reply", { on, fault: { reply: "explode" } }],
  ["fault.retry_after", { on, fault: { error: "rate_limited", retry_after: -1 } }],
  ["webhook", { on: payouts, webhook: {} }],
  ["webhook.duplicate", { on: payouts, webhook: { duplicate: 0 } }],
  ["webhook.duplicate", { on: payouts, webhook: { duplicate: 11 } }],
  ["webhook.tamper", { on: payouts, webhook: { tamper: "everything" } }],
  ["webhook.drop", { on: payouts, webhook: { drop: false } }],
  ["next.0.when", { on, outcome, times: 1, next: [{ outcome, when: {} }] }],
])("the form of %s in %j", async (param, rule) => {
  const { status, body } = await add(rule);
  expect(status).toBe(400);
  expect(body.error.details.map((detail: { param: string }) => detail.param)).toContain(param);
});

test.each(["/payout\\..*/", "<string>", "payout.paid"])("when may name the event %s", async (event) => {
  const rule = { on: "webhooks", when: { event }, webhook: { drop: true } };
  expect((await add(rule)).status).toBe(201);
});

test("Retry-After of an error is at most a day", async () => {
  const retry = (retry_after: number) => add({ on, fault: { error: "rate_limited", retry_after } });
  expect((await retry(86_400)).status).toBe(201);
  for (const wrong of [86_401, 1e300, 1.5]) expect((await retry(wrong)).status).toBe(400);
});

test("a refused rule is not stored", async () => {
  const account = sandbox.account();
  await post(account, "/_sandbox/rules", { on, outcome: "paid" });
  expect(await account.rules.list()).toEqual([]);
});
