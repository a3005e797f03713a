/** The tools for agents over HTTP, at /mcp of a running sandbox. */
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type Program, startProgram } from "../support/program.js";
import { converse } from "../support/raw.js";

let program: Program;
let guarded: Program;
beforeAll(async () => {
  program = await startProgram(["--memory", "--allow-origin", "https://agent.example"]);
  guarded = await startProgram(["--memory", "--admin-token", "opensesame"]);
});
afterAll(async () => {
  await program.stop();
  await guarded.stop();
});

async function connect(headers: Record<string, string> = {}, { url } = program): Promise<Client> {
  const client = new Client({ name: "test", version: "1.0.0" });
  onTestFinished(() => client.close());
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }),
  );
  return client;
}

async function call(
  client: Client,
  name: string,
  input: object,
): Promise<{ text: string; isError: boolean }> {
  const { content, isError } = await client.callTool({ name, arguments: { ...input } });
  const [{ text }] = content as unknown as [{ text: string }];
  return { text, isError: isError === true };
}

test("an agent calls the service, sees a code, and the account is that of its key", async () => {
  const client = await connect({ "X-Service-Key": "svc_test_agent" });
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain("find_operation");
  const started = { operation: "startPhoneVerification", body: { phone: "08031234567" } };
  expect((await call(client, "call", started)).text).toMatch(/^201 req_/);
  const [message] = await program.account("svc_test_agent").inbox.list();
  expect(message?.codes).toEqual([expect.stringMatching(/^\d{6}$/)]);
  expect(await program.account("svc_test_other").inbox.list()).toEqual([]);
});

/** Sends a message of the protocol as a client of an earlier revision does. */
const post = (body: object, headers: Record<string, string> = {}, { url } = program) =>
  fetch(`${url}/mcp`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      "X-Service-Key": "svc_test_earlier",
      ...headers,
    },
    body: JSON.stringify(body),
  });
const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "earlier", version: "1.0.0" },
  },
};

test("a client of an earlier revision is served as well", async () => {
  const opened = await (await post(initialize)).text();
  expect(opened).toContain('"protocolVersion":"2025-06-18"');
  expect(opened).toContain('"name":"standin"');
  const listed = await post(
    { jsonrpc: "2.0", id: 2, method: "tools/list" },
    { "MCP-Protocol-Version": "2025-06-18" },
  );
  expect(await listed.text()).toContain('"name":"wait_for"');
  expect((await fetch(`${program.url}/mcp`, { headers: { Accept: "text/event-stream" } })).status).toBe(405);
});

/** Sends a message with this header Accept, or without one, which fetch cannot. */
async function postAccepting(accept: string | null, message: object) {
  const headers = { "Content-Type": "application/json", ...(accept === null ? {} : { Accept: accept }) };
  const sent = request(`${program.url}/mcp`, { method: "POST", headers });
  sent.end(JSON.stringify(message));
  const [answered] = (await once(sent, "response")) as [IncomingMessage];
  return { status: answered.statusCode, type: answered.headers["content-type"], body: await text(answered) };
}

test.each([
  [null, /^application\/json/],
  ["*/*", /^application\/json/],
  ["application/json", /^application\/json/],
  ["text/event-stream", /^text\/event-stream/],
  ["application/json, text/event-stream", /^text\/event-stream/],
])("a client is answered whatever it accepts, and in that form: Accept %s", async (accept, type) => {
  const answered = await postAccepting(accept, initialize);
  expect(answered).toMatchObject({ status: 200, type: expect.stringMatching(type) });
  const [, data] = /^data: (.+)$/m.exec(answered.body) ?? [];
  expect(JSON.parse(data ?? answered.body)).toMatchObject({
    id: 1,
    result: { serverInfo: { name: "standin" } },
  });
});

test("several messages at once are answered with a list as JSON", async () => {
  const list = { jsonrpc: "2.0", id: 2, method: "tools/list" };
  const { body } = await postAccepting("application/json", [list, { ...list, id: 3 }]);
  expect(JSON.parse(body)).toMatchObject([{ id: 2, result: { tools: expect.any(Array) } }, { id: 3 }]);
});

