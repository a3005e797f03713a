/** Requests, replies and webhooks that are stopped, looked at, changed, released and dropped. */
import { afterEach, describe, expect, test } from "vitest";
import { type SandboxAccount, startSandbox } from "../../src/index.js";
import { expectedSignature, registerReceiver } from "../support/receiver.js";
import { call, type Reply, useListeningSandbox } from "../support/sandbox.js";
import { failure, start } from "./faulty-clients.js";

const sandbox = useListeningSandbox();
afterEach(() => expect(sandbox.warnings).toEqual([]));

const on = "startPhoneVerification";

/** Returns an account that holds these, and the request or reply that waits. */
async function held(kind: "request" | "reply", more: object = {}) {
  const account = sandbox.account();
  await account.rules.add({ on, hold: kind, ...more });
  const replied = start(account);
  const item = await account.held.next();
  return { account, replied, item };
}

const messages = async (account: SandboxAccount): Promise<number> => (await account.inbox.list()).length;

describe("a held request", () => {
  test("takes effect once it is released, and is listed until then", async () => {
    const { account, replied, item } = await held("request");
    expect(item).toMatchObject({
      kind: "request",
      rule: expect.stringMatching(/^rule_/),
      operation: on,
      event: null,
      method: "POST",
      target: "/v1/phone/verify/start",
      status: null,
      headers: { "x-service-key": "[redacted]" },
      body: { phone: "+2348031234567" },
    });
    expect(await account.held.list()).toEqual([item]);
    expect(await messages(account)).toBe(0);
    await account.held.release(item.id);
    const { status, headers } = await replied;
    expect([status, headers.get("X-Sandbox-Fault")]).toEqual([201, "hold=request"]);
    expect([await messages(account), await account.held.list()]).toEqual([1, []]);
  });

  test("can get another body, which is validated like any other", async () => {
    const { account, replied, item } = await held("request", { times: 1 });
    await account.held.release(item.id, { body: { phone: "08039990001" } });
    expect((await replied).body.phone).toBe("+2348039990001");
    await account.rules.add({ on, hold: "request" });
    const refused = start(account);
    const { id } = await account.held.next();
    await account.held.release(id, { body: { phone: "nobody" } });
    expect((await refused).body.error).toMatchObject({ code: "invalid_phone", param: "phone" });
  });

  test("that is dropped has never arrived: no effect, and the connection is reset", async () => {
    const { account, replied, item } = await held("request");
    const error = failure(replied);
    await account.held.drop(item.id);
    expect(await error).toMatch(/ECONNRESET|UND_ERR_SOCKET/);
    expect(await messages(account)).toBe(0);
    expect((await account.requests.list())[0]).toMatchObject({ status: null, fault: "hold=request" });
  });
});

describe("a held reply", () => {
  test("has taken effect, and gets another status, header and body", async () => {
    const { account, replied, item } = await held("reply");
    expect(item).toMatchObject({ kind: "reply", status: 201, body: { status: "pending" } });
    expect(await messages(account)).toBe(1);
    await account.held.release(item.id, {
      status: 202,
      headers: { "X-Extra": "1", "X-Request-Id": null, "Content-Type": "application/problem+json" },
      body: { strange: true },
    });
    const { status, headers, body } = await replied;
    expect([status, body]).toEqual([202, { strange: true }]);
    expect([headers.get("X-Extra"), headers.get("X-Request-Id")]).toEqual(["1", null]);
    expect(headers.get("Content-Type")).toBe("application/problem+json");
    expect((await account.requests.list())[0]).toMatchObject({ status: 202, fault: "hold=reply" });
  });

  test("can be a text that is no JSON", async () => {
    const { account, replied, item } = await held("reply");
    await account.held.release(item.id, {
      status: 502,
      headers: { "Content-Type": "text/html" },
      body: "<h1>Bad gateway",
    });
    const { status, body } = await replied;
    expect([status, body]).toEqual([502, "<h1>Bad gateway"]);
  });

  test("can be a refusal", async () => {
    const account = sandbox.account();
    await account.rules.add({ on, hold: "reply", outcome: "provider_unavailable" });
    const replied = start(account);
    const item = await account.held.next({ kind: "reply" });
    expect(item).toMatchObject({ status: 503, body: { error: { code: "provider_unavailable" } } });
    await account.held.release(item.id);
    expect((await replied).status).toBe(503);
  });

  test("that is dropped resets the connection after the request has taken effect", async () => {
    const { account, replied, item } = await held("reply");
    const error = failure(replied);
    await account.held.drop(item.id);
    expect(await error).toMatch(/ECONNRESET|UND_ERR_SOCKET/);
    expect(await messages(account)).toBe(1);
    expect((await account.requests.list())[0]).toMatchObject({
      status: 201,
      fault: "reply=reset_after, hold=reply",
    });
  });
});

