/** Activities on the terminal: `start --log`, `tail` and `explain`. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { SandboxAccount } from "../../src/client/account/account.js";
import { freshFolder } from "../support/folder.js";
import { startProgram } from "../support/program.js";
import { post } from "../support/sandbox.js";
import { until } from "../support/until.js";
import { runHere } from "./run-here.js";
import { spawnStandin } from "./spawned-program.js";
import { connectionTo, standin, useProgram } from "./use-program.js";

const program = useProgram();
const phone = { phone: "+2348031234567" };

/** Listens on the port until so many connections have come, which it ends at once. */
async function connectionsTo(port: number, count: number): Promise<void> {
  let seen = 0;
  const server = createServer((socket) => {
    seen++;
    socket.destroy();
  }).listen(port, "127.0.0.1");
  await until(`${count} connections have come`, () => seen >= count);
  server.close();
  await once(server, "close");
}

describe("standin start", () => {
  test("logs requests, messages and refused keys as lines of text", async () => {
    const started = spawnStandin(["start", "--memory", "--port", "0", "--log", "pretty"]);
    onTestFinished(() => void started.child.kill("SIGKILL"));
    const [, url] = /(http:\/\/127\.0\.0\.1:\d+)/.exec(await started.waitFor(/Ctrl\+C/)) as unknown as [
      string,
      string,
    ];
    await fetch(`${url}/v1/balance`);
    await started.waitFor(/GET \/v1\/balance 401 missing_api_key/);
    await fetch(`${url}/v1/phone/verify/start`, {
      method: "POST",
      headers: { "X-Service-Key": "svc_test_demo", "Content-Type": "application/json" },
      body: JSON.stringify(phone),
    });
    const text = await started.waitFor(
      /POST \/v1\/phone\/verify\/start 201, sent by default, NGN 6\.00, \d+ ms/,
    );
    expect(text).toMatch(/message SMS to \+2348031234567\s/);
  });

  test("logs lines of JSON with the account", async () => {
    const started = spawnStandin(["start", "--memory", "--port", "0", "--json", "--log", "json"]);
    onTestFinished(() => void started.child.kill("SIGKILL"));
    const { url } = JSON.parse(await started.waitFor(/\n/)) as { url: string };
    await fetch(`${url}/v1/balance`, { headers: { "X-Service-Key": "svc_test_demo" } });
    const [, line] = (await started.waitFor(/GET \/v1\/balance.*\n/)).split("\n") as [string, string];
    expect(JSON.parse(line)).toMatchObject({
      account: expect.stringMatching(/^acct_/),
      kind: "request",
      call: { status: 200 },
    });
  });

  test.each(["json", "pretty"])(
    "logs no code, key or BVN as %s, in whichever part of the address it is",
    async (form) => {
      const started = spawnStandin(["start", "--memory", "--port", "0", "--json", "--log", form]);
      onTestFinished(() => void started.child.kill("SIGKILL"));
      const { url } = JSON.parse(await started.waitFor(/\n/)) as { url: string };
      const account = new SandboxAccount({ baseUrl: url, key: "0wn-form/of.a~key" });
      await post(account, "/v1/phone/verify/start", phone);
      const [message] = await account.inbox.list();
      const code = message?.codes[0] as string;
      expect(code).toMatch(/^\d{6}$/);
      const bvn = "22398765432";
      for (const path of [
        `nowhere/${bvn}`,
        `audits/${encodeURIComponent(account.key)}`,
        `balance?bvn=22398%20765432&code=${code}`,
      ])
        await account.fetch(`/v1/${path}`);
      await account.fetch(`/v1/balance?api_key=${account.key}&to=%22${bvn}`);
      await account.fetch(`/v1/balance?from=${account.key}`);
      await account.fetch("/v1/balance?last=1");
      const log = await started.waitFor(/last=1/);
      expect(log).toContain("message");
      for (const secret of [code, bvn, "765432", account.key, encodeURIComponent(account.key)])
        expect(log).not.toContain(secret);
    },
  );

  test("logs nothing if its output is not a terminal", async () => {
    const started = spawnStandin(["start", "--memory", "--port", "0", "--json"]);
    const { url } = JSON.parse(await started.waitFor(/\n/)) as { url: string };
    await fetch(`${url}/v1/balance`);
    started.child.kill("SIGTERM");
    await started.exitCode;
    expect(started.stdout().trim().split("\n")).toHaveLength(1);
  });
});

