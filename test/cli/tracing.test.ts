/** Traces of OpenTelemetry, as a small receiver of OTLP gets them. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freshFolder } from "../support/folder.js";
import { startProgram } from "../support/program.js";
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

/** Creates an account number with a traced request. Returns the webhook that it causes. */
async function play(env: readonly string[], flags = "01"): Promise<Received> {
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
  const traceparent = `00-${traceId}-${clientSpan}-${flags}`;
  const customer = { customer_name: "Ada Obi", customer_email: "ada@example.com" };
  const created = await post("/v1/business/virtual-accounts", customer, { traceparent });
  expect(created.status).toBe(201);
  const [webhook] = (await receiver.got(1)) as [Received];
  expect(await program.stop()).toBe(0);
  await receiver.close();
  return webhook;
}

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

test("a collector that cannot be reached stops nothing", async () => {
  const webhook = await play([
    "OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:9",
    "OTEL_EXPORTER_OTLP_TIMEOUT=200",
  ]);
  expect(webhook.headers.traceparent).toContain(traceId);
});
