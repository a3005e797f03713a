/** Any bytes in the headers that the sandbox reads: of requests, of what a proxy forwards, and of the parts of forms. */
import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { serviceOperations } from "../../src/service/index.js";
import { boundary, formOf, formType, type Part, png } from "../support/forms.js";
import { contentTypes, expectRefusal } from "../support/hostile.js";
import { type RawReply, send } from "../support/raw.js";
import { isLong, propertyRuns } from "../support/repetitions.js";
import { useListeningSandbox } from "../support/sandbox.js";
import { askedTargets, cases, expectAnswers, expectConditions } from "./special-headers.js";

const direct = useListeningSandbox();
const behindProxy = useListeningSandbox({ trustProxy: ["loopback"] });

afterEach(async () => {
  for (const { url, warnings } of [direct, behindProxy]) {
    expect(warnings).toEqual([]);
    expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: "ok" });
  }
});

/** Any text that HTTP allows in a header: visible characters, tabs, spaces and bytes above 127. */
const byteText = fc
  .array(
    fc.oneof(fc.integer({ min: 0x20, max: 0x7e }), fc.integer({ min: 0x80, max: 0xff }), fc.constant(9)),
    {
      maxLength: 60,
    },
  )
  .map((bytes) => String.fromCharCode(...bytes));

const hosts = [
  ...["[::1", "[::1]:", "[::1]:99999", ":", ":80", "a:b:c", "@", "a@b", "user:pass@host", "%00", "xn--", "."],
  ...["0x7f.1", "127.1", "127.0.0.1:-1", "127.0.0.1:080", "host/path", "host?query", "host#part", "a,b", "ⅷ"],
].map((text) => Buffer.from(text).toString("latin1"));
const types = [
  ...contentTypes.map((text) => Buffer.from(text).toString("latin1")),
  ...["application/json; charset=", 'application/json; charset="utf-8', "application/json;;", "/", "a/b/c"],
  ...[`multipart/form-data; boundary=${"b".repeat(300)}`, "application/x-www-form-urlencoded"],
];
const oneOf = (values: readonly string[]) => fc.oneof(fc.constantFrom(...values), byteText);

const headers = fc.record(
  {
    Host: oneOf(hosts),
    "Content-Type": oneOf(types),
    "Content-Encoding": oneOf(["gzip", "identity", "gzip, identity", ""]),
    Accept: oneOf(["text/html;q=2", "*/*;q=", "text/html,,", "application/json;q=0"]),
    Origin: oneOf(["null", "http://", "http://[::1", "file://", "http://a b"]),
    Referer: oneOf(["http://[", "about:blank", "/"]),
    Cookie: oneOf(["standin=%ff", "=;=", "a=b; a=c; __proto__=1", ";".repeat(50)]),
    Authorization: oneOf(["Bearer", "Bearer a.b.c", "Bearer ..", "Basic %%%", "bearer e30.e30.e30"]),
    "X-Service-Key": oneOf(["svc_test_", "svc_live_x", "__proto__", "svc_test_a, svc_test_b"]),
    "X-Sandbox-Outcome": oneOf(["__proto__", "constructor", "sent,sent", "*"]),
    "X-Sandbox-Account": oneOf(["acct_", "__proto__", "../x"]),
    "Idempotency-Key": byteText,
    Traceparent: oneOf(["00-0-0-00", `00-${"0".repeat(32)}-${"0".repeat(16)}-00`, "ff-a-b-c"]),
    Forwarded: oneOf(["for=[::1", 'host="', "proto=javascript;host=x", ";,;=", `for=${"a,".repeat(30)}`]),
    "X-Forwarded-Host": oneOf(hosts),
    "X-Forwarded-Proto": oneOf(["javascript", "http,https", ":", "https://"]),
    "X-Forwarded-Port": oneOf(["-1", "99999999", "80,443", "NaN"]),
    "X-Forwarded-For": oneOf(["unknown", "[::1]:80", "1.2.3.4, ::", ","]),
    "X-Forwarded-Prefix": oneOf(["//evil", "/../..", "/%ff", "?"]),
    "X-Standin-Forwarded": oneOf(["a b c d", "   ", "token -1 - http://["]),
    "Last-Event-ID": oneOf(["-1", "1e400", "__proto__"]),
    Range: oneOf(["bytes=-1", "bytes=0-,0-", "lines=1"]),
    "If-Modified-Since": byteText,
  },
  { requiredKeys: [] },
);

