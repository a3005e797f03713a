/** Each rule of conduct: traffic that breaks it, and traffic that comes near and must not. */
import { describe, expect, onTestFinished, test } from "vitest";
import { judgeConduct } from "../../../src/exam/conduct/judge.js";
import {
  type ConductRule,
  conductRules,
  lookFirst,
  noTimeout,
  slowReceiver,
} from "../../../src/exam/conduct/rules.js";
import { ClientCall } from "../../../src/exam/conduct/traffic.js";
import type { SandboxAccount } from "../../../src/index.js";
import { serviceOperations } from "../../../src/service/index.js";
import type { JournalEntry } from "../../../src/world/activity/request-journal.js";
import { type Delivery, tamperings } from "../../../src/world/webhooks/delivery.js";
import { openShop, type Shop } from "../../service/business/shop.js";
import { channelsPath, mainLine } from "../../service/channels/line.js";
import { freshFolder } from "../../support/folder.js";
import { startReceiver } from "../../support/receiver.js";
import { call, post, useListeningSandbox } from "../../support/sandbox.js";
import { until } from "../../support/until.js";
import { openWorld } from "../../support/world.js";

const sandbox = useListeningSandbox();
const startPath = "/v1/phone/verify/start";
const checkPath = "/v1/phone/verify/check";
const phone = "+2348031234567";
const start = (account: SandboxAccount, to = phone) => post(account, startPath, { phone: to });

/** Returns the rules that were broken, with what they are about. */
const broken = async (account: SandboxAccount): Promise<string[]> =>
  (await account.conduct()).findings.map(({ rule, about }) => `${rule}: ${about}`);

async function richShop(): Promise<{ account: SandboxAccount; shop: Shop }> {
  const account = sandbox.account();
  const shop = await openShop(account);
  await shop.settledTransfer(50_000);
  await shop.setPayoutAccount();
  return { account, shop };
}

test("a finding says what happened, why it matters, what would be right, and names its proof", async () => {
  const account = sandbox.account();
  await post(account, "/v1/business/charges", { amount: "5000" });
  const { findings } = await account.conduct();
  const [entry] = await account.requests.list();
  expect(findings).toEqual([
    {
      rule: "float-money",
      account: expect.stringMatching(/^acct_/),
      title: "An amount is a text, or has more than two decimals",
      about: "createCharge",
      happened: 'amount was "5000".',
      count: 1,
      reason: expect.stringMatching(/\.$/),
      right: expect.stringMatching(/\.$/),
      evidence: [entry?.id],
    },
  ]);
  expect((await account.control<{ findings: unknown }>("GET", "/conduct?scope=account")).findings).toEqual(
    findings,
  );
});

test("the report says how much was judged, so that no finding among no requests is told from a client that is right", async () => {
  const account = sandbox.account();
  const nothing = { findings: [], judged: { accounts: 1, requests: 0, deliveries: 0 } };
  expect(await account.conduct()).toMatchObject(nothing);
  await call(account, "GET", "/v1/balance");
  await call(account, "GET", "/v1/pricing");
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  await post(account, "/v1/webhooks", { url: receiver.url });
  await account.events.trigger("payout.paid");
  const { findings, judged } = await account.conduct();
  expect([findings, judged]).toEqual([[], { accounts: 1, requests: 3, deliveries: 1 }]);
  const all = await account.control<{ judged: { requests: number } }>("GET", "/conduct");
  expect(all.judged.requests).toBeGreaterThanOrEqual(3);
});

test("rules have ids, titles and sentences, and name operations that exist", async () => {
  const { rules } = await sandbox.account().conduct();
  expect(rules.map(({ id }) => id)).toEqual(conductRules.map(({ id }) => id));
  for (const { reason, right } of conductRules) expect(`${reason} ${right}`).toMatch(/^[A-Z].*\. [A-Z].*\.$/);
  const ids = serviceOperations.map(({ id }): string => id);
  for (const [operation, looks] of Object.entries(lookFirst))
    for (const id of [operation, ...looks]) expect(ids).toContain(id);
});

