/** A sandbox that is configured by its environment alone and used from elsewhere, at another port and host name. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { Agent, fetch as fetchFrom } from "undici";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SandboxAccount } from "../../src/library/account.js";
import { bundledScenarioNames } from "../../src/scenarios/bundled-scenarios.js";
import { randomHex } from "../../src/world/time/random.js";
import { programFile, temporaryFolder } from "../support/program.js";
import { spawnProgram } from "./spawned-program.js";

const hostName = "sandbox.example";
const adminToken = "opensesame";
const names = await bundledScenarioNames();

/** Resolves the sandbox's host name to this machine, as a DNS server would. */
const agent = new Agent({
  connect: { lookup: (_name, _options, done) => done(null, [{ address: "127.0.0.1", family: 4 }]) },
});
afterAll(() => agent.destroy());

/** Sends a request with the agent. The request is formed by Node, whose forms and streams undici's own types do not admit. */
function fetch(url: string, init: RequestInit): Promise<Response> {
  const { method, headers, body } = new Request(url, init);
  const request = { method, headers: Object.fromEntries(headers), body, duplex: "half", dispatcher: agent };
  return fetchFrom(url, { ...request, signal: init.signal } as never) as never;
}

/** Maps a free port to another, as a container engine does. */
async function mapPort(port: number): Promise<number> {
  const mapper = createServer((client) => {
    const server = connect(port, "127.0.0.1");
    client.pipe(server).pipe(client);
    for (const socket of [client, server]) socket.on("error", () => [client, server].map((s) => s.destroy()));
  }).listen(0, "127.0.0.1");
  afterAll(() => void mapper.close());
  await once(mapper, "listening");
  return (mapper.address() as AddressInfo).port;
}

let baseUrl = "";
beforeAll(async () => {
  const { child, waitFor } = spawnProgram(process.execPath, [programFile], {
    cwd: temporaryFolder(),
    env: {
      PATH: process.env.PATH,
      STANDIN_HOST: "0.0.0.0",
      STANDIN_PORT: "0",
      STANDIN_MEMORY: "true",
      STANDIN_JSON: "true",
      STANDIN_ADMIN_TOKEN: adminToken,
      STANDIN_ALLOW_HOST: hostName,
    },
  });
  const { url } = JSON.parse(await waitFor(/\n/));
  baseUrl = `http://${hostName}:${await mapPort(Number(new URL(url).port))}`;
  return () => void child.kill("SIGKILL");
});

const account = (mode = "test") =>
  new SandboxAccount({
    baseUrl,
    key: `svc_${mode}_${randomHex(12)}`,
    adminToken,
    fetch,
  });

test.each(names)("the scenario %s passes from outside", async (name) => {
  const { steps, passed } = await account(name === "live-key" ? "live" : "test").scenario.run(name);
  expect(steps.filter(({ problems }) => problems.length > 0)).toEqual([]);
  expect(passed).toBe(true);
});

test("the receivers of a scenario are reached through a relay", async () => {
  const receive = { receive: { answers: [500, 204] } };
  const list = { control: "GET /webhooks", expect: { items: [{ url: "relay:scenario-1" }] } };
  const event = { control: "POST /events", body: { event: "payout.paid", data: { amount: 7 } } };
  const webhook = {
    webhook: "payout.paid",
    expect: {
      deliveries: [{ status: "succeeded", attempts: [{ status: 500 }, { status: 204 }] }],
      received: [{ signed: true, body: { data: { amount: 7 } } }, { signed: true }],
    },
  };
  const remote = account();
  const given = { clock: "2026-03-01T09:00:00Z" };
  const steps = [receive, list, event, { advance: "10s" }, webhook];
  const result = await remote.scenario.run({ name: "From outside", given, steps });
  expect(result.steps.flatMap(({ problems }) => problems)).toEqual([]);
  expect(result.passed).toBe(true);
  expect(await remote.webhooks.list()).toEqual([]);
});
