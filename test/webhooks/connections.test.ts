/** How attempts use connections, against receivers that write their own bytes. */
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { checkReceiver, type SandboxAccount } from "../../src/index.js";
import { newAttempt } from "../../src/world/webhooks/delivery.js";
import { HttpTransport } from "../../src/world/webhooks/send.js";
import { startReceiver } from "../support/receiver.js";
import { post, useListeningSandbox } from "../support/sandbox.js";
import { until } from "../support/until.js";

const sandbox = useListeningSandbox();
const ok = "HTTP/1.1 200 OK\r\nX-Final: yes\r\nContent-Length: 0\r\n\r\n";

/** `answer` gets the socket, the number of the connection and that of the request on it, both from 1. */
async function rawReceiver(answer: (socket: Socket, connection: number, request: number) => void) {
  const requests: string[] = [];
  let connections = 0;
  const server = createServer((socket) => {
    const connection = ++connections;
    let request = 0;
    let text = "";
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      text += chunk;
      const [head = "", body] = text.split("\r\n\r\n");
      const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
      if (body === undefined || Buffer.byteLength(body) < length) return;
      requests.push(body);
      text = "";
      answer(socket, connection, ++request);
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/webhooks`, requests, connections: () => connections };
}

const attemptsOf = async (account: SandboxAccount) =>
  (await account.deliveries.list()).map(({ attempts }) => attempts).reverse();

async function trigger(account: SandboxAccount): Promise<void> {
  const { length } = await account.deliveries.list();
  await account.events.trigger("payout.paid");
  await until(
    "the delivery has an attempt",
    async () => ((await attemptsOf(account))[length]?.length ?? 0) > 0,
  );
}

test.each([
  ["100 Continue", "HTTP/1.1 100 Continue\r\n\r\n"],
  ["103 Early Hints", "HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n"],
  ["several", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\nX-Interim: 1\r\n\r\n"],
])("interim answers that nobody asked for are skipped: %s", async (_name, interim) => {
  const account = sandbox.account();
  const hook = await rawReceiver((socket) => void socket.write(interim + ok));
  await post(account, "/v1/webhooks", { url: hook.url });
  await trigger(account);
  const [attempts] = await attemptsOf(account);
  expect(attempts).toMatchObject([{ status: 200, error: null }]);
  expect(Object.keys(attempts?.[0]?.response_headers ?? {}).sort()).toEqual(["content-length", "x-final"]);
});

const noAnswer = "the connection was closed without an answer";

test.each([
  [
    "101 Switching Protocols",
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
    "the connection was closed, or switched to another protocol, without an answer",
  ],
  ["nothing", "", noAnswer],
  ["half a head", "HTTP/1.1 200 O", noAnswer],
  ["an interim answer alone", "HTTP/1.1 100 Continue\r\n\r\n", noAnswer],
  [
    "half a body",
    "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{",
    "the connection was closed before the end of the answer",
  ],
  ["a page without a head", "<html></html>", /^the answer is not readable as HTTP: Expected HTTP\//],
  [
    "a head of 100 KB",
    `HTTP/1.1 200 OK\r\nX: ${"x".repeat(100_000)}\r\n\r\n`,
    "the head of the answer has more than 16384 bytes",
  ],
])(
  "an attempt that is answered with %s fails at once with the reason in words, and the clock goes on",
  async (_name, answer, error) => {
    const account = sandbox.account();
    await account.clock.freeze();
    const hook = await rawReceiver((socket) => void socket.end(answer));
    await post(account, "/v1/webhooks", { url: hook.url });
    await trigger(account);
    const [attempts] = await attemptsOf(account);
    expect(attempts).toMatchObject([
      { error: typeof error === "string" ? error : expect.stringMatching(error) },
    ]);
    await account.advance("1m");
    const { results } = await checkReceiver({
      url: hook.url,
      secret: "whsec_x",
      only: ["event", "slow"],
      timeout: 500,
    });
    expect(results.length).toBeGreaterThan(10);
  },
);

test("webhooks check skips interim answers too", async () => {
  const hook = await startReceiver((_count, response) => {
    response.writeContinue();
    response.writeHead(204).end();
  });
  onTestFinished(() => hook.close());
  const { results } = await checkReceiver({ url: hook.url, secret: "whsec_x", only: ["event", "slow"] });
  expect(results.filter(({ verdict }) => verdict !== "pass")).toEqual([]);
});

test("an attempt whose reused connection dies without an answer is sent again on a new one at once", async () => {
  const account = sandbox.account();
  const hook = await rawReceiver((socket, _connection, request) =>
    request === 1 ? void socket.write(ok) : void socket.resetAndDestroy(),
  );
  await post(account, "/v1/webhooks", { url: hook.url });
  await trigger(account);
  await trigger(account);
  expect(await attemptsOf(account)).toMatchObject([[{ status: 200 }], [{ status: 200, error: null }]]);
  expect(hook.connections()).toBe(2);
  expect(hook.requests[1]).toBe(hook.requests[2]);
});

test("an attempt whose answer has begun, or whose connection is new, is not sent again", async () => {
  const account = sandbox.account();
  await account.clock.freeze();
  const hook = await rawReceiver((socket, _connection, request) => {
    if (request === 1) socket.write(ok);
    else socket.end("HTTP/1.1 2");
  });
  const dead = await rawReceiver((socket) => void socket.destroy());
  for (const { url } of [hook, dead]) await post(account, "/v1/webhooks", { url });
  await trigger(account);
  await trigger(account);
  await until("all have an attempt", async () =>
    (await attemptsOf(account)).every(({ length }) => length > 0),
  );
  const errors = (await account.deliveries.list())
    .filter(({ url }) => url === hook.url)
    .map(({ attempts }) => attempts.map(({ status }) => status));
  expect(errors).toEqual([[null], [200]]);
  expect([hook.requests.length, dead.requests.length]).toEqual([2, 2]);
});

test("a host below localhost is this machine", async () => {
  const account = sandbox.account();
  const hook = await startReceiver();
  onTestFinished(() => hook.close());
  await post(account, "/v1/webhooks", { url: hook.url.replace("127.0.0.1", "shop.localhost") });
  await trigger(account);
  expect(await attemptsOf(account)).toMatchObject([[{ status: 200 }]]);
  expect(hook.received[0]?.headers.host).toMatch(/^shop\.localhost:\d+$/);
});

test("a refused URL with letters outside ASCII says how they are written", async () => {
  const { status, body } = await post(sandbox.account(), "/v1/webhooks", { url: "http://127.0.0.1:9/ü" });
  expect(status).toBe(400);
  expect(body.error.message).toContain("ü is %C3%BC");
  const encoded = await post(sandbox.account(), "/v1/webhooks", { url: "http://127.0.0.1:9/%C3%BC" });
  expect(encoded.status).toBe(201);
});

test("an answer that has begun and does not end is late: for the delivery log, and for webhooks check", async () => {
  const hook = await rawReceiver(
    (socket) => void socket.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"),
  );
  const attempt = newAttempt(0);
  const transport = new HttpTransport(200);
  onTestFinished(() => transport.destroy());
  const sent = transport.post(hook, { headers: {}, body: "{}" }, attempt);
  await expect(sent).rejects.toThrow("the answer did not end within 10 s");
  expect(attempt).toMatchObject({ status: 200, response_body: "{" });
  const only = ["event/payout.paid", "slow/reader", "time"];
  const { results } = await checkReceiver({ url: hook.url, secret: "whsec_x", only, timeout: 500 });
  expect(results.map(({ id, verdict }) => [id, verdict])).toEqual([
    ["event/payout.paid", "pass"],
    ["slow/reader", "fail"],
    ["time/answers", "fail"],
  ]);
  expect(results[1]?.says).toContain("gave an answer that did not end within 500 ms");
  expect(results[2]?.says).toContain("2 of 2 deliveries had no answer in time");
});