test("bodies of refused requests may be any JSON, and what else the client did is judged", async () => {
  const account = sandbox.account();
  const otp = `${channelsPath}/${(await mainLine(account)).id}/otp`;
  const odd: unknown[] = [
    { toString: 1 },
    { toString: {}, valueOf: {} },
    { constructor: null },
    [[]],
    null,
    1e300,
    true,
  ];
  for (const value of odd) {
    for (const path of [otp, `${otp}/verify`, checkPath, "/v1/business/charges"])
      for (const fields of ["id", "to", "code", "amount", "bvn", "payment_id"])
        expect((await post(account, path, { [fields]: value })).status).toBe(400);
    expect((await post(account, checkPath, JSON.stringify(value))).status).toBe(400);
  }
  await post(account, "/v1/business/charges", { amount: "5000" });
  const { findings, failed } = await account.conduct();
  expect(failed).toEqual([]);
  expect(findings.map(({ rule, happened }) => `${rule}: ${happened}`)).toEqual([
    'float-money: amount was "5000".',
  ]);
});

test("replies that a rule has changed may hold any JSON", async () => {
  const account = sandbox.account();
  await account.rules.add({ on: "checkPhoneVerification", fault: { set: { status: { toString: 1 } } } });
  const { id } = (await start(account)).body;
  await post(account, checkPath, { id, code: "111111" });
  expect((await account.conduct()).failed).toEqual([]);
});

test("a rule that fails is named with its error and judges nothing, while the others judge", async () => {
  const account = await openWorld(freshFolder()).account("svc_test_conduct");
  const failing: ConductRule = {
    ...slowReceiver,
    judge() {
      throw new TypeError("no such field");
    },
  };
  const finding: ConductRule = {
    ...noTimeout,
    judge: () => [{ about: "getBalance", happened: "It waited.", evidence: [] }],
  };
  const { findings, failed } = await judgeConduct(account, [failing, finding]);
  expect(failed).toEqual([{ rule: failing, error: "TypeError: no such field" }]);
  expect(findings.map(({ rule }) => rule)).toEqual([finding]);
});

describe("ignored-retry-after", () => {
  const limited = { error: "rate_limited", retry_after: 60 } as const;

  test("is a repetition before the time has passed", async () => {
    const account = sandbox.account();
    await account.rules.add({ on: "verifyBvn", fault: limited, times: 1 });
    for (let i = 0; i < 2; i++) await post(account, "/v1/verify/bvn", { bvn: "22301948576" });
    expect(await broken(account)).toEqual(["ignored-retry-after: verifyBvn"]);
  });

  test("is not another request, one without the header, or any under a clock that was set", async () => {
    const account = sandbox.account();
    await account.rules.add({ on: "verifyBvn", fault: limited, times: 1 });
    await post(account, "/v1/verify/bvn", { bvn: "22301948576" });
    await post(account, "/v1/verify/bvn", { bvn: "22222222220" });
    await account.rules.add({ on: "verifyBvn", outcome: "provider_unavailable", times: 1 });
    for (let i = 0; i < 2; i++) await post(account, "/v1/verify/bvn", { bvn: "22222222222" });
    expect(await broken(account)).toEqual([]);
    const advanced = sandbox.account();
    await advanced.rules.add({ on: "verifyBvn", fault: limited, times: 1 });
    await post(advanced, "/v1/verify/bvn", { bvn: "22301948576" });
    await advanced.advance("1m");
    await post(advanced, "/v1/verify/bvn", { bvn: "22301948576" });
    expect(await broken(advanced)).toEqual([]);
  });
});

