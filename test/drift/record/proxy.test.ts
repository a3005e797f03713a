/** The recording proxy: what it passes on, what it refuses, and what it says about replies. */
import { createHash } from "node:crypto";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { play } from "../../../src/drift/play.js";
import { ServiceClient } from "../../../src/drift/service-client.js";
import { freePort } from "../../support/port.js";
import { converse, headOf } from "../../support/raw.js";
import { useListeningSandbox } from "../../support/sandbox.js";
import { deviations, front, shownByReplies } from "../deviating-service.js";
import { planAll } from "../own-sandbox.js";
import { meansFor } from "../second-sandbox.js";
import { proxiedClient } from "./client.js";

const service = useListeningSandbox();
const scenarios = await planAll();

/** Starts a service of the test, which closes with it. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("a reply that deviates is named while it passes", () => {
  test.each(deviations)("%s", async (title, scenario, route, deviate, found) => {
    const account = service.account();
    const { proxy, reports } = await proxiedClient(await front(service.url, route, deviate), account.key);
    const means = await meansFor(account);
    onTestFinished(() => means.receiver.close());
    const client = new ServiceClient({ ...means.service.options, baseUrl: proxy.url });
    const [planned] = scenarios.filter(({ name }) => name === scenario);
    if (!planned) throw new Error(`there is no scenario ${scenario}`);
    await play(planned, { client, readCode: means.readCode, pass: means.sleep }, "standin-drift-test-");
    const named = reports.flatMap(({ operation, deviations: own }) =>
      own.map(({ at, problem }) => `${operation} ${at} ${problem}`),
    );
    const expected = shownByReplies[title] ?? [found];
    expect([...new Set(named)]).toEqual(expected.map((text) => expect.stringContaining(text)));
    expect(reports.every(({ unchecked }) => unchecked === null)).toBe(true);
  });
});

describe("passing on", () => {
  test("headers pass in both directions, except those of one connection", async () => {
    const url = await serve((request, response) => {
      const body = JSON.stringify({ headers: request.headers, url: request.url });
      response.writeHead(207, { "X-Own": "yes", "Keep-Alive": "timeout=9", "Content-Type": "text/plain" });
      response.end(body);
    });
    const client = await proxiedClient(`${url}/base`, "svc_test_headers");
    const reply = await client.fetch("/v1/balance?x=%41&y", { headers: { TE: "trailers", "X-Trace": "1" } });
    expect([reply.status, reply.headers.get("x-own"), reply.headers.get("keep-alive")]).toEqual([
      207,
      "yes",
      expect.not.stringContaining("9"),
    ]);
    const { headers, url: target } = (await reply.json()) as { headers: Record<string, string>; url: string };
    expect(target).toBe("/base/v1/balance?x=%41&y");
    expect(headers).toMatchObject({
      "x-trace": "1",
      "x-service-key": "svc_test_headers",
      host: url.slice(7),
    });
    expect(headers).not.toHaveProperty("te");
  });

  test("an upload reaches the service byte by byte", async () => {
    const hashes: string[] = [];
    const url = await serve(async (request, response) => {
      const hash = createHash("sha256");
      for await (const chunk of request) hash.update(chunk as Buffer);
      hashes.push(hash.digest("hex"));
      response.writeHead(200, { "Content-Type": "image/png" }).end(Buffer.from([0, 255, 10]));
    });
    const client = await proxiedClient(url, "svc_test_upload");
    const bytes = Buffer.alloc(3_000_000, "standin");
    const reply = await client.fetch("/v1/tools/remove-background", { method: "POST", body: bytes });
    expect([...new Uint8Array(await reply.arrayBuffer())]).toEqual([0, 255, 10]);
    expect(hashes).toEqual([createHash("sha256").update(bytes).digest("hex")]);
  });

  test("a request that no operation of the interface takes passes, and is not recorded", async () => {
    const client = await proxiedClient(service.url, service.account().key);
    expect((await client.send("GET", "/v1/nothing/2348099887766")).status).toBe(404);
    expect(client.proxy.exchanges).toEqual([]);
    expect(client.reports).toMatchObject([
      {
        line: "GET (no operation of the interface) → 404",
        unchecked: expect.stringContaining("no operation"),
      },
    ]);
  });

  test("of two API keys, the first one is recorded", async () => {
    const client = await proxiedClient(service.url, service.account().key);
    await client.send("GET", "/v1/balance");
    await client.fetch("/v1/pricing", { headers: { "X-Service-Key": service.account().key } });
    expect(client.proxy.exchanges.map(({ operation }) => operation.id)).toEqual(["getBalance"]);
    expect(client.proxy.leftOut).toEqual(["requests with another API key than the first one"]);
  });
});

describe("not passing on", () => {
  test("a service that does not answer is a 502 that says so, and no drift", async () => {
    const client = await proxiedClient(`http://127.0.0.1:${await freePort()}`, "svc_test_nobody");
    const { status, body } = await client.send("GET", "/v1/balance");
    expect([status, body.error.code, body.error.message]).toEqual([
      502,
      "service_unreachable",
      expect.stringMatching(/the service at http:\S+ does not answer \(ECONNREFUSED\); check --from/),
    ]);
    expect(client.reports).toMatchObject([
      { deviations: [], unchecked: expect.stringContaining("does not answer") },
    ]);
  });

  test("an outage of the service passes, and is neither judged nor recorded", async () => {
    const url = await serve((_request, response) => void response.writeHead(503).end("down"));
    const client = await proxiedClient(url, "svc_test_outage");
    expect((await client.fetch("/v1/balance")).status).toBe(503);
    expect(client.reports).toMatchObject([{ deviations: [], unchecked: "the service has an outage" }]);
    expect(client.proxy.exchanges).toEqual([]);
  });

  test("a live key is refused before anything is sent", async () => {
    const sent: string[] = [];
    const url = await serve((request, response) => {
      sent.push(request.url ?? "");
      response.writeHead(200, { "Content-Type": "application/json" }).end("{}");
    });
    const client = await proxiedClient(url, "svc_live_proxy");
    const { status, body } = await client.send("GET", "/v1/balance");
    expect([status, body.error.message]).toEqual([403, expect.stringContaining("--i-know-this-costs-money")]);
    const allowed = await proxiedClient(url, "svc_live_proxy", { allowsLiveKeys: true });
    expect((await allowed.send("GET", "/v1/balance")).status).toBe(200);
    expect((await allowed.send("POST", "/v1/business/payouts", { amount: 1 })).status).toBe(403);
    expect(sent).toEqual(["/v1/balance"]);
    expect(allowed.proxy.live).toBe(true);
  });

  test("a request larger than any upload of the interface is refused before its body", async () => {
    const { proxy } = await proxiedClient(service.url, service.account().key);
    const conversation = converse(proxy.url);
    const headers = { "Content-Type": "multipart/form-data; boundary=x", "Content-Length": "300000000" };
    await conversation.write(headOf({ method: "POST", target: "/v1/media-scan/video", headers }));
    expect(await conversation.reply()).toMatchObject({ status: 413 });
  });

  test("an upload that is cut off is not recorded, and the next request passes", async () => {
    const client = await proxiedClient(service.url, service.account().key);
    const gone = new AbortController();
    const cut = client.fetch("/v1/verify/document", {
      method: "POST",
      headers: { "Content-Type": "multipart/form-data; boundary=x" },
      body: (async function* () {
        yield Buffer.from("--x\r\n");
        gone.abort();
        yield Buffer.from("never");
      })() as never,
      signal: gone.signal,
      duplex: "half",
    } as RequestInit);
    await expect(cut).rejects.toThrow();
    expect((await client.send("GET", "/v1/balance")).status).toBe(200);
    expect(client.proxy.exchanges.map(({ operation }) => operation.id)).toEqual(["getBalance"]);
  });
});
