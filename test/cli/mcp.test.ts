/** `standin mcp`, driven by the client of the protocol's SDK. */
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startReceiver } from "../support/receiver.js";
import { useListeningSandbox } from "../support/sandbox.js";

const sandbox = useListeningSandbox();

interface Answer {
  text: string;
  isError: boolean;
}

interface Agent {
  client: Client;
  call(name: string, input?: object): Promise<Answer>;
}

/** Starts a session of `standin mcp`, which ends with the test. */
async function startAgent(...flags: string[]): Promise<Agent> {
  const agent = await connectAgent(...flags);
  onTestFinished(() => agent.client.close());
  return agent;
}

async function connectAgent(...flags: string[]): Promise<Agent> {
  const client = new Client({ name: "test", version: "1.0.0" });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ["dist/standin.cjs", "mcp", ...flags],
    stderr: "inherit",
  });
  await client.connect(transport);
  const call = async (name: string, input: object = {}): Promise<Answer> => {
    const { content, isError } = await client.callTool({ name, arguments: { ...input } });
    const [{ text }] = content as unknown as [{ text: string }];
    return { text, isError: isError === true };
  };
  return { client, call };
}

/** Takes the value of a field out of a text that contains JSON. */
const fieldIn = (text: string, name: string): string =>
  new RegExp(`"${name}":"([^"]+)"`).exec(text)?.[1] ?? "";

describe("an agent", () => {
  test("is told that a scenario without steps has shown nothing", async () => {
    const { call } = await startAgent();
    expect((await call("scenario", { yaml: "name: Rules alone" })).text).toBe(
      "Rules alone: loaded, and nothing was tried, since it has no steps.",
    );
  });

  test("finds out why a payout was rejected, and pays the next one", async () => {
    const { call } = await startAgent();
    expect((await call("status")).text).toMatch(/SERVICE_BASE_URL=http:\/\/127\.0\.0\.1:\d+/);
    const { text } = await call("find_operation", { query: "payout" });
    expect(text).toContain("createPayout");
    const [, nextCall = "{}"] = /^Next: find_operation (.*)$/m.exec(text) ?? [];
    expect((await call("find_operation", JSON.parse(nextCall))).text).toMatch(
      /^\w+ {2}\w+ \/v1\/business\/payout/,
    );
    expect((await call("find_operation", { query: "createPayout" })).text).toMatch(/outcome rejected/);
    expect((await call("scenario", { name: "payout-rejected" })).text).toMatch(/passed/);
    await call("set_rules", { rules: [{ on: "createPayout", outcome: "rejected" }] });

    const created = await call("call", { operation: "createPayout", body: { amount: 5_000 } });
    expect(created.text).toMatch(/^201 req_/);
    const id = fieldIn(created.text, "id");
    const later = await call("advance", { by: "2m" });
    expect(later.text).toContain(id);
    await call("wait_for", { what: "event", event: "payout.rejected" });

    const found = await call("activity", { q: id });
    expect(found.text).toContain(id);
    const why = await call("explain", { id });
    expect(why.text).toMatch(/rejected by rule_/);
    expect(why.text).toContain("payout.rejected");

    expect((await call("set_rules", { rules: [] })).text).toBe("There are no rules now.");
    const next = await call("call", { operation: "createPayout", body: { amount: 5_000 } });
    await call("advance", { by: "24h" });
    expect((await call("explain", { id: fieldIn(next.text, "id") })).text).toMatch(/payout.paid/);
  });

  test("reads a code that was sent to a person, and checks a receiver", async () => {
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    const { call } = await startAgent();
    await call("call", { operation: "startPhoneVerification", body: { phone: "08031234567" } });
    const { text } = await call("wait_for", { what: "message", to: "08031234567" });
    expect(JSON.parse(text)).toMatchObject({ channel: "sms", codes: [expect.stringMatching(/^\d+$/)] });
    expect((await call("check_receiver", { url: receiver.url })).text).toContain("forged");
  });

  test("has an account of its own on a sandbox that runs elsewhere", async () => {
    const [one, other] = [await startAgent("--url", sandbox.url), await startAgent("--url", sandbox.url)];
    await one.call("call", { operation: "getBalance" });
    expect((await one.call("activity")).text).toContain("/v1/balance");
    expect((await other.call("activity")).text).toMatch(/^Nothing/);
  });
});

