/** Activities of an account and their causes: the list, the explanation, and errors that end with recent activities. */
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { ActivityEntry, SandboxAccount } from "../../src/index.js";
import { startReceiver } from "../support/receiver.js";
import { call, post, type Reply, useSandbox } from "../support/sandbox.js";

const sandbox = useSandbox();
const phone = "+2348031234567";

const start = (account: SandboxAccount, headers: Record<string, string> = {}) =>
  call(account, "POST", "/v1/phone/verify/start", { phone }, headers);

const titles = (entries: readonly ActivityEntry[]) => entries.map(({ kind, title }) => `${kind} ${title}`);

describe("the list", () => {
  test("has a request with its effects, newest first", async () => {
    const account = sandbox.account();
    const { headers, body } = await start(account);
    const [message, move, request, ...others] = await account.activity.list();
    expect(others).toEqual([]);
    const id = headers.get("x-request-id");
    expect(request).toMatchObject({
      id,
      kind: "request",
      title: "POST /v1/phone/verify/start",
      cause: null,
      refs: { operation: "startPhoneVerification" },
      call: { status: 201, error_code: null, cost: 600 },
      wrote: expect.arrayContaining([{ table: "phone_verification", id: body.id }]),
    });
    expect(request?.call?.assumptions).toContain("phone.states");
    const [kinds, causes] = [
      [message?.kind, move?.kind],
      [message?.cause, move?.cause],
    ];
    expect(kinds.sort()).toEqual(["message", "move"]);
    expect(causes).toEqual([id, id]);
  });

  test.each([
    ["the header", { headers: { "X-Sandbox-Outcome": "provider_timeout" }, by: "header" }],
    ["nothing but the default", { headers: {}, by: "default" }],
  ])("reports that %s decided the outcome", async (_name, { headers, by }) => {
    const account = sandbox.account();
    await call(account, "POST", "/v1/verify/bvn", { bvn: "22212345678" }, headers);
    const [request] = await account.activity.list({ kind: "request" });
    expect(request?.call).toMatchObject({ decided_by: by, rule: null });
  });

  test("names the rule that decided the outcome, and charges nothing for a refusal", async () => {
    const account = sandbox.account();
    const rule = await account.rules.add({ on: "startPhoneVerification", outcome: "provider_timeout" });
    await start(account);
    const [request] = await account.activity.list({ kind: "request" });
    expect(request?.call).toMatchObject({
      status: 504,
      error_code: "provider_timeout",
      outcome: "provider_timeout",
      decided_by: "rule",
      rule: rule.id,
      cost: 0,
    });
    expect(await account.activity.list({ kind: "move" })).toEqual([]);
  });

  test("is filtered by kind, operation, status, record and text", async () => {
    const account = sandbox.account();
    const { body } = await start(account);
    await call(account, "GET", "/v1/balance");
    await call(account, "POST", "/v1/phone/verify/start", { phone: "12" });
    expect(titles(await account.activity.list({ operation: "getBalance" }))).toEqual([
      "request GET /v1/balance",
    ]);
    const refused = await account.activity.list({ kind: "request", status: 400 });
    expect(refused.map((entry) => entry.call?.error_code)).toEqual(["invalid_phone"]);
    expect((await account.activity.list({ record: body.id })).map(({ kind }) => kind)).toEqual(["move"]);
    expect((await account.activity.list({ q: "BALANCE" })).length).toBe(1);
  });

  test("is paginated", async () => {
    const account = sandbox.account();
    for (let count = 0; count < 5; count++) await call(account, "GET", `/v1/balance?page=${count}`);
    const seen: string[] = [];
    let before: string | undefined;
    do {
      const query = new URLSearchParams({ limit: "2", ...(before ? { before } : {}) });
      const page = await account.control<{ items: ActivityEntry[]; next: string | null }>(
        "GET",
        `/activity?${query}`,
      );
      seen.push(...page.items.map(({ title }) => title));
      before = page.next ?? undefined;
    } while (before);
    expect(seen).toEqual([4, 3, 2, 1, 0].map((page) => `GET /v1/balance?page=${page}`));
  });

  test("starts over when the account is reset", async () => {
    const account = sandbox.account();
    await start(account);
    await account.reset();
    expect(titles(await account.activity.list())).toEqual(["control POST /_sandbox/reset"]);
  });
});

