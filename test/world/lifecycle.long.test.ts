import { existsSync } from "node:fs";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { freshFolder, startOn } from "../support/folder.js";
import { openOn } from "../support/folder-sandbox.js";
import type { Program } from "../support/program.js";
import { startReceiver } from "../support/receiver.js";
import { shareOf } from "../support/repetitions.js";
import { post } from "../support/sandbox.js";
import { until } from "../support/until.js";

const key = "svc_test_lifecycle";
const path = "/v1/phone/verify/start";
const body = JSON.stringify({ phone: "08031234567" });

/** Sends a request that the server starts to process, and returns its answer. Without a body the request is complete. */
async function beginRequest(program: Program, method: string, path: string, length = 0) {
  const headers = {
    "X-Service-Key": key,
    "Content-Type": "application/json",
    "Content-Length": length,
    Expect: "100-continue",
  };
  const rest: ClientRequest = request(program.url + path, { method, headers });
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    rest.once("response", resolve);
    rest.once("error", reject);
  });
  rest.flushHeaders();
  await new Promise((resolve) => rest.once("continue", resolve));
  return { rest, answer };
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of response) text += chunk;
  return text;
}

/** Waits until new connections are refused. */
const stopsListening = (program: Program) =>
  until("the port is closed", () =>
    fetch(`${program.url}/healthz`).then(
      () => false,
      () => true,
    ),
  );

const signals = ["SIGTERM", "SIGINT"] as const;

test.each(shareOf(signals, 2, 0))(
  "%s ends an idle program with exit code 0 and releases the folder",
  async (signal) => {
    const folder = freshFolder();
    const program = await startOn(folder);
    const { id } = (await post(program.account(key), path, { phone: "08031234567" })).body;
    expect(existsSync(join(folder, "lock"))).toBe(true);
    expect(await program.stop(signal)).toBe(0);
    expect(existsSync(join(folder, "lock"))).toBe(false);
    expect(program.stderr()).toBe("");
    const again = await openOn(folder);
    expect((await again.account(key).records.get(id)).state).toBe("pending");
  },
);

test.each(shareOf(signals, 2, 1))(
  "%s lets a request in progress finish, and keeps its changes",
  async (signal) => {
    const folder = freshFolder();
    const program = await startOn(folder);
    const { rest, answer } = await beginRequest(program, "POST", path, body.length);
    rest.write(body.slice(0, 5));
    const ended = program.stop(signal);
    await stopsListening(program);
    rest.end(body.slice(5));
    const response = await answer;
    expect(response.statusCode).toBe(201);
    const { id } = JSON.parse(await textOf(response));
    expect(await ended).toBe(0);
    const again = await openOn(folder);
    expect((await again.account(key).records.get(id)).state).toBe("pending");
  },
);

test.each(shareOf(signals, 2, 0))(
  "%s answers clients that wait for a message, without waiting longer",
  async (signal) => {
    const program = await startOn(freshFolder());
    const { rest, answer } = await beginRequest(program, "GET", "/_sandbox/inbox/wait?timeout=60s");
    rest.end();
    expect(await program.stop(signal)).toBe(0);
    expect(JSON.parse(await textOf(await answer)).error.code).toBe("wait_timeout");
  },
);

test("everything acknowledged during shutdown is kept", async () => {
  const folder = freshFolder();
  const program = await startOn(folder);
  const ids: string[] = [];
  const client = async () => {
    for (;;) ids.push((await post(program.account(key), path, { phone: "08031234567" })).body.id);
  };
  const clients = Array.from({ length: 8 }, () => client().catch(() => {}));
  await until("writes are under way", () => ids.length > 20);
  expect(await program.stop()).toBe(0);
  await Promise.all(clients);
  const again = await openOn(folder);
  const account = again.account(key);
  for (const id of ids) expect((await account.records.get(id)).state).toBe("pending");
  expect(await account.inbox.list()).toHaveLength(ids.length);
});

test("a hanging delivery attempt delays shutdown only briefly, and is repeated after the next start", async () => {
  const folder = freshFolder();
  const receiver = await startReceiver((count, response) => {
    if (count > 1) response.end();
  });
  onTestFinished(() => receiver.close());
  const program = await startOn(folder);
  await post(program.account(key), "/v1/webhooks", { url: receiver.url });
  await program.account(key).events.trigger("payout.paid");
  await receiver.got(1);
  expect(await program.stop()).toBe(0);
  expect(existsSync(join(folder, "lock"))).toBe(false);
  await openOn(folder);
  const [first, second] = await receiver.got(2);
  expect(second?.body).toEqual(first?.body);
});
