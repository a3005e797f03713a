import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { httpFetch } from "../../src/cli/connection.js";

/** Starts a server that is closed at the end of the test. Returns its URL. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("sends method, headers and body, and reads status, headers and body of the reply", async () => {
  const url = await serve(async (request, response) => {
    const body = (await request.toArray()).join("");
    response.writeHead(422, [
      ["Content-Type", "application/json"],
      ["X-Two", "a"],
      ["X-Two", "b"],
    ]);
    const { method, headers } = request;
    response.end(JSON.stringify({ method, key: headers["x-service-key"], body }));
  });
  const headers = { "X-Service-Key": "svc_test_it" };
  const reply = await httpFetch(`${url}/path?q=1`, { method: "PATCH", headers, body: "naïve" });
  expect([reply.status, reply.ok, reply.headers.get("x-two")]).toEqual([422, false, "a, b"]);
  expect(await reply.json()).toEqual({ method: "PATCH", key: "svc_test_it", body: "naïve" });
});

test("follows a redirect with the same method and body", async () => {
  const url = await serve(async (request, response) => {
    const body = (await request.toArray()).join("");
    if (request.url === "/moved") response.end(`${request.method} ${body}`);
    else response.writeHead(308, { Location: "/moved" }).end();
  });
  const reply = await httpFetch(url, { method: "POST", body: "hello" });
  expect([reply.status, await reply.text()]).toEqual([200, "POST hello"]);
});

test.each([204, 205, 304])("a reply with status %s has no body", async (status) => {
  const url = await serve((_request, response) => response.writeHead(status).end());
  const reply = await httpFetch(url, { method: "DELETE" });
  expect([reply.status, await reply.text()]).toEqual([status, ""]);
});

test("yields a stream as it arrives, until the signal ends it", async () => {
  const url = await serve((_request, response) => void response.write("first"));
  const ending = new AbortController();
  const { body } = await httpFetch(url, { signal: ending.signal });
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  expect(new TextDecoder().decode((await reader.read()).value)).toBe("first");
  ending.abort();
  await expect(reader.read()).rejects.toThrow();
});

test("rejects with the error of the connection", async () => {
  await expect(httpFetch("http://127.0.0.1:9")).rejects.toMatchObject({ code: "ECONNREFUSED" });
});

test.each([
  ["", "the connection was closed without an answer"],
  ["HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n", "another protocol"],
  ["220 mail.example ESMTP\r\n", "the answer is not readable as HTTP"],
])("rejects with the reason in words if the server answers with %j", async (answer, reason) => {
  const url = await serve((request) => void request.socket.end(answer));
  await expect(httpFetch(url)).rejects.toThrow(reason);
});