describe("the explanation", () => {
  test("of a retried webhook leads back to the request, and that of the request to each attempt", async () => {
    const receiver = await startReceiver((count, response) => {
      response.statusCode = count === 1 ? 500 : 200;
      response.end();
    });
    onTestFinished(receiver.close);
    const account = sandbox.account();
    await post(account, "/v1/webhooks", { url: receiver.url, events: ["*"] });
    await account.clock.freeze();
    const { id } = await account.events.trigger("payout.paid");
    await account.advance("1m");
    const { activity, causes, effects } = await account.activity.explain(id);
    expect(activity).toMatchObject({ kind: "event", title: "payout.paid" });
    expect(causes.map(({ title }) => title)).toEqual(["POST /_sandbox/events"]);
    expect(effects.map(({ kind, depth, refs }) => [kind, depth, refs.event])).toEqual([
      ["attempt", 1, id],
      ["attempt", 1, id],
    ]);
    const whole = await account.activity.explain(causes[0]?.id as string);
    expect(whole.effects.map(({ kind, depth }) => [kind, depth])).toEqual([
      ["event", 1],
      ["attempt", 2],
      ["attempt", 2],
    ]);
  });

  test("of a manual attempt leads back to the call that requested it", async () => {
    const account = sandbox.account();
    await post(account, "/v1/webhooks", { url: "http://127.0.0.1:9/x", events: ["*"] });
    await account.events.trigger("payout.paid");
    await account.advance("1h");
    const [delivery] = await account.deliveries.list();
    await account.deliveries.retry(delivery?.id as string);
    await account.advance("1s");
    const [attempt] = await account.activity.list({ kind: "attempt" });
    const { causes } = await account.activity.explain(attempt?.id as string);
    expect(causes.at(-1)?.title).toBe(`POST /_sandbox/deliveries/${delivery?.id}/retry`);
  });

  test("accepts the id of a record or a message", async () => {
    const account = sandbox.account();
    const { body, headers } = await start(account);
    const message = await account.inbox.wait();
    for (const id of [body.id, message.id]) {
      const { causes } = await account.activity.explain(id);
      expect(causes.map((cause) => cause.id)).toEqual([headers.get("x-request-id")]);
    }
  });
});

describe("errors", () => {
  test("of an unmet expectation end with recent activities", async () => {
    const account = sandbox.account();
    await start(account);
    const wanted = account.requests.expect({ operation: "checkPhoneVerification" });
    await expect(wanted).rejects.toThrow(/What happened last:\n.*POST \/v1\/phone\/verify\/start 201/);
  });

  test("of a wait for a message end with recent activities", async () => {
    const account = sandbox.account();
    await call(account, "POST", "/v1/phone/verify/start", { phone: "12" });
    const waiting = account.inbox.wait({ timeout: "1ms" });
    await expect(waiting).rejects.toThrow(/POST \/v1\/phone\/verify\/start 400 invalid_phone/);
  });
});

describe("accounts", () => {
  test("are listed with their contents, and found by id without the key", async () => {
    const [account, stranger] = [sandbox.account(), sandbox.account()];
    const { headers } = await start(account);
    await account.activity.list();
    const own = await call(account, "GET", "/_sandbox/clock");
    const id = own.headers.get("x-sandbox-account") as string;
    const { items } = await stranger.control<{ items: { id: string }[] }>("GET", "/accounts");
    expect(items.find((item) => item.id === id)).toMatchObject({ mode: "test", messages: 1, requests: 1 });
    const { body } = await call(stranger, "GET", "/_sandbox/activity", undefined, {
      "X-Sandbox-Account": id,
    });
    expect(body.items.map((item: ActivityEntry) => item.id)).toContain(headers.get("x-request-id"));
  });

  test("an unknown id is refused", async () => {
    const headers = { "X-Sandbox-Account": "acct_aaaaaaaaaaaaaaaa" };
    const { status, body } = await call(sandbox.account(), "GET", "/_sandbox/clock", undefined, headers);
    expect([status, body.error.code]).toEqual([404, "resource_not_found"]);
  });
});