describe("no-backoff", () => {
  test("is three attempts within a second of a 503", async () => {
    const account = sandbox.account();
    await account.rules.add({ on: "startPhoneVerification", outcome: "provider_unavailable", times: 2 });
    for (let i = 0; i < 3; i++) await start(account);
    expect(await broken(account)).toEqual(["no-backoff: startPhoneVerification"]);
  });

  test("is not two attempts, other requests in between, or a frozen clock", async () => {
    const account = sandbox.account();
    await account.rules.add({ on: "startPhoneVerification", outcome: "provider_unavailable", times: 3 });
    for (let i = 0; i < 2; i++) await start(account);
    await start(account, "+2348031234568");
    expect(await broken(account)).toEqual([]);
    const frozen = sandbox.account();
    await frozen.clock.freeze();
    await frozen.rules.add({ on: "startPhoneVerification", outcome: "provider_unavailable", times: 2 });
    for (let i = 0; i < 3; i++) await start(frozen);
    expect(await broken(frozen)).toEqual([]);
  });
});

describe("repeated-after-unknown", () => {
  const lost = { on: "createPayout", fault: { reply: "truncated" }, times: 1 } as const;
  const payOut = (shop: Shop) => shop.ask("POST", "/payouts", { amount: 7_000 }).catch(() => null);

  test("is a payout that is made again after its reply was cut off", async () => {
    const { account, shop } = await richShop();
    await account.rules.add(lost);
    await payOut(shop);
    await payOut(shop);
    expect(await broken(account)).toEqual(["repeated-after-unknown: createPayout"]);
  });

  test.each([
    ["released as 504", (id: string) => ({ id, changes: { status: 504 } })],
    ["dropped", (id: string) => ({ id, changes: null })],
  ])("is a payout that is made again after its held reply was %s", async (_how, end) => {
    const { account, shop } = await richShop();
    await account.rules.add({ on: "createPayout", hold: "reply", times: 1 });
    const first = payOut(shop);
    const { id, changes } = end((await account.held.next()).id);
    await (changes === null ? account.held.drop(id) : account.held.release(id, changes));
    await first;
    await payOut(shop);
    expect(await broken(account)).toEqual(["repeated-after-unknown: createPayout"]);
  });

  test("is not one whose held reply is released as it is, or as a refusal that was meant", async () => {
    const { account, shop } = await richShop();
    await account.rules.add({ on: "createPayout", hold: "reply", times: 1 });
    const first = payOut(shop);
    await account.held.release((await account.held.next()).id);
    await first;
    await account.rules.add({ on: "createPayout", fault: { error: "internal_error" }, times: 1 });
    await payOut(shop);
    await payOut(shop);
    expect(await broken(account)).toEqual([]);
  });

  test("is not one after a look at the events, nor one whose request never arrived", async () => {
    const { account, shop } = await richShop();
    await account.rules.add(lost);
    await payOut(shop);
    await shop.ask("GET", "/events");
    await payOut(shop);
    await account.rules.add({ on: "createPayout", fault: { reply: "reset_before" }, times: 1 });
    await payOut(shop);
    await payOut(shop);
    expect(await broken(account)).toEqual([]);
  });
});

describe("held-as-paid", () => {
  test("is a refund of a payment that the last reply showed as held", async () => {
    const { account, shop } = await richShop();
    const { payment_id } = await shop.transfer(5_000);
    await shop.move(payment_id, "raise_issue");
    await shop.payments();
    await shop.refund(payment_id).catch(() => null);
    expect(await broken(account)).toEqual(["held-as-paid: createRefund"]);
  });

  test("is not a refund once the payment was seen as released", async () => {
    const { account, shop } = await richShop();
    const { payment_id } = await shop.transfer(5_000);
    await shop.move(payment_id, "raise_issue");
    await shop.payments();
    await shop.move(payment_id, "resolve_issue");
    await shop.payments();
    await shop.refund(payment_id);
    expect(await broken(account)).toEqual([]);
  });
});