describe("a held webhook", () => {
  async function heldWebhook() {
    const account = sandbox.account();
    const hook = await registerReceiver(account);
    await account.rules.add({ on: "payout.paid", hold: "webhook" });
    await account.events.trigger("payout.paid");
    return { account, hook, item: await account.held.next({ kind: "webhook" }) };
  }

  test("goes out unchanged once it is released", async () => {
    const { account, hook, item } = await heldWebhook();
    expect(item).toMatchObject({
      event: "payout.paid",
      operation: null,
      target: hook.url,
      body: { event: "payout.paid" },
    });
    expect(await account.deliveries.list()).toMatchObject([{ id: item.id, status: "pending", attempts: [] }]);
    await account.held.release(item.id);
    const [sent] = await hook.got(1);
    expect(sent?.headers["x-service-signature"]).toBe(expectedSignature(sent?.body as Buffer, hook.secret));
    expect(JSON.parse(String(sent?.body))).toEqual(item.body);
    expect(await account.held.list()).toEqual([]);
  });

  test("is signed anew when its body is changed, and the delivery log shows what was sent", async () => {
    const { account, hook, item } = await heldWebhook();
    await account.held.release(item.id, {
      body: { event: "payout.paid", data: null },
      headers: { "X-Extra": "1" },
    });
    const [sent] = await hook.got(1);
    expect(String(sent?.body)).toBe('{"event":"payout.paid","data":null}');
    expect(sent?.headers).toMatchObject({
      "x-extra": "1",
      "x-service-signature": expectedSignature(sent?.body as Buffer, hook.secret),
    });
    const log = () => account.deliveries.list({ status: "succeeded" });
    await expect.poll(log).toMatchObject([{ attempts: [{ request_body: String(sent?.body) }] }]);
  });

  test("that is dropped is not sent, and its delivery says so", async () => {
    const { account, hook, item } = await heldWebhook();
    await account.held.drop(item.id);
    const [delivery] = await account.deliveries.list();
    expect(delivery).toMatchObject({
      status: "failed",
      attempts: [{ error: "dropped by hand: nothing was sent" }],
    });
    expect(hook.received).toEqual([]);
  });

  test("does not hold up an advance, which sends it ten minutes later", async () => {
    const { account, hook, item } = await heldWebhook();
    await account.advance("9m");
    expect((await account.held.list()).map(({ id }) => id)).toEqual([item.id]);
    await account.advance("2m");
    await hook.got(1);
    expect(await account.held.list()).toEqual([]);
  });

  test("is in a snapshot, and can be released where it is restored", async () => {
    const { account, hook, item } = await heldWebhook();
    const other = sandbox.account();
    await other.restore(await account.snapshot());
    await other.clock.resume();
    await other.held.release(item.id);
    await hook.got(1);
  });
});

