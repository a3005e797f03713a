/**
 * Headers that Node or an object treats specially, wherever a user can name one: nothing ends the process. Long runs try every
 * value everywhere (hostile-headers.long.test.ts).
 */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { createSandbox, type SandboxAccount } from "../../src/index.js";
import { send } from "../support/raw.js";
import { startReceiver } from "../support/receiver.js";
import { call, post, useListeningSandbox, useSandbox } from "../support/sandbox.js";
import {
  askedTargets,
  body,
  cases,
  expectAnswers,
  expectConditions,
  ofConnection,
  others,
  partOf,
  path,
  values,
} from "./special-headers.js";

const sandbox = useListeningSandbox();
const inProcess = useSandbox();
afterEach(async () => {
  expect([...sandbox.warnings, ...inProcess.warnings]).toEqual([]);
  expect(await (await fetch(`${sandbox.url}/healthz`)).json()).toEqual({ status: "ok" });
});

const on = "startPhoneVerification";
const start = (account: SandboxAccount) => post(account, path, body);

describe("in requests", () => {
  test.each(askedTargets.map(([method, target], turn) => ({ method, target, turn })))(
    "$method $target gets an answer or a closed connection with any header, given once and twice",
    ({ method, target, turn }) =>
      expectAnswers(sandbox.url, sandbox.account().key, [method, target], partOf(cases, turn)),
  );

  test("of a client without a port, the sandbox answers as well", async () => {
    const account = inProcess.account();
    for (const { name, value } of partOf(cases, 0)) {
      const headers = new Headers({ "X-Service-Key": account.key });
      headers.append(name, value);
      headers.append(name, value);
      for (const init of [{}, { method: "POST", body: JSON.stringify(body) }]) {
        const reply = await account.fetch(init.method ? path : "/v1/balance", { ...init, headers });
        expect(reply.status, `${name}: ${value}`).toBeLessThan(500);
        await reply.text();
      }
    }
  });
});

test("in rules, any header can be a condition", () => expectConditions(sandbox.account(), partOf(cases, 0)));

describe("in held replies", () => {
  async function release(account: SandboxAccount, changes: object) {
    await account.rules.add({ on, hold: "reply", times: 1 });
    const replied = start(account);
    const { id } = await account.held.next();
    const { status, body } = await call(account, "POST", `/_sandbox/held/${id}/release`, changes);
    if (status !== 200) await account.held.release(id);
    return { status, body, reply: await replied };
  }

  test.each(ofConnection)("%s is refused, and the reply arrives unchanged", async (name) => {
    for (const written of [name, name.toLowerCase()])
      for (const value of values) {
        const { status, body, reply } = await release(sandbox.account(), { headers: { [written]: value } });
        expect([status, body.error.code, body.error.param]).toEqual([
          400,
          "validation_error",
          `headers.${written}`,
        ]);
        expect(body.error.message).toContain("concerns the connection, or the length of the body");
        expect(reply.status).toBe(201);
      }
  });

  test.each(others)("%s is sent, with any value", async (name) => {
    for (const value of ["x", "5", "a, b"]) {
      const { status, reply } = await release(sandbox.account(), { headers: { [name]: value }, body: "{}" });
      expect([status, reply.status, reply.headers.get(name)]).toEqual([200, 201, value]);
    }
  });

  test.each([
    [204, null],
    [205, "0"],
    [304, null],
  ])("with the status %i, nothing follows the head", async (status, length) => {
    for (const { account } of [{ account: sandbox.account() }, { account: inProcess.account() }])
      for (const more of [{}, { body: { a: 1 } }, { body: "text" }]) {
        const { reply } = await release(account, { status, ...more });
        expect([
          reply.status,
          reply.headers.get("Content-Length"),
          reply.headers.get("Content-Type"),
        ]).toEqual([status, length, null]);
        expect(reply.body).toBe("");
        expect((await account.requests.list())[0]).toMatchObject({ status, reply: null });
      }
  });
});

test("in webhooks, headers of the connection are refused and the others are sent", async () => {
  const account = sandbox.account();
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  await post(account, "/v1/webhooks", { url: receiver.url });
  await account.rules.add({ on: "payout.paid", hold: "webhook" });
  let sent = 0;
  for (const name of [...ofConnection, ...others]) {
    await account.events.trigger("payout.paid");
    const { id } = await account.held.next();
    const { status, body } = await call(account, "POST", `/_sandbox/held/${id}/release`, {
      headers: { [name]: "x" },
    });
    if (ofConnection.includes(name)) {
      expect([name, status, body.error.param]).toEqual([name, 400, `headers.${name}`]);
      await account.held.release(id);
    } else expect([name, status]).toEqual([name, 200]);
    const [got] = (await receiver.got(++sent)).slice(-1);
    // Node's own server, which the receiver is, has no place for a header of this name.
    if (ofConnection.includes(name) || name === "__proto__") continue;
    const { [name.toLowerCase()]: value } = got?.headers ?? {};
    expect([name, String(value)]).toEqual([name, "x"]);
  }
});

/** Serves a sandbox behind a listener for headers, as libraries put one on every response. */
async function behindListener(
  before: (response: ServerResponse, write: () => ServerResponse) => ServerResponse,
) {
  const warnings: string[] = [];
  const own = await createSandbox({ warn: (message) => warnings.push(message) });
  const server = createServer((request, response) => {
    const write = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
    response.writeHead = ((...args: unknown[]) => before(response, () => write(...args))) as never;
    own.app(request, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
    await own.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ask = () =>
    send(url, { method: "GET", target: "/v1/balance", headers: { "X-Service-Key": own.account().key } });
  return { ask, warnings };
}

describe("what a listener throws while a reply is written", () => {
  test("gives that request a 500 and a warning, and the next one its reply", async () => {
    let calls = 0;
    const { ask, warnings } = await behindListener((_response, write) => {
      if (++calls === 1) throw new Error("the listener failed");
      return write();
    });
    const refused = await ask();
    expect([refused.status, JSON.parse(refused.body).error.code]).toEqual([500, "internal_error"]);
    expect((await ask()).status).toBe(200);
    expect(warnings).toEqual([expect.stringMatching(/^GET \/v1\/balance: Error: the listener failed/)]);
  });

  test("closes the connection if the refusal cannot be written either", async () => {
    const { ask, warnings } = await behindListener(() => {
      throw new Error("the listener failed");
    });
    await expect(ask()).rejects.toThrow(/^closed after ""$/);
    expect(warnings).toHaveLength(1);
  });
});