describe("busy-polling", () => {
  const read = async (account: SandboxAccount, times: number) => {
    for (let i = 0; i < times; i++) await call(account, "GET", "/v1/business/payments");
  };

  test("is five reads in a row of what a webhook would tell", async () => {
    const { account } = await richShop();
    await post(account, "/v1/webhooks", { url: "http://127.0.0.1:9/" });
    await read(account, 5);
    // Settling the first payment has set the clock, before these reads.
    expect(await broken(account)).toEqual(["busy-polling: listPayments"]);
  });

  test("is not without a webhook endpoint, and not while the reads show something new", async () => {
    const { account, shop } = await richShop();
    await read(account, 6);
    expect(await broken(account)).toEqual([]);
    await post(account, "/v1/webhooks", { url: "http://127.0.0.1:9/", events: ["payout.paid"] });
    const other = await richShop();
    await post(other.account, "/v1/webhooks", { url: "http://127.0.0.1:9/", events: ["payout.paid"] });
    for (let i = 0; i < 3; i++) {
      await read(other.account, 2);
      await other.shop.transfer(5_000);
    }
    expect(await broken(other.account)).toEqual([]);
    void shop;
  });

  test("is not a read that a webhook causes", async () => {
    const { account } = await richShop();
    const heard = await startReceiver((_count, response) => response.writeHead(200).end());
    onTestFinished(() => heard.close());
    await post(account, "/v1/webhooks", { url: heard.url, events: ["payout.paid"] });
    for (let count = 1; count <= 6; count++) {
      await account.events.trigger("payout.paid");
      await until("the webhook has arrived", () => heard.received.length === count);
      await read(account, 1);
    }
    expect(await broken(account)).toEqual([]);
    await read(account, 5);
    expect(await broken(account)).toEqual(["busy-polling: listPayments"]);
  });
});

describe("stale-code", () => {
  test("is a check after the service has said that the code has expired", async () => {
    const account = sandbox.account();
    const { id } = (await start(account)).body;
    await account.advance("11m");
    for (const code of ["111111", "222222"]) await post(account, checkPath, { id, code });
    expect(await broken(account)).toEqual(["stale-code: checkPhoneVerification"]);
  });

  test("is a check on a channel after the lock, until another code is sent", async () => {
    const account = sandbox.account();
    const line = await mainLine(account);
    const { wrong } = await line.code();
    for (let i = 0; i < 6; i++) await line.check(wrong);
    expect(await broken(account)).toEqual([]);
    await line.check(wrong);
    expect(await broken(account)).toEqual(["stale-code: checkChannelCode"]);
  });

  test("is not a check that is repeated as it was after 429", async () => {
    const account = sandbox.account();
    const { id } = (await start(account)).body;
    const fault = { error: "too_many_attempts", retry_after: 0 } as const;
    await account.rules.add({ on: "checkPhoneVerification", fault, times: 1 });
    for (let i = 0; i < 2; i++) await post(account, checkPath, { id, code: "111111" });
    expect(await broken(account)).toEqual([]);
    await post(account, checkPath, { id, code: "222222" });
    expect(await broken(account)).toEqual(["stale-code: checkPhoneVerification"]);
  });

  test("is not a check after a reply that was lost", async () => {
    const account = sandbox.account();
    const { id } = (await start(account)).body;
    await account.advance("11m");
    await account.rules.add({ on: "checkPhoneVerification", fault: { reply: "timeout_after" }, times: 1 });
    for (let i = 0; i < 2; i++) await post(account, checkPath, { id, code: "111111" });
    expect(await broken(account)).toEqual([]);
    await post(account, checkPath, { id, code: "222222" });
    expect(await broken(account)).toEqual(["stale-code: checkPhoneVerification"]);
  });

  test("is not a check that learns of the expiry, nor one of a new code", async () => {
    const account = sandbox.account();
    const line = await mainLine(account);
    const { wrong } = await line.code();
    await account.advance("11m");
    await line.check(wrong);
    await line.check((await line.code()).code);
    const { id } = (await start(account)).body;
    await account.advance("11m");
    await post(account, checkPath, { id, code: "111111" });
    await post(account, checkPath, { id: (await start(account)).body.id, code: "111111" });
    expect(await broken(account)).toEqual([]);
  });
});

