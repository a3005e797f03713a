import { afterEach, describe, expect, test } from "vitest";
import type { OperationId } from "../../src/index.js";
import { call, post, useListeningSandbox } from "../support/sandbox.js";
import { partsOfReply, requestBytes, watch } from "../support/wire.js";
import {
  balance,
  body,
  byNodeHttp,
  failure,
  lastStart,
  on,
  path,
  start,
  startBytes,
} from "./faulty-clients.js";

const sandbox = useListeningSandbox();
afterEach(() => expect(sandbox.warnings).toEqual([]));

describe("reset_before", () => {
  test("closes the connection without a byte, for every kind of client", async () => {
    const account = sandbox.account();
    await account.rules.add({ on, fault: { reply: "reset_before" } });
    expect(await watch(account.baseUrl, startBytes(account))).toMatchObject({
      text: "",
      ended: "ECONNRESET",
    });
    expect(await failure(start(account))).toMatch(/ECONNRESET|UND_ERR_SOCKET/);
    expect(await byNodeHttp(account)).toBe("ECONNRESET");
  });

  test("changes nothing: no charge and no message; the journal has the request", async () => {
    const account = sandbox.account();
    const before = await balance(account);
    await account.rules.add({ on, fault: { reply: "reset_before" }, times: 1 });
    await failure(start(account));
    expect(await balance(account)).toBe(before);
    expect(await account.inbox.list()).toEqual([]);
    expect(Object.keys((await account.snapshot()).state)).not.toContain("phone_verification");
    expect(await lastStart(account)).toMatchObject({
      status: null,
      error_code: null,
      fault: "reply=reset_before",
      reply: null,
    });
    expect((await start(account)).status).toBe(201);
  });
});

describe("reset_after", () => {
  test("sends no byte, although the request took effect: the code is sent and charged", async () => {
    const account = sandbox.account();
    const before = await balance(account);
    await account.rules.add({ on, fault: { reply: "reset_after" }, times: 1 });
    expect(await watch(account.baseUrl, startBytes(account))).toMatchObject({
      text: "",
      ended: "ECONNRESET",
    });
    expect(await balance(account)).toBe(before - 6);
    const { codes } = await account.inbox.wait({ to: body.phone });
    const entry = await lastStart(account);
    expect(entry).toMatchObject({ status: 201, fault: "reply=reset_after" });
    const { id } = JSON.parse(entry.reply as string);
    expect((await post(account, "/v1/phone/verify/check", { id, code: codes[0] })).body.status).toBe(
      "verified",
    );
  });

  test("is a connection reset for fetch and node:http too", async () => {
    const account = sandbox.account();
    await account.rules.add({ on, fault: { reply: "reset_after" } });
    expect(await failure(start(account))).toMatch(/ECONNRESET|UND_ERR_SOCKET/);
    expect(await byNodeHttp(account)).toBe("ECONNRESET");
    expect(await account.inbox.list()).toHaveLength(2);
  });
});

test("reset_during sends the head and part of the body, and then resets the connection", async () => {
  const account = sandbox.account();
  await account.rules.add({ on, fault: { reply: "reset_during" } });
  const { text, ended } = await watch(account.baseUrl, startBytes(account));
  const { head, announced, body: piece } = partsOfReply(text);
  expect(ended).toBe("ECONNRESET");
  expect(head).toMatch(/^HTTP\/1\.1 201 /);
  expect(head).toMatch(/^x-sandbox-fault: reply=reset_during$/im);
  expect(piece.length).toBeGreaterThan(0);
  expect(piece.length).toBeLessThan(announced);
  expect(await byNodeHttp(account)).toBe("ECONNRESET");
  expect(await failure(start(account))).not.toBe("none");
  expect(await account.inbox.list()).toHaveLength(3);
});