/** Expects any answer but an internal error. Refusals under /v1 and /_sandbox have the documented form. */
function expectAnswer({ status, headers, body }: RawReply, target: string): void {
  expect(status, `${target}: ${body.slice(0, 300)}`).toBeGreaterThanOrEqual(200);
  expect(status, `${target}: ${body.slice(0, 300)}`).toBeLessThan(500);
  if (status >= 400 && /^\/(?:v1|_sandbox)/.test(target))
    expect([headers["content-type"], JSON.parse(body).error.request_id]).toEqual([
      "application/json; charset=utf-8",
      headers["x-request-id"],
    ]);
}

const targets: readonly (readonly [method: string, target: string, body?: string])[] = [
  ["GET", "/"],
  ["GET", "/start"],
  ["GET", "/docs/values"],
  ["GET", "/openapi.json"],
  ["GET", "/metrics"],
  ["GET", "/confirm/ver_0"],
  ["GET", "/checkout/none"],
  ["GET", "/v1/balance"],
  ["GET", "/_sandbox/account"],
  ["POST", "/v1/phone/verify/start", '{"phone":"08031234567"}'],
  ["POST", "/_sandbox/session-token", "{}"],
  ["POST", "/mcp", "{}"],
  ["OPTIONS", "/v1/balance"],
];

test("any headers get an answer, from a page, a document, the service and the control API", async () => {
  await fc.assert(
    fc.asyncProperty(headers, fc.constantFrom(...targets), fc.boolean(), async (given, asked, isProxied) => {
      const [method, target, body] = asked;
      const { url } = isProxied ? behindProxy : direct;
      expectAnswer(await send(url, { method, target, headers: given, ...(body && { body }) }), target);
    }),
    propertyRuns(400, 5_000),
  );
});

const uploads = serviceOperations.filter(({ upload }) => upload);

const dispositions = [
  ...[
    "form-data",
    "form-data; name",
    'form-data; name="',
    "form-data; name=file; filename=",
    "attachment",
    ";;",
  ],
  ...[
    'form-data; name="file"; filename="\\',
    "form-data; name*=utf-8''%",
    'form-data; name="file"; name="x"',
  ],
  ...["form-data; name=file; filename*=utf-16''%ff", 'form-data; name="__proto__"; filename="a.png"'],
];
const partHeaders = fc.record(
  {
    "Content-Disposition": oneOf(dispositions),
    "Content-Type": oneOf([...types, "image/png", formType]),
    "Content-Transfer-Encoding": oneOf(["base64", "quoted-printable", "binary", "x"]),
  },
  { requiredKeys: [] },
);
const parts: fc.Arbitrary<Part[]> = fc.array(
  partHeaders.map((given) => ({
    headers: Object.entries(given).map(([name, value]) => `${name}: ${value}`),
    content: png,
  })),
  { minLength: 1, maxLength: 4 },
);

test("any headers of a form's parts, and any content type of the form, get an answer", async () => {
  const account = direct.account();
  const type = fc.oneof(
    { weight: 3, arbitrary: fc.constant(formType) },
    { weight: 1, arbitrary: byteText.map((text) => `multipart/form-data; boundary=${boundary}${text}`) },
  );
  await fc.assert(
    fc.asyncProperty(parts, type, fc.constantFrom(...uploads), async (given, contentType, { route }) => {
      const target = route.slice("POST ".length);
      const head = { "X-Service-Key": account.key, "Content-Type": contentType };
      const reply = await send(direct.url, { method: "POST", target, headers: head, body: formOf(given) });
      expectAnswer(reply, target);
    }),
    propertyRuns(300, 4_000),
  );
});

test("a Host that is no host is refused or ignored, and never part of a link", async () => {
  for (const Host of hosts) {
    const reply = await send(direct.url, { method: "GET", target: "/openapi.json", headers: { Host } });
    if (reply.status >= 400) expectRefusal(reply, ["validation_error", "forbidden_origin"]);
    else expect(URL.canParse(JSON.parse(reply.body).servers[0].url)).toBe(true);
  }
});

test.runIf(isLong).each(askedTargets)(
  "%s %s gets an answer or a closed connection with any special header, given once and twice",
  (method, target) => expectAnswers(direct.url, direct.account().key, [method, target], cases),
);

test.runIf(isLong)("in rules, any special header can be a condition", () =>
  expectConditions(direct.account(), cases),
);