async function receiver(account: SandboxAccount, statuses: readonly number[]): Promise<void> {
  const hook = await startReceiver((count, response) => {
    response.statusCode = statuses[count - 1] ?? 200;
    response.end();
  });
  onTestFinished(() => hook.close());
  await post(account, "/v1/webhooks", { url: hook.url });
}

describe("receiver-errors-on-duplicate", () => {
  test("is a receiver that accepts an event once and refuses it later", async () => {
    const account = sandbox.account();
    await receiver(account, [200, 409]);
    await account.events.trigger("payout.paid");
    await account.advance("0s");
    const [{ id } = { id: "" }] = await account.deliveries.list();
    await account.deliveries.retry(id);
    await account.advance("1s");
    expect(await broken(account)).toEqual(["receiver-errors-on-duplicate: payout.paid"]);
  });

  test("is not a receiver that asks for a copy again while it is at work on the first one", async () => {
    const account = sandbox.account();
    let answerFirst = () => {};
    const hook = await startReceiver((count, response) => {
      const answer = (status: number) => response.writeHead(status).end();
      if (count === 1) answerFirst = () => answer(200);
      else if (count > 2) answer(200);
      else {
        response.once("finish", () => setTimeout(answerFirst, 20));
        answer(503);
      }
    });
    onTestFinished(hook.close);
    await post(account, "/v1/webhooks", { url: hook.url });
    await account.rules.add({ on: "payout.paid", webhook: { duplicate: 1 } });
    await account.events.trigger("payout.paid");
    await account.advance("1s");
    expect(hook.received).toHaveLength(3);
    expect(await broken(account)).toEqual([]);
  });

  test("is not a receiver that fails first, nor one that refuses a forged copy", async () => {
    const account = sandbox.account();
    await receiver(account, [500, 200, 401, 200]);
    await account.events.trigger("payout.paid");
    await account.advance("1s");
    await account.rules.add({ on: "payout.failed", webhook: { tamper: "signature" } });
    await account.events.trigger("payout.failed");
    await account.advance("1s");
    expect(await broken(account)).toEqual([]);
  });

  test("is not a refusal of an older event that arrives last", async () => {
    const account = sandbox.account();
    await receiver(account, [200, 409]);
    await account.rules.add({ on: "payout.paid", webhook: { earlier: { "data.status": "requested" } } });
    await account.events.trigger("payout.paid");
    await account.advance("0s");
    expect(await broken(account)).toEqual([]);
  });
});

describe("secret-in-url", () => {
  test.each(["/v1/balance?bvn=22301948576", "/v1/balance?code=123456", "/v1/balance?ref=svc_test_other_key"])(
    "is %s",
    async (path) => {
      const account = sandbox.account();
      await call(account, "GET", path);
      expect(await broken(account)).toEqual(["secret-in-url: getBalance"]);
    },
  );

  test("is a path with a number that was verified, and not any other number", async () => {
    const account = sandbox.account();
    await call(account, "GET", "/v1/balance?order=22301948576");
    expect(await broken(account)).toEqual([]);
    await post(account, "/v1/verify/bvn", { bvn: "22301948576" });
    expect(await broken(account)).toEqual(["secret-in-url: getBalance"]);
  });
});

describe("accepted-forgery", () => {
  test.for(tamperings)("is a 2xx to a webhook that is forged by its %s", async (tamper) => {
    const account = sandbox.account();
    await receiver(account, [204]);
    await account.rules.add({ on: "payout.paid", webhook: { tamper } });
    await account.events.trigger("payout.paid");
    await account.advance("0s");
    expect(await broken(account)).toEqual(["accepted-forgery: payout.paid"]);
  });

  test("is not a refusal of it, nor an answer to the genuine one that follows", async () => {
    const account = sandbox.account();
    await receiver(account, [401, 200]);
    await account.rules.add({ on: "payout.paid", webhook: { tamper: "signature" } });
    await account.events.trigger("payout.paid");
    await account.advance("1m");
    expect(await broken(account)).toEqual([]);
  });
});

