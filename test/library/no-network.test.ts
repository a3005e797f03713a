/** Libraries such as MSW and nock replace what sends requests, and may refuse all that a test does not expect. */
import http from "node:http";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { startSandbox } from "../../src/index.js";

const { request, get, ClientRequest } = http;
const { connect } = net.Socket.prototype;

beforeAll(() => {
  const intercept = () => {
    throw new Error("A request of the test was intercepted.");
  };
  vi.stubGlobal("fetch", async () => intercept());
  Object.assign(http, { request: intercept, get: intercept, ClientRequest: intercept });
  net.Socket.prototype.connect = intercept;
  syncBuiltinESMExports();
});

afterAll(() => {
  vi.unstubAllGlobals();
  Object.assign(http, { request, get, ClientRequest });
  net.Socket.prototype.connect = connect;
  syncBuiltinESMExports();
});

async function start() {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  return sandbox;
}

const startPhone = {
  method: "POST",
  body: '{"phone":"08031234567"}',
  headers: { "Content-Type": "application/json" },
};

test("the account's client calls the service and the control API", async () => {
  const account = (await start()).account();
  const reply = await account.fetch("/v1/phone/verify/start", startPhone);
  expect(reply.status).toBe(201);
  const { codes } = await account.inbox.wait({ to: "+2348031234567" });
  expect(codes).toHaveLength(1);
  const missing = await account.fetch("/v1/nothing");
  expect([missing.status, missing.ok]).toEqual([404, false]);
  expect((await account.fetch("/v1/balance", { method: "HEAD" })).body).toBeNull();
});

test("uploads arrive and pages are served", async () => {
  const sandbox = await start();
  const account = sandbox.account();
  await account.scenario.load("demo-day");
  const form = new FormData();
  form.set("file", new File([Buffer.alloc(3_000_000, "RIFF")], "voice.wav"));
  const upload = await account.fetch("/v1/tools/convert-audio", { method: "POST", body: form });
  expect(upload.status).toBeLessThan(500);
  const page = await account.fetch("/");
  expect([page.status, page.redirected]).toEqual([200, false]);
});

test("activities arrive as a stream, and an aborted request rejects with the reason", async () => {
  const account = (await start()).account();
  const stopped = new AbortController();
  const reply = await account.fetch("/_sandbox/stream", { signal: stopped.signal });
  const reader = (reply.body as ReadableStream<Uint8Array>).getReader();
  await account.fetch("/v1/phone/verify/start", startPhone);
  let seen = "";
  while (!seen.includes("phone")) seen += Buffer.from((await reader.read()).value as Uint8Array);
  stopped.abort(new Error("enough"));
  await expect(reader.read().then(() => reader.closed)).rejects.toThrow();
  await expect(account.fetch("/v1/balance", { signal: stopped.signal })).rejects.toThrow("enough");
});

test("a fault of the connection fails the request, and a closed sandbox does not answer", async () => {
  const sandbox = await start();
  const account = sandbox.account();
  for (const reply of ["reset_after", "truncated", "reset_during"] as const) {
    await account.rules.add({ on: "getBalance", times: 1, fault: { reply } });
    const whole = account.fetch("/v1/balance").then((found) => found.text());
    await expect(whole).rejects.toThrow(TypeError);
  }
  await sandbox.close();
  await expect(account.inbox.wait()).rejects.toThrow(/No sandbox|no sandbox|fetch failed/i);
});

test("close waits for requests in flight, and ends waits", async () => {
  const sandbox = await start();
  const account = sandbox.account();
  await account.rules.add({ on: "startPhoneVerification", fault: { latency: "300ms" } });
  const started = account.fetch("/v1/phone/verify/start", startPhone);
  const waiting = expect(account.inbox.wait({ to: "x", timeout: "60s" })).rejects.toMatchObject({
    code: "wait_timeout",
  });
  await account.inbox.list();
  await sandbox.close();
  expect((await started).status).toBe(201);
  await waiting;
});
