/** Readiness, and the figures for Prometheus. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import request from "supertest";
import { expect, onTestFinished, test } from "vitest";
import { startSandbox } from "../../src/index.js";
import { createSandboxServer } from "../../src/sandbox.js";
import { startReceiver } from "../support/receiver.js";
import { post } from "../support/sandbox.js";
import { until } from "../support/until.js";

async function started(options: Parameters<typeof startSandbox>[0] = {}) {
  const sandbox = await startSandbox({ validateReplies: true, ...options });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

const metricsOf = async (url: string): Promise<string> => (await fetch(`${url}/metrics`)).text();

test("requests, commits and delivery attempts are counted", async () => {
  const sandbox = await started();
  const account = sandbox.account();
  const { url, close } = await startReceiver((_count, response) => response.writeHead(500).end());
  onTestFinished(close);
  await post(account, "/v1/webhooks", { url });
  await post(account, "/v1/phone/verify/start", {});
  await fetch(`${sandbox.url}/v1/nothing`);
  await account.clock.freeze();
  await account.events.trigger("payout.paid");
  await account.advance("1s");
  const reply = await fetch(`${sandbox.url}/metrics`);
  expect(reply.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  const text = await reply.text();
  for (const line of [
    'standin_requests_total{operation="registerWebhook",status="201"} 1',
    'standin_requests_total{operation="startPhoneVerification",status="400"} 1',
    'standin_requests_total{operation="unknown",status="404"} 1',
    'standin_delivery_attempts_total{result="5xx"} 2',
    "standin_accounts_in_memory 1",
  ])
    expect(text.split("\n")).toContain(line);
  expect(Number(/^standin_commits_total (\d+)$/m.exec(text)?.[1])).toBeGreaterThan(2);
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds [\d.e-]+$/m);
  const again = await metricsOf(sandbox.url);
  expect(again).toContain('standin_requests_total{operation="registerWebhook",status="201"} 1\n');
  // The figures concern no account, and open none.
  expect(again).toContain("standin_accounts_in_memory 1\n");
});

test("a closed sandbox leaves memory, also after its figures were read", async () => {
  async function closedSandbox(): Promise<WeakRef<object>> {
    const sandbox = await startSandbox();
    await metricsOf(sandbox.url);
    await sandbox.close();
    return new WeakRef(sandbox);
  }
  const closed = await closedSandbox();
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  await until("the sandbox is collected", () => {
    collectGarbage();
    return closed.deref() === undefined;
  });
});

test("the figures need the admin token where the control API does, also as a bearer token", async () => {
  const { url } = await started({ adminToken: "opensesame" });
  const status = async (headers: Record<string, string>) =>
    (await fetch(`${url}/metrics`, { headers })).status;
  expect(await status({})).toBe(401);
  expect(await status({ Authorization: "Bearer wrong" })).toBe(401);
  expect(await status({ Authorization: "Bearer opensesame" })).toBe(200);
  expect(await status({ "X-Sandbox-Admin": "opensesame" })).toBe(200);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  const off = await started({ control: "off" });
  expect((await fetch(`${off.url}/metrics`)).status).toBe(403);
});

test("a sandbox is ready until it stops", async () => {
  const sandbox = await createSandboxServer();
  const url = await sandbox.listen();
  expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ status: "ready" });
  const closing = sandbox.close();
  const { status, headers, body } = await request(sandbox.app).get("/readyz");
  expect([status, headers["retry-after"], body.error]).toMatchObject([
    503,
    "1",
    { code: "not_ready", message: "The sandbox is stopping." },
  ]);
  await closing;
});