test("replies have the headers of every reply, and a page of an allowed origin may read them", async () => {
  const Origin = "https://agent.example";
  const listed = { jsonrpc: "2.0", id: 2, method: "tools/list" };
  const replies = [
    await post(initialize, { Origin }),
    await post(listed, { Origin, Accept: "application/json" }),
    await post({ jsonrpc: "2.0", method: "notifications/initialized" }, { Origin }),
    await post({ nonsense: true }, { Origin }),
    await fetch(`${program.url}/mcp`, { headers: { Origin } }),
  ];
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 202, 400, 405]);
  for (const { headers } of replies) {
    expect(headers.get("access-control-allow-origin")).toBe(Origin);
    expect(headers.get("access-control-expose-headers")).toContain("X-Request-Id");
    expect(headers.get("x-request-id")).toMatch(/^req_/);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  }
  const ids = replies.map(({ headers }) => headers.get("x-request-id"));
  expect(new Set(ids).size).toBe(ids.length);
});

test("pages of other sites and names of other hosts are refused", async () => {
  const foreign = await post(initialize, { Origin: "https://evil.example" });
  expect(foreign.status).toBe(403);
  expect(await foreign.json()).toMatchObject({ error: { code: "forbidden_origin", param: "Origin" } });
  const raw = converse(program.url);
  await raw.write("POST /mcp HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 0\r\n\r\n");
  expect((await raw.reply()).status).toBe(403);
  await raw.hangUp();
});

test("a sandbox with a token wants it here too", async () => {
  const refused = await post(initialize, {}, guarded);
  expect(await refused.json()).toMatchObject({ error: { code: "admin_token_required" } });
  const client = await connect({ "X-Sandbox-Admin": "opensesame", "X-Service-Key": "svc_test_a" }, guarded);
  expect((await call(client, "status", {})).isError).toBe(false);
});

test("a key that is none is refused, and so is a body that is not JSON", async () => {
  const refused = await post(initialize, { "X-Service-Key": "short" });
  expect(refused.status).toBe(401);
  const broken = await fetch(`${program.url}/mcp`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
    body: "{",
  });
  expect(broken.status).toBe(400);
  const large = await post({ ...initialize, params: { text: "x".repeat(5_000_000) } });
  expect(large.status).toBe(413);
  const cut = converse(program.url);
  await cut.write("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{");
  await cut.hangUp();
  expect((await post(initialize)).status).toBe(200);
});

test("an agent elsewhere reads no file of this machine, but fixtures", async () => {
  const client = await connect({ "X-Service-Key": "svc_test_files" });
  const document = (file: string) => ({ operation: "verifyDocument", files: { file } });
  for (const path of ["/etc/hostname", "../../package.json"]) {
    const { text, isError } = await call(client, "call", document(path));
    expect([text, isError]).toEqual([
      expect.stringContaining("over HTTP, only files of the sandbox can be used"),
      true,
    ]);
  }
  expect((await call(client, "call", document("id-card.png"))).text).toMatch(/^200 /);
  expect((await call(client, "scenario", { name: "./scenarios/phone-code.yaml" })).isError).toBe(true);
  expect((await call(client, "scenario", { name: "phone-code" })).text).toContain("passed");
});

test("a body where none belongs, or a method that the protocol does not have, is answered, and the program goes on", async () => {
  for (const method of ["GET", "HEAD", "DELETE", "PUT", "PATCH", "TRACE", "PROPFIND"]) {
    const request = `${method} /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nAccept: text/event-stream\r\nConnection: close\r\n\r\n{}`;
    const conversation = converse(program.url, method === "HEAD");
    await conversation.write(request);
    const { status } = await conversation.reply();
    await conversation.hangUp();
    expect([method, status]).toEqual([method, 405]);
  }
  expect((await fetch(`${program.url}/healthz`)).status).toBe(200);
});