const mistakes: [what: string, tool: string, input: object, answer: RegExp][] = [
  ["an unknown operation", "call", { operation: "createPayuot" }, /nearest .*createPayout/],
  ["a missing path parameter", "call", { operation: "getAudit" }, /needs params/],
  ["an unknown id", "explain", { id: "po_unknown" }, /There is no activity[\s\S]*Next: activity lists ids/],
  [
    "a rule without sense",
    "set_rules",
    { rules: [{ on: "createPayout", outcome: "x" }] },
    /it has paid[\s\S]*Next: correct/,
  ],
  [
    "a message that never comes",
    "wait_for",
    { what: "message", timeout: "10ms" },
    /No new message[\s\S]*Next: call what causes/,
  ],
  ["a duration in words", "advance", { by: "5 days" }, /such as 90s[\s\S]*Next: status shows the clock/],
  ["a filter that is none", "activity", { kind: "nope" }, /kind must be one of[\s\S]*Next: activity without/],
  [
    "a folder in place of a file",
    "call",
    { operation: "verifyDocument", files: { file: "/" } },
    /cannot be read: it is a folder; give the path of a file that exists/,
  ],
  [
    "a file that is missing",
    "call",
    { operation: "verifyDocument", files: { file: "/none.png" } },
    /give the path of a file that exists/,
  ],
  [
    "a scenario with a mistake",
    "scenario",
    { yaml: "name: x\nsteps:\n  - call: GET /v1/no\n" },
    /has no GET \/v1\/no[\s\S]*Next: .*find_operation/,
  ],
  ["a URL that is none", "check_receiver", { url: "nope" }, /Next: start the receiver/],
  ["a wrong argument", "advance", { by: 5 }, /by must be.* Correct the arguments of advance/],
  [
    "an argument of another name",
    "find_operation",
    { id: "createPayout" },
    /id is not an argument: it has query\..* Correct the arguments of find_operation/,
  ],
  [
    "an argument that would be ignored",
    "scenario",
    { run: "payout-paid" },
    /run is not an argument: it has name, yaml/,
  ],
  ["an unknown tool", "explian", {}, /There is no tool explian; the nearest is explain/],
  ["an unknown scenario", "scenario", { name: "payout-rejectd" }, /the nearest is payout-rejected/],
  ["a receiver that does not answer", "check_receiver", { url: "http://127.0.0.1:9/" }, /127\.0\.0\.1:9/],
];

describe("the tools", () => {
  let agent: Agent;
  beforeAll(async () => {
    agent = await connectAgent("--url", sandbox.url);
    return () => agent.client.close();
  });

  test("are at most ten, with schemas of at most 2,000 tokens together", async () => {
    const { tools } = await agent.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      "status",
      "find_operation",
      "call",
      "wait_for",
      "activity",
      "explain",
      "set_rules",
      "advance",
      "scenario",
      "check_receiver",
    ]);
    // Tokenizers need at least three characters of English and JSON for a token, most of them four.
    expect(JSON.stringify(tools).length / 3).toBeLessThan(2_000);
  });

  test("answer mistakes with what to do instead", async () => {
    for (const [what, name, input, expected] of mistakes) {
      const { text, isError } = await agent.call(name, input);
      expect([text, isError], what).toEqual([expect.stringMatching(expected), true]);
    }
  });

  test("say how to go on when no sandbox answers", async () => {
    const { call } = await startAgent("--url", "http://127.0.0.1:9");
    expect((await call("status")).text).toMatch(
      /Next: start one with standin start, or run standin mcp without --url/,
    );
  });
});
