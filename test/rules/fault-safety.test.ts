/** A fault affects only the reply that it is meant for. */
import { afterEach, describe, expect, test } from "vitest";
import { type FaultyReply, faultyReplies } from "../../src/contract/faulty-replies.js";
import type { SandboxAccount } from "../../src/index.js";
import { serviceOperations } from "../../src/service/index.js";
import { headOf } from "../support/raw.js";
import { requestOf } from "../support/requests.js";
import { post, useListeningSandbox } from "../support/sandbox.js";
import { partsOfReply, requestBytes, watch } from "../support/wire.js";

const sandbox = useListeningSandbox();
afterEach(() => expect(sandbox.warnings).toEqual([]));

const on = "startPhoneVerification";
const path = "/v1/phone/verify/start";
const body = { phone: "+2348031234567" };
const start = (account: SandboxAccount) => post(account, path, body);
const startBytes = (account: SandboxAccount) => requestBytes(account, "POST", path, body);

describe("on a pipelined connection", () => {
  const fast = (account: SandboxAccount, more = {}) =>
    requestBytes(account, "GET", "/v1/pricing", undefined, more);

  test.each(["reset_before", "reset_after"] as const)(
    "%s of the second request waits for the reply to the first",
    async (reply) => {
      const account = sandbox.account();
      await account.rules.add({ on: "getPricing", fault: { latency: "50ms" } });
      await account.rules.add({ on, fault: { reply } });
      const { text, ended } = await watch(account.baseUrl, fast(account, {}) + startBytes(account));
      expect(partsOfReply(text).head).toContain("200 OK");
      expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1);
      expect(ended).toBe("ECONNRESET");
    },
  );

  test("truncated closes the connection after its own reply", async () => {
    const account = sandbox.account();
    await account.rules.add({ on: "getPricing", fault: { latency: "50ms" } });
    await account.rules.add({ on, fault: { reply: "truncated" } });
    const { text, ended } = await watch(account.baseUrl, fast(account, {}) + startBytes(account));
    expect(text.match(/HTTP\/1\.1 (\d+)/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 201"]);
    expect(ended).toBe("end");
  });
});

test("no fault applies to HEAD, which no operation accepts", async () => {
  const account = sandbox.account();
  await account.rules.add({ on: "*", fault: { reply: "reset_before" } });
  const { text, ended } = await watch(account.baseUrl, requestBytes(account, "HEAD", "/v1/balance"));
  expect([text.split("\r\n")[0], ended]).toEqual(["HTTP/1.1 405 Method Not Allowed", "end"]);
});

test("faults of the connection are left for clients: calls of the sandbox itself use none up", async () => {
  const account = sandbox.account();
  await account.rules.add({ on, fault: { reply: "reset_before" }, times: 1 });
  await account.control("POST", "/phone/start", { phone: body.phone });
  expect(await account.rules.list()).toMatchObject([{ times: 1, used: 0 }]);
  expect(await watch(account.baseUrl, startBytes(account))).toMatchObject({ ended: "ECONNRESET" });
});

test.each(Object.keys(faultyReplies) as FaultyReply[])(
  "%s of any operation harms neither its account nor another",
  async (reply) => {
    const [account, other] = [sandbox.account(), sandbox.account()];
    const lasts = reply === "trickle" || reply === "stalled";
    const fault = { reply, latency: "1ms", ...(lasts ? { over: "5ms" } : {}) };
    const { id } = await account.rules.add({ on: "*", fault });
    for (const operation of serviceOperations) {
      const headers = { "X-Service-Key": account.key, Connection: "close" };
      const request = requestOf(operation, { headers });
      const { text, ended } = await watch(account.baseUrl, headOf(request) + request.body);
      expect(ended, operation.id).toMatch(/^(?:end|ECONNRESET)$/);
      expect(text, operation.id).not.toMatch(/^HTTP\/1\.1 500/);
    }
    expect((await account.rules.list())[0]?.used).toBeGreaterThan(20);
    expect((await start(other)).status).toBe(201);
    await account.rules.remove(id);
    expect((await start(account)).status).toBe(201);
  },
);
