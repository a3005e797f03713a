/** Traces of OpenTelemetry, as a small receiver of OTLP gets them. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freshFolder } from "../support/folder.js";
import { runProgram, startProgram } from "../support/program.js";
import { type Received, startReceiver } from "../support/receiver.js";

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
  status: { code: number };
}

const spans: Span[] = [];
const services = new Set<string>();
const collector = createServer((request, response) => {
  let text = "";
  request.on("data", (chunk) => {
    text += chunk;
  });
  request.on("end", () => {
    for (const { resource, scopeSpans } of JSON.parse(text).resourceSpans) {
      for (const { key, value } of resource.attributes)
        if (key === "service.name") services.add(value.stringValue);
      for (const scope of scopeSpans) spans.push(...scope.spans);
    }
    response.setHeader("content-type", "application/json").end("{}");
  });
});
let endpoint = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => void collector.listen(0, "127.0.0.1", resolve));
  endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
});
afterAll(() => {
  collector.closeAllConnections();
  collector.close();
});

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const clientSpan = "00f067aa0ba902b7";
const attributesOf = ({ attributes }: Span) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));

const traceparent = (flags = "01") => `00-${traceId}-${clientSpan}-${flags}`;

interface Played {
  webhook: Received;
  stderr: string;
  /** Time that the program took to stop, in ms. */
  stopMs: number;
}