test("float-money is an amount that a sum of fractions is off by the last bit", async () => {
  const account = sandbox.account();
  for (const amount of [100.1, 330.3, 4_503_599_627_370.49, 1e21, -0.07])
    await post(account, "/v1/business/charges", { amount });
  expect(await broken(account)).toEqual([]);
  for (const amount of [100.100_000_000_000_01, 330.299_999_999_999_95])
    await post(account, "/v1/business/charges", { amount });
  const { findings } = await account.conduct();
  expect(findings.map(({ rule, count, happened }) => [rule, count, happened])).toEqual([
    ["float-money", 2, "amount was 100.10000000000001."],
  ]);
});

test("float-money is an amount with three decimals, and not one with two", async () => {
  const { account, shop } = await richShop();
  await shop.ask("POST", "/payouts", { amount: 7_000.25 });
  expect(await broken(account)).toEqual([]);
  await shop.ask("POST", "/payouts", { amount: 7_000.255 });
  expect(await broken(account)).toEqual(["float-money: createPayout"]);
});

test("no-timeout and slow-receiver are silent about replies and answers in time", async () => {
  const account = sandbox.account();
  await receiver(account, [200]);
  await account.rules.add({ on: "*", fault: { latency: "50ms" } });
  await start(account);
  await account.events.trigger("payout.paid");
  await account.advance("0s");
  expect(await broken(account)).toEqual([]);
});

test("all accounts are judged by default, each finding with its account", async () => {
  const account = sandbox.account();
  await call(account, "GET", "/v1/balance?code=123456");
  const { findings } = await account.control<{ findings: { account: string }[] }>("GET", "/conduct");
  const { id } = await account.control<{ id: string }>("GET", "/account");
  expect(findings.filter((one) => one.account === id)).toHaveLength(1);
  expect(findings.length).toBeGreaterThan(1);
});

describe("rules about long waits, by traffic that would take a minute to make", () => {
  const entryOf = (duration_ms: number, fault: string | null, operation: string) =>
    ({
      id: "req_1",
      operation,
      status: 200,
      duration_ms,
      asked_fault: fault,
      at: 0,
    }) as JournalEntry;
  const waits = (duration_ms: number, fault: string | null, operation = "getBalance") =>
    noTimeout.judge({
      calls: [new ClientCall(entryOf(duration_ms, fault, operation), true, 0)],
      deliveries: [],
      wasFrozen: false,
      hasEndpoint: false,
    });
  const answers = (duration_ms: number, status: number | null) => {
    const attempts = [{ status, duration_ms }];
    const deliveries = [{ id: "dlv_1", event: "payout.paid", attempts } as unknown as Delivery];
    return slowReceiver.judge({ calls: [], deliveries, wasFrozen: false, hasEndpoint: true });
  };

  test("no-timeout is a wait of more than 60 s for a reply that a rule delays, not a slow conversion", () => {
    expect(waits(61_000, "latency=2m")).toMatchObject([
      { about: "getBalance", happened: "It waited 61 s for its reply." },
    ]);
    expect([waits(59_000, "latency=2m"), waits(61_000, null)]).toEqual([[], []]);
  });

  test("no-timeout is silent for two minutes about an audit", () => {
    expect(waits(119_000, "reply_after=65s", "createAudit")).toEqual([]);
    expect(waits(121_000, "reply_after=65s", "createAudit")).toMatchObject([{ about: "createAudit" }]);
  });

  test("slow-receiver is an answer after 5 s, or none at all by then, and not one in time", () => {
    expect(answers(5_200, 200)).toMatchObject([
      { about: "payout.paid", happened: "The receiver answered after 5.2 s.", isMild: true },
    ]);
    const happened = "The receiver had not answered after 10 s.";
    expect(answers(10_000, null)).toEqual([
      { about: "payout.paid", happened, evidence: ["dlv_1"], isMild: false },
    ]);
    expect([answers(4_900, 200), answers(20, null)]).toEqual([[], []]);
  });
});
