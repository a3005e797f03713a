import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { startSandbox } from "../../src/index.js";
import { expectRefusal } from "../support/hostile.js";
import { converse, headOf, raw, send } from "../support/raw.js";
import { useListeningSandbox } from "../support/sandbox.js";

const sandbox = useListeningSandbox();
const start = "/v1/phone/verify/start";
const host = "Host: 127.0.0.1\r\n";

afterEach(async () => {
  expect(sandbox.warnings).toEqual([]);
  expect(await (await fetch(`${sandbox.url}/healthz`)).json()).toEqual({ status: "ok" });
});

/** Returns the head of a JSON call with a key and the given length or transfer coding. */
const jsonHead = (headers: Record<string, string>): string =>
  headOf({
    method: "POST",
    target: start,
    headers: { "X-Service-Key": sandbox.account().key, "Content-Type": "application/json", ...headers },
  });

describe("bytes that are not an HTTP request get an error in the usual envelope", () => {
  const chunked = () => jsonHead({ "Transfer-Encoding": "chunked" });
  test.each<[string, () => string | Uint8Array]>([
    ["a method that HTTP does not have", () => `BREW /v1/balance HTTP/1.1\r\n${host}\r\n`],
    ["a head of 20 KB", () => `GET /v1/balance HTTP/1.1\r\n${host}X-Long: ${"x".repeat(20_000)}\r\n\r\n`],
    ["a path of 20 KB", () => `GET /v1/${"x".repeat(20_000)} HTTP/1.1\r\n${host}\r\n`],
    ["two lengths", () => `POST ${start} HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`],
    [
      "both a length and chunked encoding",
      () => jsonHead({ "Transfer-Encoding": "chunked", "Content-Length": "2" }),
    ],
    ["a length that is not a number", () => jsonHead({ "Content-Length": "two" })],
    ["a chunk size that is not a number", () => `${chunked()}zz\r\n`],
    ["a header without a colon", () => `GET /v1/balance HTTP/1.1\r\n${host}Oops\r\n\r\n`],
    ["a tunnel", () => `CONNECT 127.0.0.1:80 HTTP/1.1\r\n${host}\r\n`],
    ["HTTP/2", () => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["TLS", () => Buffer.from("1603010200010001fc0303", "hex")],
    ["NULs", () => Buffer.alloc(100)],
  ])("%s", async (_what, bytes) => {
    expectRefusal(await raw(sandbox.url, bytes()), ["validation_error"]);
  });
});

test.each([
  "*",
  "http://127.0.0.1/v1/nothing",
  "http://[::/",
  "ftp://127.0.0.1/v1/balance",
  "//v1/balance",
  "/v1/balance/",
  "/V1/balance",
  "/%ff",
])("the request target %s is treated as an unknown path", async (target) => {
  expectRefusal(await send(sandbox.url, { method: "GET", target }), ["route_not_found"]);
});

describe("a request target in the absolute form, as clients send it to proxies,", () => {
  const answer = async (method: string, target: string, headers: Record<string, string> = {}, body = "") => {
    const key = { "X-Service-Key": sandbox.account().key, "Content-Type": "application/json" };
    const reply = await send(sandbox.url, { method, target, headers: { ...key, ...headers }, body });
    return `${reply.status} ${JSON.parse(reply.body).error?.code ?? ""}`.trim();
  };

  test.each([
    ["GET", "/v1/balance", "", "200"],
    ["GET", "/v1/pricing?x=1", "", "200"],
    ["POST", "/v1/phone/verify/start", '{"phone":"08031234567"}', "201"],
    ["GET", "/_sandbox/clock", "", "200"],
    ["GET", "/healthz", "", "200"],
  ])("is answered like its path: %s %s", async (method, path, body, expected) => {
    expect(await answer(method, sandbox.url + path, {}, body)).toBe(expected);
    expect(await answer(method, `HTTP://LOCALHOST:1${path}`, {}, body)).toBe(expected);
  });

  test("names the host that counts, whatever the header Host says", async () => {
    expect(await answer("GET", "http://evil.example/_sandbox/clock")).toBe("403 forbidden_origin");
    expect(await answer("GET", `${sandbox.url}/_sandbox/clock`, { Host: "evil.example" })).toBe("200");
  });
});

test.each([
  ["none", ""],
  ["two", "Host: 127.0.0.1\r\nHost: localhost\r\n"],
])("a request of HTTP/1.1 with %s of the header Host is refused in the envelope", async (_count, lines) => {
  const reply = await raw(sandbox.url, `GET /healthz HTTP/1.1\r\n${lines}\r\n`);
  expectRefusal(reply, ["validation_error"]);
  expect(JSON.parse(reply.body).error.param).toBe("Host");
  expect(reply.headers["x-request-id"]).toMatch(/^req_/);
});

test("a request of HTTP/1.0 needs no Host", async () => {
  expect((await raw(sandbox.url, "GET /healthz HTTP/1.0\r\n\r\n")).status).toBe(200);
});

test.each(["OPTIONS", "TRACE", "PROPFIND", "DELETE", "QUERY", "M-SEARCH"])(
  "%s on a path that does not support it gets 405 with the supported methods",
  async (method) => {
    const reply = await send(sandbox.url, { method, target: "/v1/balance" });
    expectRefusal(reply, ["method_not_allowed"]);
    expect(reply.headers.allow).toBe("GET");
  },
);

test("a duplicate key, content type or outcome header is refused", async () => {
  const call = (headers: string) =>
    raw(sandbox.url, `POST ${start} HTTP/1.1\r\n${host}${headers}Content-Length: 2\r\n\r\n{}`);
  const key = "X-Service-Key: svc_test_twice\r\n";
  expectRefusal(await call(key + key), ["invalid_api_key"]);
  const outcome = "X-Sandbox-Outcome: sent\r\n";
  expectRefusal(await call(`${key}Content-Type: application/json\r\n${outcome}${outcome}`), [
    "unknown_outcome",
  ]);
});

test("a request with an unsupported Expect header is still answered", async () => {
  const headers = { Expect: "the-unexpected" };
  expectRefusal(await send(sandbox.url, { method: "GET", target: "/v1/balance", headers }), [
    "missing_api_key",
  ]);
});

test("a chunked body is accepted, and its size is checked as it arrives", async () => {
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
  const head = () => jsonHead({ "Transfer-Encoding": "chunked" });
  const body = ['{"phone":', '"08031234567"}', ""].map(chunk).join("");
  expect((await raw(sandbox.url, head(), body)).status).toBe(201);
  const endless = Array.from({ length: 20 }, () => chunk("x".repeat(60_000)));
  expectRefusal(await raw(sandbox.url, head(), ...endless), ["body_too_large"]);
});

test("a compressed body is refused before it is read", async () => {
  const head = jsonHead({ "Content-Encoding": "gzip", "Content-Length": "1000000" });
  expectRefusal(await raw(sandbox.url, head), ["unsupported_media_type"]);
});

test("a client that reads only after sending everything still gets the refusal", async () => {
  const { write, reply, hangUp } = converse(sandbox.url);
  await write(jsonHead({ "Content-Length": String(8 * 1024 * 1024) }));
  for (let sent = 0; sent < 8; sent++) await write(Buffer.alloc(1024 * 1024));
  expectRefusal(await reply(), ["body_too_large"]);
  await hangUp();
});

test.each([
  ["POST", start],
  ["PUT", "/_sandbox/snapshot"],
])(
  "a client that disconnects in the middle of its body causes no error and no journal entry: %s %s",
  async (method, target) => {
    const account = sandbox.account();
    const conversation = converse(sandbox.url);
    const headers = {
      "X-Service-Key": account.key,
      "Content-Type": "application/json",
      "Content-Length": "100",
    };
    await conversation.write(`${headOf({ method, target, headers })}{"phone"`);
    await account.clock.get();
    await conversation.hangUp();
    expect(await account.requests.list()).toEqual([]);
  },
);

test("requests without an account have unique ids too", async () => {
  const ids = new Set<string | null>();
  for (const path of ["/healthz", "/healthz", "/v1/balance", "/v1/balance", "/v1/nothing", "/nothing"])
    ids.add((await fetch(sandbox.url + path)).headers.get("X-Request-Id"));
  expect(ids.size).toBe(6);
});

test("an idle connection does not delay shutdown", {
  timeout: 5_000,
}, async () => {
  const own = await startSandbox();
  const { hostname, port } = new URL(own.url);
  const silent = connect(Number(port), hostname);
  await once(silent, "connect");
  await fetch(`${own.url}/healthz`);
  await Promise.all([own.close(), once(silent.resume(), "close")]);
});