test("truncated closes the connection properly before the declared length is reached", async () => {
  const account = sandbox.account();
  await account.rules.add({ on, fault: { reply: "truncated" } });
  const keptAlive = requestBytes(account, "POST", path, body, {});
  const { text, ended } = await watch(account.baseUrl, keptAlive);
  const { announced, body: piece } = partsOfReply(text);
  expect(ended).toBe("end");
  expect(piece).toMatch(/^\{"id":"phv_/);
  expect(piece.length).toBe(announced >> 1);
  expect(await failure(start(account))).toBe("UND_ERR_SOCKET");
  expect(await byNodeHttp(account)).toBe("ECONNRESET");
  expect(await lastStart(account)).toMatchObject({ status: 201, fault: "reply=truncated" });
});

test("stalled sends half of the body, and keeps the connection open until the client gives up", async () => {
  const account = sandbox.account();
  await account.rules.add({ on, fault: { reply: "stalled" } });
  const giveUp = new AbortController();
  const reply = await fetch(`${account.baseUrl}${path}`, {
    method: "POST",
    headers: { "x-service-key": account.key, "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: giveUp.signal,
  });
  const reader = (reply.body as ReadableStream<Uint8Array>).getReader();
  const piece = await reader.read();
  expect(piece.value?.length).toBe(Number(reply.headers.get("content-length")) >> 1);
  const next = reader.read();
  expect(await lastStart(account)).toMatchObject({ status: 201, fault: "reply=stalled" });
  giveUp.abort();
  await expect(next).rejects.toMatchObject({ name: "AbortError" });
});

describe("malformed", () => {
  test.each<[string, OperationId, string, object | undefined]>([
    ["an object", "startPhoneVerification", path, body],
    ["an error", "startPhoneVerification", path, { phone: "+999123456789" }],
    ["a list", "listChannels", "/v1/wa/channels", undefined],
  ])("%s has its full length and is not JSON", async (_what, on, target, sent) => {
    const account = sandbox.account();
    const genuine = await call(account, sent ? "POST" : "GET", target, sent);
    await account.rules.add({ on, fault: { reply: "malformed" } });
    const { text, ended } = await watch(
      account.baseUrl,
      requestBytes(account, sent ? "POST" : "GET", target, sent),
    );
    const { head, announced, body: came } = partsOfReply(text);
    expect(ended).toBe("end");
    expect(head).toContain(`HTTP/1.1 ${genuine.status} `);
    expect(Buffer.byteLength(came)).toBe(announced);
    expect(() => JSON.parse(came)).toThrow(SyntaxError);
  });

  test("keeps the intact reply in the journal", async () => {
    const account = sandbox.account();
    await account.rules.add({ on, fault: { reply: "malformed" } });
    await watch(account.baseUrl, startBytes(account));
    const { reply, fault } = await lastStart(account);
    expect([JSON.parse(reply as string).status, fault]).toEqual(["pending", "reply=malformed"]);
  });
});

describe("trickle", () => {
  test("sends the reply in pieces over the given time, complete and unchanged", async () => {
    const account = sandbox.account();
    await account.rules.add({ on, fault: { reply: "trickle", over: "100ms" } });
    const since = performance.now();
    const { text, pieces, ended } = await watch(account.baseUrl, startBytes(account));
    expect(performance.now() - since).toBeGreaterThanOrEqual(95);
    expect(ended).toBe("end");
    expect(pieces).toBeGreaterThan(3);
    const { announced, body: came } = partsOfReply(text);
    expect(came.length).toBe(announced);
    expect(JSON.parse(came)).toMatchObject({ status: "pending" });
    expect((await start(account)).body).toMatchObject({ status: "pending" });
  });

  test("does no harm if the client disconnects meanwhile", async () => {
    const account = sandbox.account();
    await account.rules.add({ on, fault: { reply: "trickle", over: "150ms" }, times: 1 });
    const leaving = new AbortController();
    const response = await account.fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal: leaving.signal,
    });
    leaving.abort();
    await expect(response.text()).rejects.toThrow("aborted");
    expect((await start(account)).status).toBe(201);
    expect(await account.requests.list({ status: 201 })).toHaveLength(2);
  });
});
