/** A sandbox for the tests of one file, and a fresh account for each test. Every reply is checked against its schema. */
import { once } from "node:events";
import { rmSync } from "node:fs";
import { Agent, createServer, type Server } from "node:http";
import request from "supertest";
import { afterAll, beforeAll } from "vitest";
import { createInProcessClient, type InProcessClient } from "../../src/client/in-process.js";
import { createSandbox, type Sandbox, type SandboxAccount, type SandboxOptions } from "../../src/index.js";
import { createDatabase, type TestDatabase } from "./postgres.js";
import { temporaryFolder } from "./program.js";

/** Store of all sandboxes that name none: `postgres`, `file`, or memory by default. */
const { STANDIN_TEST_STORE: testStore } = process.env;

export interface Reply {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a reply can be any JSON, which the assertions check
  body: any;
}

/** Two ways to the application of a sandbox that listens on no port. */
interface Reach {
  server: Server;
  /** Keeps its connections, which supertest would otherwise open for each request. */
  agent: Agent;
  fetch: InProcessClient["fetch"];
}

const reachOf = new WeakMap<SandboxAccount, Reach>();

/**
 * Creates a sandbox before the file's tests and closes it after them. It listens on no port: `call` hands a server of its
 * application to supertest, and its accounts use connections in memory. Its warnings are in `warnings`.
 */
export function useSandbox(options: SandboxOptions = {}) {
  let sandbox: Sandbox;
  let reach: Reach;
  let database: TestDatabase | null = null;
  let folder: string | null = null;
  const warnings: string[] = [];
  beforeAll(async () => {
    database = testStore === "postgres" && !options.data ? await createDatabase() : null;
    if (testStore === "file") folder = temporaryFolder();
    sandbox = await createSandbox({
      validateReplies: true,
      warn: (message) => warnings.push(message),
      ...(database ? { store: database.url } : {}),
      ...(folder ? { data: folder } : {}),
      ...options,
    });
    // A server that closes idle connections could do so just when a request is sent.
    const server = createServer({ keepAliveTimeout: 0 }, sandbox.app).listen(0, "127.0.0.1");
    await once(server, "listening");
    reach = {
      server,
      agent: new Agent({ keepAlive: true }),
      fetch: createInProcessClient(createServer(sandbox.app)).fetch,
    };
  });
  afterAll(async () => {
    reach.agent.destroy();
    reach.server.close();
    reach.server.closeAllConnections();
    await sandbox.close();
    await database?.drop();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });
  return {
    warnings,
    listen: () => sandbox.listen(),
    account(input?: { key?: string; mode?: "test" | "live" }): SandboxAccount {
      const account = sandbox.account(input);
      reachOf.set(account, reach);
      return account;
    },
  };
}

/** Like `useSandbox`, but listens on a port, for tests of sockets, browsers and programs. */
export function useListeningSandbox(options: SandboxOptions = {}) {
  const { listen, ...sandbox } = useSandbox(options);
  let url = "";
  beforeAll(async () => {
    url = await listen();
  });
  return Object.defineProperty({ ...sandbox, url }, "url", { get: () => url });
}

/** Sends a request with these headers only, without the key, to the account's sandbox, which listens or is from `useSandbox`. */
export async function fetchFrom(
  account: SandboxAccount,
  path: string,
  init: RequestInit = {},
): Promise<Response> {
  if (account.baseUrl !== "") return fetch(account.baseUrl + path, init);
  return (reachOf.get(account) as Reach).fetch(path, init);
}

/** Calls the service with the account's key and a JSON body, through supertest if the sandbox has no port. */
export async function call(
  account: SandboxAccount,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const all = body === undefined ? headers : { "Content-Type": "application/json", ...headers };
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const reach = reachOf.get(account);
  if (!reach || account.baseUrl !== "")
    return read(
      await account.fetch(path, { method, headers: all, ...(body === undefined ? {} : { body: text }) }),
    );
  const calling = request(reach.server)
    [method.toLowerCase() as "get"](path)
    .agent(reach.agent)
    .set({ "X-Service-Key": account.key, ...all })
    .buffer(true)
    .parse(readText);
  const reply = await (body === undefined ? calling : calling.send(text));
  return toReply(reply.status, new Headers(reply.headers), reply.body);
}

/** Parser for superagent, which passes Node's own response to parsers. */
function readText(reply: unknown, done: (error: Error | null, text: string) => void): void {
  const response = reply as NodeJS.ReadableStream;
  let text = "";
  response.setEncoding("utf8");
  response.on("data", (chunk: string) => {
    text += chunk;
  });
  response.on("end", () => done(null, text));
}

export const read = async (response: Response): Promise<Reply> =>
  toReply(response.status, response.headers, await response.text());

const toReply = (status: number, headers: Headers, text: string): Reply => ({
  status,
  headers,
  body: headers.get("content-type")?.includes("json") ? JSON.parse(text) : text,
});

export const post = (
  account: SandboxAccount,
  path: string,
  body: unknown,
  headers?: Record<string, string>,
) => call(account, "POST", path, body, headers);

/** Starts a phone verification, which costs 6 naira and leaves a record and a message. */
export const startPhone = (account: SandboxAccount): Promise<Reply> =>
  post(account, "/v1/phone/verify/start", { phone: "08031234567" });
