import { expect, test } from "vitest";
import { SandboxAccount } from "../../src/client/account/account.js";
import { ControlError, type Fetch, NoSandbox, SandboxClient } from "../../src/client/client.js";

const key = "svc_test_client";

/** A transport that records requests and answers them all with the same reply. */
function transport(body: string, init: ResponseInit = {}) {
  const sent: { url: string; method: string | undefined; headers: Headers; body: unknown }[] = [];
  const fetch: Fetch = async (url, { method, headers, body: content }) => {
    sent.push({ url, method, headers: new Headers(headers), body: content });
    return new Response(body, init);
  };
  return { sent, fetch };
}

test("without a base URL, the transport receives the path, the key, the admin token and the body", async () => {
  const { sent, fetch } = transport('{"now":"2026-01-31T09:00:00.000Z","ran":[]}');
  const account = new SandboxAccount({ baseUrl: "", key, adminToken: "let-me-in", fetch });
  expect(await account.advance("24h")).toMatchObject({ ran: [] });
  const [request] = sent;
  expect(request).toMatchObject({ url: "/_sandbox/clock/advance", method: "POST", body: '{"by":"24h"}' });
  expect(Object.fromEntries(request?.headers ?? [])).toEqual({
    "content-type": "application/json",
    "x-sandbox-admin": "let-me-in",
    "x-service-key": key,
  });
});

test("a call fills the path of its operation, and omits what is undefined from the query", async () => {
  const { sent, fetch } = transport('{"items":[]}');
  const client = new SandboxClient({ baseUrl: "", key, fetch });
  await client.call("moveRecord", { params: { id: "po/1", move: "reject" }, body: { reason: "a" } });
  await client.call("listRecords", { params: { machine: "payout" }, query: { state: undefined, limit: 5 } });
  // @ts-expect-error The operation has no such parameter.
  await client.call("listRecords", { params: { machine: "payout", id: "po_1" } });
  // @ts-expect-error The operation needs its parameters.
  await client.call("listRecords");
  expect(sent.map(({ method, url }) => `${method} ${url}`)).toEqual([
    "POST /_sandbox/records/po%2F1/moves/reject",
    "GET /_sandbox/machines/payout/records?limit=5",
    "GET /_sandbox/machines/payout/records",
    "GET /_sandbox/machines//records",
  ]);
});

test("the admin token is never sent to the service", async () => {
  const { sent, fetch } = transport("{}");
  await new SandboxAccount({ baseUrl: "", key, adminToken: "let-me-in", fetch }).fetch("/v1/balance");
  expect(Object.fromEntries(sent[0]?.headers ?? [])).toEqual({ "x-service-key": key });
});

test("a call can add headers, and a string body is sent unchanged", async () => {
  const { sent, fetch } = transport("{}");
  const client = new SandboxClient({ baseUrl: "http://sandbox", key, fetch });
  await client.request("POST", "/v1/media-scan/text", {
    body: "{",
    headers: { "X-Sandbox-Outcome": "likely_ai" },
  });
  expect(sent[0]).toMatchObject({ url: "http://sandbox/v1/media-scan/text", body: "{" });
  expect(sent[0]?.headers.get("X-Sandbox-Outcome")).toBe("likely_ai");
});

test.each([
  ["envelope", { error: { code: "invalid_state", message: "It is paid." } }],
  ["problem", { code: "invalid_state", detail: "It is paid." }],
  ["flat", { code: "invalid_state", message: "It is paid." }],
])("a refusal in the shape %s has its status, code and message", async (_shape, body) => {
  const client = new SandboxClient({
    baseUrl: "",
    key,
    fetch: transport(JSON.stringify(body), { status: 409 }).fetch,
  });
  const call = client.request("GET", "/v1/balance");
  await expect(call).rejects.toBeInstanceOf(ControlError);
  await expect(call).rejects.toMatchObject({ status: 409, code: "invalid_state", message: "It is paid." });
});

test.each([
  ["a page", "<h1>Hello</h1>", 200],
  ["JSON of something else", '{"error":"nope"}', 502],
])("%s instead of a reply is an error without a code", async (_what, body, status) => {
  const client = new SandboxClient({ baseUrl: "", key, fetch: transport(body, { status }).fetch });
  await expect(client.call("getClock")).rejects.toMatchObject({
    name: "ControlError",
    status,
    code: "",
  });
});

test("a failing transport is reported with its reason", async () => {
  const fetch: Fetch = () =>
    Promise.reject(
      new TypeError("fetch failed", { cause: Object.assign(new Error(), { code: "ECONNREFUSED" }) }),
    );
  const call = new SandboxClient({ baseUrl: "http://sandbox", key, fetch }).control("GET", "/clock");
  await expect(call).rejects.toBeInstanceOf(NoSandbox);
  await expect(call).rejects.toMatchObject({ reason: "ECONNREFUSED", cause: { message: "fetch failed" } });
});
