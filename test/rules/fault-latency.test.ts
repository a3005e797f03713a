/** Delayed replies, as measured by the client. They never delay the end of the sandbox. */
import { describe, expect, test } from "vitest";
import { type SandboxAccount, startSandbox } from "../../src/index.js";
import { stopwatch } from "../../src/time/time.js";
import { freshFolder } from "../support/folder.js";
import { call, post, useListeningSandbox } from "../support/sandbox.js";
import { until } from "../support/until.js";
import { partsOfReply, requestBytes, watch } from "../support/wire.js";

const on = "startPhoneVerification";
const path = "/v1/phone/verify/start";
const body = { phone: "+2348031234567" };

const timed = async (account: SandboxAccount): Promise<number> => {
  const elapsed = stopwatch();
  expect((await post(account, path, body)).status).toBe(201);
  return elapsed();
};

describe("latency", () => {
  const sandbox = useListeningSandbox();

  test("takes at least the time of the rule, in real time, whether or not the clock is frozen", async () => {
    const account = sandbox.account();
    await account.clock.freeze("2030-01-01T00:00:00Z");
    await account.rules.add({ on, fault: { latency: "120ms" } });
    expect(await timed(account)).toBeGreaterThanOrEqual(120);
    await account.clock.resume();
    expect(await timed(account)).toBeGreaterThanOrEqual(120);
    expect((await account.requests.list())[0]).toMatchObject({ fault: "latency=120ms" });
  });

  test("of a range lies within it and varies", async () => {
    const account = sandbox.account();
    await account.rules.add({ on, fault: { latency: { min: "20ms", max: "150ms" } } });
    const took: number[] = [];
    while (took.length < 6) took.push(await timed(account));
    expect(Math.min(...took)).toBeGreaterThanOrEqual(20);
    expect(Math.max(...took) - Math.min(...took)).toBeGreaterThan(20);
  });

  test("of 0ms has no effect", async () => {
    const account = sandbox.account();
    await account.rules.add({ on, fault: { latency: "0ms" } });
    expect((await post(account, path, body)).headers.get("X-Sandbox-Fault")).toBe("latency=0ms");
  });

  test("documented is the time that the interface gives, and none where it gives none", async () => {
    const account = sandbox.account();
    await account.rules.add({ on: "*", fault: { latency: "documented" } });
    const elapsed = stopwatch();
    const reply = await post(account, "/v1/verify/bvn", { bvn: "22301948576" });
    expect(elapsed()).toBeGreaterThanOrEqual(400);
    expect(reply.headers.get("X-Sandbox-Fault")).toBe("latency=documented");
    expect((await call(account, "GET", "/v1/balance")).status).toBe(200);
  });

  test("delays refusals and resets too", async () => {
    const account = sandbox.account();
    await account.rules.add({ on, fault: { latency: "80ms", error: "internal_error" }, times: 1 });
    const elapsed = stopwatch();
    expect((await post(account, path, body)).status).toBe(500);
    expect(elapsed()).toBeGreaterThanOrEqual(80);
    await account.rules.add({ on, fault: { latency: "80ms", reply: "reset_before" } });
    const again = stopwatch();
    const seen = await watch(account.baseUrl, requestBytes(account, "POST", path, body));
    expect([seen.text, seen.ended, again() >= 80]).toEqual(["", "ECONNRESET", true]);
  });

  test("delays no other request, and the delayed request takes effect at the end", async () => {
    const account = sandbox.account();
    await account.rules.add({ on, fault: { latency: "150ms" } });
    const waiting = timed(account);
    expect((await call(account, "GET", "/v1/balance")).body.balance).toBe(1_000_000);
    await account.advance("1h");
    expect(await account.inbox.list()).toEqual([]);
    await waiting;
    expect(await account.inbox.list()).toHaveLength(1);
  });

  test("beyond the client's timeout does not stop the request from taking effect", async () => {
    const account = sandbox.account();
    await account.rules.add({ on, fault: { latency: "100ms" }, times: 1 });
    const sent = account.fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(30),
    });
    await expect(sent).rejects.toThrow("timeout");
    await until("the code is sent", async () => (await account.inbox.list()).length === 1);
    expect(await account.requests.list({ operation: on })).toMatchObject([
      { status: 201, fault: "latency=100ms" },
    ]);
    expect(sandbox.warnings).toEqual([]);
  });
});

describe("a sandbox that stops meanwhile", () => {
  const started = async () => {
    const warnings: string[] = [];
    const data = freshFolder();
    const options = { data, validateReplies: true, warn: (message: string) => void warnings.push(message) };
    return { sandbox: await startSandbox(options), warnings, options };
  };
  const key = "svc_test_stopping";

  test("answers delayed requests at once, and stores their effects", async () => {
    const { sandbox, warnings, options } = await started();
    const account = sandbox.account({ key });
    await account.rules.add({ on, fault: { latency: "10m" } });
    const waiting = watch(account.baseUrl, requestBytes(account, "POST", path, body));
    await until("the rule is used", async () => (await account.rules.list())[0]?.used === 1);
    const elapsed = stopwatch();
    await sandbox.close();
    expect(elapsed()).toBeLessThan(3_000);
    expect(partsOfReply((await waiting).text).head).toContain("201 Created");
    const again = await startSandbox(options);
    expect(await again.account({ key }).inbox.list()).toHaveLength(1);
    await again.close();
    expect(warnings).toEqual([]);
  });

  test("sends the rest of a trickling reply at once", async () => {
    const { sandbox, warnings } = await started();
    const account = sandbox.account({ key });
    await account.rules.add({ on, fault: { reply: "trickle", over: "10m" } });
    const trickling = watch(account.baseUrl, requestBytes(account, "POST", path, body));
    await until("the code is sent", async () => (await account.inbox.list()).length === 1);
    const elapsed = stopwatch();
    await sandbox.close();
    expect(elapsed()).toBeLessThan(3_000);
    const { announced, body: came } = partsOfReply((await trickling).text);
    expect([came.length, JSON.parse(came).status]).toEqual([announced, "pending"]);
    expect(warnings).toEqual([]);
  });

  test("does not wait for clients that have disconnected", async () => {
    const { sandbox, warnings } = await started();
    const account = sandbox.account({ key });
    await account.rules.add({ on, fault: { latency: "10m" } });
    const leaving = new AbortController();
    const sent = account.fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal: leaving.signal,
    });
    await until("the rule is used", async () => (await account.rules.list())[0]?.used === 1);
    leaving.abort();
    await expect(sent).rejects.toThrow("aborted");
    const elapsed = stopwatch();
    await sandbox.close();
    expect(elapsed()).toBeLessThan(3_000);
    expect(warnings).toEqual([]);
  });
});
