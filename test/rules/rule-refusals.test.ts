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
  [
    "when.outcome",
    { on, when: { outcome: "sms_faild" }, outcome },
    /startPhoneVerification has no outcome "sms_faild"; it has sent, sms_failed, /,
  ],
  [
    "when.outcome",
    { on: payouts, when: { outcome: "paid" }, webhook: { drop: true } },
    /event, data, url\.$/,
  ],
  ["when.body.a.b", { on, when: { body: { a: { b: "/(/" } } }, outcome }, /invalid regular expression/],
  ["when.headers.X-A", { on, when: { headers: { "X-A": "/[/" } }, outcome }, /invalid regular expression/],
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
  [
    "when.body.phonee",
    { on, when: { body: { phonee: "1" } }, outcome },
    /no field "phonee"; the nearest is phone\.$/,
  ],
  [
    "when.body.reference",
    { on, when: { body: { reference: null } }, outcome },
    /null never matches.*use "<absent>"/,
  ],
  ["when.body.reference", { on, when: { body: { reference: "<null>" } }, outcome }, /never matches/],
  [
    "when.body.reference",
    { on, when: { body: { reference: 7 } }, outcome },
    /7 never matches: reference is of type string/,
  ],
  ["when.body.reference", { on, when: { body: { reference: "<number>" } }, outcome }, /never matches/],
  [
    "when.body.reference",
    { on, when: { body: { reference: "/R1/i" } }, outcome },
    /no flags behind its last slash; write \(\?i\) at its beginning, as in \/\(\?i\)R1\/; the text itself is \/\/R1\/i\//,
  ],
  [
    "when.body.amount",
    { on: "createPayout", when: { body: { amount: "7000" } }, outcome: "paid" },
    /amount is of type number/,
  ],
  [
    "when.body.business_type",
    { on: "saveBusinessProfile", when: { body: { business_type: "individul" } }, fault: { latency: "1s" } },
    /business_type is "registered" or "individual"; the nearest is individual/,
  ],
  [
    "when.query.debug",
    { on, when: { query: { debug: 1 } }, outcome },
    /1 never matches: the field is sent as text; use "1"/,
  ],
  [
    "when.query.frames",
    { on: "scanVideo", when: { query: { frames: "12" } }, fault: { latency: "1s" } },
    /frames is of type integer/,
  ],
  [
    "when.query.frmes",
    { on: "scanVideo", when: { query: { frmes: 12 } }, fault: { latency: "1s" } },
    /nearest is frames/,
  ],
  [
    "when.params.id",
    { on: "connectChannel", when: { params: { id: "wac_1" } }, fault: { latency: "1s" } },
    /there is channel_id/,
  ],
  ["when.params.id", { on, when: { params: { id: "1" } }, outcome }, /no field "id"/],
  [
    "when.files.selfy",
    { on: "verifyFaceMatch", when: { files: { selfy: {} } }, fault: { latency: "1s" } },
    /nearest is selfie/,
  ],
  [
    "when.path",
    { on, when: { path: "/v1/phone/verify/check" }, outcome },
    /the path is \/v1\/phone\/verify\/start/,
  ],
  [
    "when.path",
    { on: "*", when: { path: "/v1/phone" }, fault: { latency: "1s" } },
    /no operation has this path/,
  ],
  [
    "when.data.statsu",
    { on: payouts, when: { data: { statsu: "paid" } }, webhook: { drop: true } },
    /nearest is status/,
  ],
  ["fault", { on, fault: {} }, /must have a latency, an error, a reply, a reply_after or a set/],
  [
    "webhook",
    { on: payouts, webhook: {} },
    /at least one of duplicate, delay, reorder, drop, tamper, set, earlier, lose_answer, cut_off/,
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
  [
    "fault.over",
    { on, fault: { over: "1s", latency: "1s" } },
    /needs reply: trickle or stalled; latency delays/,
  ],
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

test.each<[string, object]>([
  [
    "a field that the interface does not have",
    { body: { coupon: "X", basket: { lines: [null] } }, query: { debug: "1" } },
  ],
  ["what is left out", { body: { reference: "<absent>" }, params: { id: "<absent>" } }],
  ["any value", { body: { reference: "<any>", phone: "/\\+234.*/" } }],
  ["its path", { path: "/v1/phone/verify/start" }],
])("when may name %s", async (_what, when) => {
  expect((await add({ on, when, outcome })).status).toBe(201);
});

test("a rule on every operation may name what one of them has", async () => {
  const when = { path: "/v1/media-scan/video", query: { frames: 12 }, body: { amount: "7000", id: 5 } };
  expect((await add({ on: "*", when, fault: { latency: "1s" } })).status).toBe(201);
  const mistyped = await add({ on: "*", when: { query: { frmes: 12 } }, fault: { latency: "1s" } });
  expect(mistyped.body.error.message).toMatch(/no field "frmes"; the nearest is frames\.$/);
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