describe("standin tail", () => {
  test("shows activities of the kind asked for as they happen", async () => {
    const account = program.account();
    const tail = spawnStandin(["tail", "--kind", "request", "--json", ...connectionTo(account)]);
    onTestFinished(() => void tail.child.kill("SIGKILL"));
    // It prints nothing before the first activity.
    await until("a request is shown", async () => {
      await post(account, "/v1/phone/verify/start", phone);
      return tail.stdout() !== "";
    });
    const [line] = tail.stdout().split("\n") as [string];
    expect(JSON.parse(line)).toMatchObject({ kind: "request", call: { status: 201 } });
    tail.child.kill("SIGINT");
    expect(await tail.exitCode).toBe(0);
  });

  test("waits while the sandbox is stopped or killed, however long, and continues when it is back", async () => {
    let sandbox = await startProgram(["--memory"]);
    onTestFinished(async () => void (await sandbox.stop("SIGKILL")));
    const port = Number(new URL(sandbox.url).port);
    const tail = spawnStandin(["tail", "--url", sandbox.url]);
    onTestFinished(() => void tail.child.kill("SIGKILL"));
    await until("a request is shown", async () => {
      await sandbox.account("svc_test_demo").fetch("/v1/balance");
      return tail.stdout().includes("/v1/balance");
    });
    const times = (text: string) => tail.stderr().split(text).length - 1;
    for (const [count, signal] of [
      [1, "SIGTERM"],
      [2, "SIGKILL"],
    ] as const) {
      await sandbox.stop(signal);
      await until("the sandbox is missed", () => times("has stopped answering") === count);
      await connectionsTo(port, 2);
      sandbox = await startProgram(["--memory", "--port", String(port)]);
      await until("the sandbox is found", () => times("connected again") === count);
    }
  });

  test("explains how to start a sandbox if none answers", async () => {
    const { code, stderr } = await runHere(["tail", "--url", "http://127.0.0.1:9"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('"standin start --port 9"')]);
  });
});

describe("standin explain", () => {
  test("prints the tree from the request to its effects", async () => {
    const account = program.account();
    const { body } = await post(account, "/v1/phone/verify/start", phone);
    await account.advance("10m");
    const lines = (await standin(account, "explain", body.id)).trimEnd().split("\n");
    expect(lines).toEqual([
      expect.stringMatching(/^ {2}\S+ {2}POST \/v1\/phone\/verify\/start 201.*\(req_\w+\)$/),
      expect.stringMatching(/^ {4}\S+ {2}job The code for \+2348031234567 expires\. {2}\(job_\w+\)$/),
      expect.stringMatching(
        /^> {5}\S+ {2}The code for \+2348031234567 expired\. \(phv_\w+, pending → expired\) {2}\(job_\w+\.1\)$/,
      ),
    ]);
  });

  test("reports an unknown id", async () => {
    const { code, stderr } = await runHere(["explain", "req_none", ...connectionTo(program.account())]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('There is no activity about "req_none" on this account'),
    ]);
  });

  test("draws the story as SVG or Mermaid, and takes one form alone", async () => {
    const account = program.account();
    const { headers } = await post(account, "/v1/phone/verify/start", phone);
    const id = headers.get("x-request-id") as string;
    const explain = (...flags: string[]) => runHere(["explain", id, ...flags, ...connectionTo(account)]);
    expect((await explain("--svg")).stdout).toMatch(
      /^<svg xmlns="[^"]+" class="story"[^>]*><title>Story of req_/,
    );
    expect((await explain("--mermaid")).stdout).toMatch(
      /^sequenceDiagram\n {2}participant person\n {2}participant client\n {2}participant service\n {2}client->>service: POST \/v1/,
    );
    expect((await explain("--svg", "--mermaid")).code).toBe(2);
  });
});

test("standin har writes the requests to a file and says how many, or to stdout", async () => {
  const account = program.account();
  await post(account, "/v1/phone/verify/start", phone);
  const file = join(freshFolder(), "requests.har");
  expect((await runHere(["har", file, ...connectionTo(account)])).stdout).toBe(
    `Wrote 1 request to ${file}.\n`,
  );
  expect(JSON.parse(readFileSync(file, "utf8")).log.entries).toHaveLength(1);
  const { stdout } = await runHere(["har", "-", ...connectionTo(account)]);
  expect(JSON.parse(stdout).log.entries).toHaveLength(1);
});