/** Creates an account number with a request that has these headers. */
async function playWith(
  env: readonly string[],
  headers: Readonly<Record<string, string>> = { traceparent: traceparent() },
): Promise<Played> {
  spans.length = 0;
  const receiver = await startReceiver();
  const program = await startProgram(["--memory"], freshFolder(), ["env", ...env]);
  const key = "svc_test_traced";
  const post = (path: string, body: object, headers = {}, method = "POST") =>
    fetch(program.url + path, {
      method,
      headers: { "X-Service-Key": key, "Content-Type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  await post("/v1/webhooks", { url: receiver.url });
  await post(
    "/v1/business/profile",
    { business_name: "Ade", business_type: "registered", contact_phone: "08031234567" },
    {},
    "PUT",
  );
  const customer = { customer_name: "Ada Obi", customer_email: "ada@example.com" };
  const created = await post("/v1/business/virtual-accounts", customer, headers);
  expect(created.status).toBe(201);
  const [webhook] = (await receiver.got(1)) as [Received];
  const stopped = performance.now();
  expect(await program.stop()).toBe(0);
  const stopMs = performance.now() - stopped;
  await receiver.close();
  return { webhook, stderr: program.stderr(), stopMs };
}

/** Returns the webhook that the request causes. */
const play = async (env: readonly string[], flags = "01"): Promise<Received> =>
  (await playWith(env, { traceparent: traceparent(flags) })).webhook;

test("a request, what it causes and its webhook are one trace, which the client has begun", async () => {
  const webhook = await play([
    `OTEL_EXPORTER_OTLP_ENDPOINT=${endpoint}`,
    "OTEL_SERVICE_NAME=payments-sandbox",
  ]);
  expect([...services]).toEqual(["payments-sandbox"]);
  const trace = spans.filter((span) => span.traceId === traceId);
  const [request] = trace.filter(({ name }) => name === "POST /v1/business/virtual-accounts") as [Span];
  expect(request).toMatchObject({ parentSpanId: clientSpan, kind: 2 });
  expect(attributesOf(request)).toMatchObject({
    "http.response.status_code": 201,
    "standin.operation": "createVirtualAccount",
    "url.path": "/v1/business/virtual-accounts",
  });
  expect(BigInt(request.endTimeUnixNano)).toBeGreaterThan(BigInt(request.startTimeUnixNano));
  const [event] = trace.filter(({ name }) => name === "virtual_account.created") as [Span];
  const [move] = trace.filter(({ spanId }) => spanId === event.parentSpanId) as [Span];
  expect(move.parentSpanId).toBe(request.spanId);
  const [attempt] = trace.filter(({ name }) => name === "webhook virtual_account.created") as [Span];
  expect(attempt).toMatchObject({ parentSpanId: event.spanId, kind: 3 });
  expect(webhook.headers.traceparent).toBe(`00-${traceId}-${attempt.spanId}-01`);
  expect(new Set(trace.map(({ spanId }) => spanId)).size).toBe(trace.length);
});

test("spans contain neither the key nor what the client has sent about people", async () => {
  await play([`OTEL_EXPORTER_OTLP_ENDPOINT=${endpoint}`]);
  expect(spans.length).toBeGreaterThan(5);
  // Ids and times in ns are digits of their own, which can hold any four.
  const own = /^(?:traceId|spanId|parentSpanId|startTimeUnixNano|endTimeUnixNano)$/;
  const told = JSON.stringify(spans, (key, value: unknown) => (own.test(key) ? undefined : value));
  expect(told).toContain("createVirtualAccount");
  expect(told).not.toMatch(/svc_test_traced|Ada Obi|ada@example|0803/);
});

test("a trace that the client does not record is continued and not exported", async () => {
  const webhook = await play([`OTEL_EXPORTER_OTLP_ENDPOINT=${endpoint}`], "00");
  expect(webhook.headers.traceparent).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`));
  expect(spans.filter((span) => span.traceId === traceId)).toEqual([]);
  expect(spans.length).toBeGreaterThan(0);
});

test.each([
  [["STANDIN_MEMORY=true"]],
  [["OTEL_SDK_DISABLED=true", "OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:9"]],
  [["OTEL_EXPORTER_OTLP_PROTOCOL=grpc", "OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:9"]],
])("without traces, webhooks have no header of one: %s", async (env) => {
  expect((await play(env)).headers.traceparent).toBeUndefined();
});

/** Returns the spans with the trace of the client, and the trace id of the webhook. */
async function traceOf(headers: Readonly<Record<string, string>>) {
  const { webhook } = await playWith([`OTEL_EXPORTER_OTLP_ENDPOINT=${endpoint}`], headers);
  const [, webhookTrace] = String(webhook.headers.traceparent).split("-");
  return { continued: webhookTrace === traceId, tracestate: webhook.headers.tracestate };
}

test("the tracestate of the client reaches the receiver of the webhook", async () => {
  const tracestate = "congo=t61rcWkgMzE,rojo=00f067aa0ba902b7";
  expect(await traceOf({ traceparent: traceparent(), tracestate })).toEqual({ continued: true, tracestate });
});

test.each([
  ["version 00 with more behind it", `${traceparent()}-more`],
  ["version ff", traceparent().replace(/^00/, "ff")],
  ["upper case", traceparent().toUpperCase()],
])("a traceparent of %s begins a new trace, without the tracestate", async (_what, invalid) => {
  const tracestate = "congo=t61rcWkgMzE";
  expect(await traceOf({ traceparent: invalid, tracestate })).toEqual({ continued: false });
});

test("a traceparent of a later version with more behind it is continued, and a tracestate that is no list is not", async () => {
  const later = `${traceparent().replace(/^00/, "cc")}-more`;
  expect(await traceOf({ traceparent: later, tracestate: "no list" })).toEqual({ continued: true });
});

/** Returns the lines about traces that cannot be exported. */
const complaints = ({ stderr }: Played): string[] =>
  stderr.split("\n").filter((line) => line.includes("traces cannot be exported"));

test("a collector that cannot be reached stops nothing, and is said once", async () => {
  const played = await playWith([
    "OTEL_EXPORTER_OTLP_ENDPOINT=http://user:hunter2@127.0.0.1:9",
    "OTEL_EXPORTER_OTLP_TIMEOUT=200",
    "OTEL_BSP_MAX_EXPORT_BATCH_SIZE=1",
  ]);
  expect(played.webhook.headers.traceparent).toContain(traceId);
  expect(complaints(played)).toEqual([
    expect.stringMatching(/exported to http:\/\/127\.0\.0\.1:9: .+; this is said once$/),
  ]);
  expect(played.stderr).not.toContain("hunter2");
});

test("a collector that never answers does not hold up a stop, and is said once", async () => {
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => void silent.listen(0, "127.0.0.1", resolve));
  const { port } = silent.address() as AddressInfo;
  const played = await playWith([`OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:${port}`]);
  silent.closeAllConnections();
  silent.close();
  expect(complaints(played)).toHaveLength(1);
  // It waits for one second; the exporter alone would wait for ten.
  expect(played.stopMs).toBeLessThan(5_000);
});

test.each([
  ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"],
  ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "not a URL"],
])("an endpoint in %s that is no URL is refused at the start", async (name, value) => {
  const { code, stderr } = await runProgram(["start", "--memory", "--port", "0"], freshFolder(), {
    [name]: value,
  });
  expect([code, stderr]).toEqual([
    2,
    `standin: ${name} must be an http or https URL such as http://127.0.0.1:4318; got "${value}"\n`,
  ]);
});
