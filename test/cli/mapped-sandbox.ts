/** A sandbox that is configured by its environment alone, bound to 0.0.0.0 and used at another port and host name. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { Agent, fetch as fetchFrom } from "undici";
import { afterAll, beforeAll } from "vitest";
import { SandboxAccount } from "../../src/client/account/account.js";
import { randomHex } from "../../src/time/random.js";
import { programFile, temporaryFolder } from "../support/program.js";
import { spawnProgram } from "./spawned-program.js";

export const hostName = "sandbox.example";
export const adminToken = "opensesame";

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

/** Starts the sandbox before the tests of a file. */
export function useMappedSandbox() {
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

  return {
    /** The URL at which it is used. */
    get url() {
      return baseUrl;
    },
    /** Returns a fresh account. */
    account: (mode = "test") =>
      new SandboxAccount({ baseUrl, key: `svc_${mode}_${randomHex(12)}`, adminToken, fetch }),
  };
}