describe("the list of stories", () => {
  const stories = (account: SandboxAccount, query = "") =>
    account.control<{ items: ActivityEntry[]; next: string | null }>("GET", `/activity?stories=true${query}`);
  const says = ({ items }: { items: readonly ActivityEntry[] }) => items.map(({ story }) => story?.says);

  test("has a row for each call and each change that was due, with what it says and caused", async () => {
    const account = sandbox.account();
    await account.clock.freeze("2030-01-01T10:00:00Z");
    const { headers } = await start(account);
    await account.advance("10m");
    await call(account, "GET", "/v1/balance");
    const { items } = await stories(account);
    expect(says({ items })).toEqual([
      "Get the wallet balance",
      "Advance the clock",
      `The code for ${phone} expired.`,
      `A code was sent to ${phone}.`,
      "Freeze the clock",
    ]);
    expect(items[3]).toMatchObject({
      id: headers.get("x-request-id"),
      kind: "request",
      call: { status: 201 },
      story: { moves: 1, messages: 1, events: 0, webhooks: 0, undelivered: 0 },
    });
    expect(items[2]).toMatchObject({ kind: "job", cause: items[3]?.id, story: { moves: 1 } });
    const atoms = await account.activity.list();
    expect(atoms.every(({ story }) => story === undefined)).toBe(true);
  });

  test("counts a delivery once, however often it was tried, and pushes nothing out with its retries", async () => {
    const account = sandbox.account();
    await account.clock.freeze();
    const receiver = await startReceiver((_count, response) => {
      response.statusCode = 204;
      response.end();
    });
    onTestFinished(() => receiver.close());
    for (const url of [receiver.url, "http://127.0.0.1:9/"]) await post(account, "/v1/webhooks", { url });
    await account.control("POST", "/events", { event: "payment.received" });
    await account.advance("24h");
    expect((await account.activity.list({ kind: "attempt" })).length).toBeGreaterThan(4);
    const { items } = await stories(account, "&kind=event");
    expect(items).toHaveLength(1);
    expect(items[0]?.story).toMatchObject({ events: 1, webhooks: 2, undelivered: 1 });
    expect((await stories(account)).items).toHaveLength(5);
  });

  test("is filtered by everything that a story has, and paged", async () => {
    const account = sandbox.account();
    for (const number of [1, 2, 3])
      await call(account, "POST", "/v1/phone/verify/start", { phone: `${phone.slice(0, -1)}${number}` });
    expect(says(await stories(account, `&q=${encodeURIComponent(`sms to ${phone.slice(0, -1)}2`)}`))).toEqual(
      [`A code was sent to ${phone.slice(0, -1)}2.`],
    );
    expect((await stories(account, "&operation=verifyBvn")).items).toEqual([]);
    const first = await stories(account, "&limit=2");
    const rest = await stories(account, `&limit=2&before=${first.next}`);
    expect([...says(first), ...says(rest)]).toEqual(
      [3, 2, 1].map((n) => `A code was sent to ${phone.slice(0, -1)}${n}.`),
    );
    expect(rest.next).toBeNull();
  });
});

describe("after 1,000 more requests", () => {
  let account: SandboxAccount;
  let first: Reply;
  beforeAll(async () => {
    account = sandbox.account();
    await account.clock.freeze();
    await post(account, "/v1/webhooks", { url: "http://127.0.0.1:9/" });
    await account.control("POST", "/events", { event: "payment.received" });
    first = await start(account);
    await Promise.all(Array.from({ length: 1_000 }, () => account.fetch("/v1/balance")));
  });

  test("the list keeps those, and later effects of the clock still name the request that is gone", async () => {
    const all = await account.activity.list({ kind: "request", limit: 1_000 });
    expect(all.length).toBe(1_000);
    const gone = first.headers.get("x-request-id") as string;
    await expect(account.activity.explain(gone)).rejects.toThrow(/There is no activity about/);
    await account.advance("10m");
    const [expired] = await account.activity.list({ record: first.body.id, kind: "move" });
    const { causes } = await account.activity.explain(expired?.id as string);
    expect(causes[0]).toMatchObject({ kind: "job", cause: gone });
  });

  test("the list of stories has the later retries of a delivery whose event is no longer kept as one row", async () => {
    await account.advance("24h");
    const { items } = await account.control<{ items: ActivityEntry[] }>(
      "GET",
      "/activity?stories=true&kind=attempt",
    );
    expect(items).toHaveLength(1);
    expect(items[0]?.story).toMatchObject({ webhooks: 1, undelivered: 1 });
  });
});