describe("nothing is lost", () => {
  test("when the rule is removed: what it holds is released", async () => {
    const { account, replied, item } = await held("reply");
    const hook = await registerReceiver(account);
    const rule = await account.rules.add({ on: "payout.paid", hold: "webhook" });
    await account.events.trigger("payout.paid");
    await account.rules.remove(rule.id);
    await hook.got(1);
    expect((await account.held.list()).map(({ id }) => id)).toEqual([item.id]);
    await account.rules.remove(item.rule as string);
    expect((await replied).status).toBe(201);
  });

  test("when the account is reset, and when the sandbox stops", async () => {
    const { account, replied } = await held("reply");
    await account.reset();
    expect((await replied).status).toBe(201);
    const stopping = await startSandbox();
    const own = stopping.account();
    const hook = await registerReceiver(own);
    await own.rules.add({ on, hold: "reply" });
    await own.rules.add({ on: "payout.paid", hold: "webhook" });
    await own.events.trigger("payout.paid");
    const last = start(own);
    await own.held.next({ kind: "reply" });
    await stopping.close();
    expect((await last).status).toBe(201);
    await hook.got(1);
  });

  test("when the client has gone: the request is no longer held", async () => {
    const account = sandbox.account();
    await account.rules.add({ on, hold: "reply" });
    const leaving = new AbortController();
    const replied = account.fetch("/v1/phone/verify/start", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ phone: "08031234567" }),
      signal: leaving.signal,
    });
    const { id } = await account.held.next();
    leaving.abort();
    await expect(replied).rejects.toThrow();
    await expect.poll(() => account.held.list()).toEqual([]);
    await expect(account.held.release(id)).rejects.toMatchObject({ code: "resource_not_found" });
  });
});

test("each wait returns another item, the oldest first, and ends when nothing is held", async () => {
  const account = sandbox.account();
  await account.rules.add({ on: "*", hold: "reply" });
  const replies: Promise<Reply>[] = [];
  const items: string[] = [];
  for (const path of ["/v1/balance", "/v1/pricing"]) {
    replies.push(call(account, "GET", path));
    items.push((await account.held.next()).target);
  }
  expect(items).toEqual(["/v1/balance", "/v1/pricing"]);
  await expect(account.held.next({ timeout: "10ms" })).rejects.toMatchObject({
    code: "wait_timeout",
    message: expect.stringContaining("No request, reply or webhook was held within 10 ms."),
  });
  for (const { id } of await account.held.list()) await account.held.release(id);
  expect((await Promise.all(replies)).map(({ status }) => status)).toEqual([200, 200]);
});

describe("changes that do not fit are refused, and the item stays held", () => {
  test.each<["request" | "reply", object, string, RegExp]>([
    ["request", { status: 500 }, "status", /a held request has no status/],
    ["request", { headers: { "X-A": "1" } }, "headers", /have already been read; change its body/],
    ["request", { body: [1] }, "body", /must be a JSON object/],
    ["reply", { status: 99 }, "status", /at least 200/],
    ["reply", { headers: { "two words": "1" } }, "headers.two words", /valid HTTP token/],
    ["reply", { headers: { "X-A": "a\nb" } }, "headers.X-A", /Invalid character/],
    [
      "reply",
      { headers: { "Content-Length": "1" } },
      "headers.Content-Length",
      /concerns the connection, or the length/,
    ],
    ["reply", { text: "x" }, "text", /not a field/],
  ])("%s: %j", async (kind, changes, param, problem) => {
    const { account, replied, item } = await held(kind);
    const { status, body } = await call(account, "POST", `/_sandbox/held/${item.id}/release`, changes);
    expect([status, body.error.param]).toEqual([400, param]);
    expect(body.error.message).toMatch(problem);
    await account.held.release(item.id);
    expect((await replied).status).toBe(201);
  });

  test("an unknown id", async () => {
    await expect(sandbox.account().held.drop("req_unknown")).rejects.toThrow(
      /Nothing with the id req_unknown is held; GET \/_sandbox\/held lists what is/,
    );
  });
});
