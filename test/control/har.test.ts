/** The requests of an account as an HTTP archive. */
import { expect, test } from "vitest";
import { call, fetchFrom, post, useSandbox } from "../support/sandbox.js";

const sandbox = useSandbox();

const headerOf = ({ headers }: { headers: { name: string; value: string }[] }, wanted: string) =>
  headers.find(({ name }) => name === wanted)?.value;

interface Har {
  log: {
    version: string;
    creator: { name: string };
    // biome-ignore lint/suspicious/noExplicitAny: the assertions check the entries
    entries: any[];
  };
}

test("has each request with its reply, the oldest first, in the form that HAR 1.2 asks for", async () => {
  const account = sandbox.account();
  await post(account, "/v1/phone/verify/start", { phone: "08031234567" });
  await call(account, "GET", "/v1/usage?from=2026-01-01&to=2026-01-31");
  await call(account, "GET", "/v1/audits/aud_of_nobody");
  const { log } = await account.control<Har>("GET", "/export/har");
  expect([log.version, log.creator.name, log.entries.length]).toEqual(["1.2", "Standin", 3]);
  const [start, usage, unknown] = log.entries;
  expect(start).toMatchObject({
    startedDateTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    time: expect.any(Number),
    request: {
      method: "POST",
      url: expect.stringMatching(/^http:\/\/.*\/v1\/phone\/verify\/start$/),
      httpVersion: "HTTP/1.1",
      cookies: [],
      queryString: [],
      postData: { mimeType: "application/json", text: '{"phone":"08031234567"}' },
      headersSize: -1,
      bodySize: -1,
    },
    response: {
      status: 201,
      statusText: "Created",
      content: { mimeType: "application/json; charset=utf-8", text: expect.stringMatching(/"phv_/) },
      redirectURL: "",
    },
    cache: {},
    timings: { send: 0, wait: expect.any(Number), receive: 0 },
    comment: "startPhoneVerification",
  });
  expect(usage.request.queryString).toEqual([
    { name: "from", value: "2026-01-01" },
    { name: "to", value: "2026-01-31" },
  ]);
  expect(unknown.response).toMatchObject({ status: 404, statusText: "Not Found" });
});

test("has no key, code, identity number or webhook secret", async () => {
  const account = sandbox.account();
  const { secret } = (await post(account, "/v1/webhooks", { url: "http://127.0.0.1:9/" })).body;
  const { id } = (await post(account, "/v1/phone/verify/start", { phone: "08031234567" })).body;
  const [code] = (await account.inbox.wait()).codes as [string];
  await post(account, "/v1/phone/verify/check", { id, code });
  await post(account, "/v1/verify/bvn", { bvn: "22301948576" });
  await call(account, "GET", `/v1/balance?code=${code}&api_key=${account.key}`);
  const text = JSON.stringify(await account.control<Har>("GET", "/export/har"));
  for (const hidden of [account.key, secret, code, "22301948576"]) expect(text).not.toContain(hidden);
});

test("requests are in the order in which they arrived, each with the time of its arrival", async () => {
  const account = sandbox.account();
  await account.clock.freeze("2026-03-01T09:00:00Z");
  await account.rules.add({ on: "getBalance", hold: "reply" });
  const slow = call(account, "GET", "/v1/balance");
  const held = await account.held.next();
  await account.advance("1m");
  await call(account, "GET", "/v1/pricing");
  await account.held.release(held.id);
  await slow;
  const { log } = await account.control<Har>("GET", "/export/har");
  expect(log.entries.map(({ comment, startedDateTime }) => [comment, startedDateTime])).toEqual([
    ["getBalance", "2026-03-01T09:00:00.000Z"],
    ["getPricing", "2026-03-01T09:01:00.000Z"],
  ]);
  // The list shows last what was answered first.
  expect((await account.requests.list()).map(({ operation, at }) => [operation, at])).toEqual([
    ["getBalance", "2026-03-01T09:00:00.000Z"],
    ["getPricing", "2026-03-01T09:01:00.000Z"],
  ]);
});

test("a reply has its headers, type and size as they were sent, also of a picture, a refusal and a fault", async () => {
  const account = sandbox.account();
  const logo = { company_name: "Ada", style: "badge", primary_color: "#123456", secondary_color: "#ffffff" };
  const drawn = await fetchFrom(account, "/v1/tools/generate-logo", {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Service-Key": account.key },
    body: JSON.stringify({ ...logo, size: 256 }),
  });
  const { length } = new Uint8Array(await drawn.arrayBuffer());
  await call(account, "GET", "/v1/audits/aud_of_nobody");
  await account.rules.add({ on: "getBalance", outcome: "rate_limited", hold: "reply" });
  const replied = call(account, "GET", "/v1/balance");
  const { id } = await account.held.next();
  await account.held.release(id, { headers: { Server: "edge" } });
  await replied;
  const { log } = await account.control<Har>("GET", "/export/har");
  const [picture, unknown, limited] = log.entries.map(({ response }) => response);
  expect(picture.content).toEqual({ size: length, mimeType: "image/svg+xml" });
  expect(headerOf(picture, "X-Request-Id")).toBe(drawn.headers.get("x-request-id"));
  expect(headerOf(picture, "Date")).toBe(drawn.headers.get("date"));
  expect(unknown.content).toMatchObject({ mimeType: "application/json; charset=utf-8" });
  expect(headerOf(unknown, "Content-Length")).toBe(String(unknown.content.size));
  expect(headerOf(limited, "Retry-After")).toMatch(/^\d+$/);
  expect(headerOf(limited, "Server")).toBe("edge");
});

test("a request whose connection was reset has status 0", async () => {
  const account = sandbox.account();
  await account.rules.add({ on: "getBalance", fault: { reply: "reset_before" } });
  await call(account, "GET", "/v1/balance").catch(() => {});
  const { log } = await account.control<Har>("GET", "/export/har");
  expect(log.entries[0].response).toMatchObject({
    status: 0,
    statusText: "",
    content: { size: 0 },
    headers: [],
  });
});
