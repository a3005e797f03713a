/** Limits that keep a drift run harmless: its pace, its number of calls, and the operations that it may call. */
import { createServer } from "node:http";
import { expect, test } from "vitest";
import { isAllowed } from "../../src/drift/groups.js";
import { runProbes } from "../../src/drift/probes/run-probes.js";
import { describeReply, ServiceClient } from "../../src/drift/service-client.js";
import { sharedCalls } from "../../src/drift/side.js";
import { serviceOperations } from "../../src/service/index.js";
import { useListeningSandbox } from "../support/sandbox.js";
import { front, listen } from "./deviating-service.js";
import { defaults, meansFor } from "./second-sandbox.js";

const sandbox = useListeningSandbox();

const client = (options: Partial<ServiceClient["options"]> = {}) =>
  new ServiceClient({
    baseUrl: sandbox.url,
    key: sandbox.account().key,
    paceMs: 0,
    maxCalls: 10,
    sleep: async () => {},
    ...options,
  });

test("two requests start at least the pace apart", async () => {
  const waited: number[] = [];
  const service = client({ paceMs: 3_600_000, sleep: async (ms) => void waited.push(ms) });
  await service.call("getBalance");
  expect(waited).toEqual([]);
  await service.call("getBalance");
  expect(waited).toHaveLength(1);
  expect(waited[0]).toBeGreaterThan(3_000_000);
});

test("no request is sent beyond the limit of calls", async () => {
  const service = client({ maxCalls: 1 });
  await service.call("getBalance");
  await expect(service.call("getBalance")).rejects.toThrow("the limit of 1 calls is reached");
  expect(service.calls).toBe(1);
});

test("a live key calls nothing that reaches people, moves money or changes settings", async () => {
  const account = sandbox.account({ mode: "live" });
  const service = client({ key: account.key });
  await expect(service.call("createPayout", { body: { amount: 1 } })).rejects.toThrow("use a test key");
  const means = await meansFor(account);
  const ids = ["http.created", "phone.code_reuse", "business.reference_reuse", "webhooks.payload"] as const;
  const results = await runProbes(ids, defaults, { ...means, service, once: sharedCalls() });
  await means.receiver.close();
  expect(results.map(({ verdict }) => verdict)).toEqual(ids.map(() => "not testable"));
  expect(service.calls).toBe(0);
});

test("the allow-list of test keys names every operation that it may call, and no others", () => {
  const allowed = serviceOperations.filter(({ id }) => isAllowed(id, false)).map(({ id }) => id);
  expect(allowed).toEqual(serviceOperations.map(({ id }) => id));
  expect(isAllowed("resetAccount", false)).toBe(false);
});

test("a key that the service refuses ends the run instead of counting as drift", async () => {
  const service = client({ key: "svc_test_revoked" });
  await expect(service.call("getBalance")).rejects.toThrow("the service refuses the API key");
});

test("a request that comes too early is repeated once the pause that the service asks for is over", async () => {
  const account = sandbox.account();
  await account.rules.add({ on: "getBalance", outcome: "rate_limited", times: 2 });
  const waited: number[] = [];
  const service = client({ key: account.key, sleep: async (ms) => void waited.push(ms) });
  expect((await service.call("getBalance")).status).toBe(200);
  expect(waited.filter((ms) => ms >= 1_000)).toHaveLength(2);
  expect(service.calls).toBe(3);
});

test("a service that leaves three calls without an answer is called no more", async () => {
  const never = () => new Promise<void>(() => {});
  const service = client({ baseUrl: await front(sandbox.url, /./, never), timeoutMs: 100 });
  for (let call = 1; call <= 3; call++) await expect(service.call("getBalance")).rejects.toThrow("no answer");
  await expect(service.call("getBalance")).rejects.toThrow("left 3 calls without an answer");
  expect(service.calls).toBe(3);
});

test("a redirect is not followed, so that no other host gets the key, and is named", async () => {
  const asked: string[] = [];
  const other = await listen(
    createServer((request, response) => {
      asked.push(String(request.headers["x-service-key"]));
      response.end("{}");
    }),
  );
  const moved = await listen(
    createServer((request, response) => {
      response.writeHead(307, { location: `${other}${request.url}` }).end();
    }),
  );
  const reply = await client({ baseUrl: moved }).call("getBalance");
  expect([reply.status, describeReply(reply), asked]).toEqual([
    307,
    "GET /v1/balance → 307, a redirect, which is not followed",
    [],
  ]);
});
