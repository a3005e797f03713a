import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { collectConditions, forwardingTarget } from "../../../src/cli/webhooks/forwarding.js";
import type { SandboxAccount } from "../../../src/client/account/account.js";
import { freePort } from "../../support/port.js";
import { programFile, startProgram, temporaryFolder } from "../../support/program.js";
import { expectedSignature, startReceiver } from "../../support/receiver.js";
import { post } from "../../support/sandbox.js";
import { until } from "../../support/until.js";
import { runHere } from "../run-here.js";
import { type SpawnedProgram, spawnOnTerminal, spawnStandin } from "../spawned-program.js";
import { connectionTo, useProgram } from "../use-program.js";
import { listen } from "./listening.js";

const program = useProgram();

interface Endpoint {
  id: string;
  url: string;
  events: string[];
  description: string | null;
}

const endpoints = async (account: SandboxAccount): Promise<Endpoint[]> =>
  (await account.control<{ items: Endpoint[] }>("GET", "/webhooks")).items;

async function receiver(...args: Parameters<typeof startReceiver>) {
  const started = await startReceiver(...args);
  onTestFinished(() => started.close());
  return started;
}

async function stop({ child, exitCode }: SpawnedProgram): Promise<number | null> {
  child.kill("SIGINT");
  return exitCode;
}

test("standin listen --print-secret prints the secret and registers nothing", async () => {
  const account = program.account();
  await account.update({ webhook_secret: "whsec_of_my_tests" });
  const args = ["listen", "--print-secret", ...connectionTo(account)];
  expect(await runHere(args)).toMatchObject({ code: 0, stdout: "whsec_of_my_tests\n" });
  expect(JSON.parse((await runHere([...args, "--json"])).stdout)).toEqual({ secret: "whsec_of_my_tests" });
  expect(await endpoints(account)).toEqual([]);
});

test("standin listen --print-secret prints the relay's own secret where each endpoint has one", async () => {
  const own = await startProgram(["--memory", "--assume", "webhooks.secret=endpoint"]);
  onTestFinished(async () => void (await own.stop()));
  const account = own.account("svc_test_own_secrets");
  const args = ["listen", "--print-secret", "--relay", "laptop", ...connectionTo(account)];
  expect(await runHere(args)).toMatchObject({
    code: 1,
    stderr:
      "standin: the relay laptop is not registered, and each endpoint has its own secret here; standin listen prints it when it starts\n",
  });
  const { secret } = await account.control<{ secret: string }>("POST", "/webhooks", { url: "relay:laptop" });
  expect(secret).not.toBe((await account.call("getAccount")).webhook_secret);
  expect(await runHere(args)).toMatchObject({ code: 0, stdout: `${secret}\n` });
});

describe("standin listen", () => {
  test("registers a relay, prints the signing secret, registers the relay again after a reset, and removes it on exit", async () => {
    const account = program.account();
    const { url, got } = await receiver();
    const listening = await listen(account, url);
    const secret = /Secret: (whsec_\w+)/.exec(listening.stdout())?.[1] as string;
    const { port } = new URL(url);
    const relay = expect.stringMatching(new RegExp(`^relay:[\\w.-]+-${port}-webhooks$`));
    expect(await endpoints(account)).toMatchObject([{ url: relay, events: ["*"] }]);
    await account.events.trigger("payout.paid");
    const [delivered] = await got(1);
    expect(delivered?.headers["x-service-signature"]).toBe(
      expectedSignature(delivered?.body as Buffer, secret),
    );
    await account.reset();
    const [again] = await until("the endpoint is back", async () => {
      const found = await endpoints(account);
      return found.length > 0 && found;
    });
    expect(again).toMatchObject({ url: relay });
    await account.events.trigger("payout.failed");
    await listening.waitFor(/payout\.failed +dlv_\w+ {2}attempt 1 of 6/);
    expect(await stop(listening)).toBe(0);
    expect(await endpoints(account)).toEqual([]);
    expect(listening.stderr()).toBe("");
  });

  test("shows each attempt with its number, its status or why there is none, and the time of the next one", async () => {
    const account = program.account();
    const { url, close } = await receiver((count, response) =>
      response.writeHead(count === 1 ? 503 : 204).end(),
    );
    const listening = await listen(account, url);
    await account.clock.freeze();
    await account.events.trigger("payout.paid");
    await listening.waitFor(/attempt 1 of 6/);
    await account.advance("1m");
    const output = await listening.waitFor(/attempt 2 of 6/);
    const [delivery] = await account.deliveries.list();
    expect(output).toMatch(
      new RegExp(
        `^\\S+Z {2}payout\\.paid +${delivery?.id} {2}attempt 1 of 6 {2}503 {2}\\d+ ms {2}next \\S+Z {2}Sent by hand\\.$`,
        "m",
      ),
    );
    expect(output).toMatch(
      new RegExp(
        `^\\S+Z {2}payout\\.paid +${delivery?.id} {2}attempt 2 of 6 {2}204 {2}\\d+ ms {2}Sent by hand\\.$`,
        "m",
      ),
    );
    await close();
    await account.events.trigger("payout.failed");
    expect(await listening.waitFor(/payout\.failed.*attempt 1 of 6/)).toMatch(
      /payout\.failed.*attempt 1 of 6 {2}.*ECONNREFUSED/,
    );
    await stop(listening);
  });

  test("--events limits the events, and --json prints one line at the start and for each attempt", async () => {
    const account = program.account();
    const { url } = await receiver();
    const listening = await listen(account, url, "--json", "--events", "payout.paid, payout.failed");
    expect((await endpoints(account))[0]?.events).toEqual(["payout.paid", "payout.failed"]);
    await account.events.trigger("payment.failed");
    await account.events.trigger("payout.failed");
    await listening.waitFor(/"attempt"/);
    await stop(listening);
    const [start, attempt, ...more] = listening
      .stdout()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const [delivery] = await account.deliveries.list();
    expect(start).toMatchObject({
      listening: true,
      url,
      events: ["payout.paid", "payout.failed"],
      registered_before: false,
    });
    expect(attempt).toMatchObject({
      event: "payout.failed",
      delivery_id: delivery?.id,
      attempt: 1,
      of: 6,
      status: 200,
      error: null,
      next_attempt_at: null,
    });
    expect(more).toEqual([]);
  });

  test("leaves an existing relay unchanged", async () => {
    const account = program.account();
    const { url } = await receiver();
    const body = { url: "relay:mine", events: ["payout.paid"], description: "mine" };
    await account.control("POST", "/webhooks", body);
    const before = await endpoints(account);
    const widened = await listen(account, url, "--relay", "mine", "--events", "payout.failed");
    expect((await endpoints(account))[0]?.events).toEqual(["payout.failed"]);
    await stop(widened);
    expect(await endpoints(account)).toEqual(before);
  });

  test("keeps the relay while another program is listening on it", async () => {
    const account = program.account();
    const { url } = await receiver();
    const [one, other] = [
      await listen(account, url, "--relay", "shared"),
      await listen(account, url, "--relay", "shared"),
    ];
    await stop(one);
    expect(await endpoints(account)).toMatchObject([{ url: "relay:shared" }]);
    await stop(other);
    expect(await endpoints(account)).toEqual([]);
  });

  test.each([
    ["its host and port", (url: URL) => `${url.host}${url.pathname}`],
    ["a port of this machine", (url: URL) => url.port],
    ["a port and a path", (url: URL) => `:${url.port}/hooks`],
  ])("forwards to a receiver that is given by %s", async (_title, shorten) => {
    const account = program.account();
    const { url, received } = await receiver();
    const listening = await listen(account, shorten(new URL(url)));
    await account.events.trigger("payout.paid");
    expect(await listening.waitFor(/payout\.paid .* 200/)).toContain("http://127.0.0.1:");
    expect(received.map(({ body }) => JSON.parse(body.toString()).event)).toEqual(["payout.paid"]);
    await stop(listening);
  });

  test("warns if the URL is also registered directly", async () => {
    const account = program.account();
    const { url } = await receiver();
    await post(account, "/v1/webhooks", { url });
    const listening = await listen(account, url);
    expect(listening.stderr()).toContain("it gets every event twice");
    await stop(listening);
  });

  test("--forward-only forwards only these events, and answers the others itself", async () => {
    const account = program.account();
    const { url, received } = await receiver();
    const listening = await listen(account, url, "--forward-only", "payout.failed");
    await account.events.trigger("payout.paid");
    await account.events.trigger("payout.failed");
    expect(await listening.waitFor(/payout\.failed .* 200/)).toMatch(/payout\.paid .* not forwarded/);
    expect(received.map(({ body }) => JSON.parse(body.toString()).event)).toEqual(["payout.failed"]);
    const statuses = async () => (await account.deliveries.list()).map(({ status }) => status);
    await until("both are delivered", async () => (await statuses()).join() === "succeeded,succeeded");
    await stop(listening);
  });

  test("--route sends events to paths of their own, and --where forwards only those with a value", async () => {
    const account = program.account();
    const { url, received } = await receiver();
    const routes = ["--route", "payout.*=/payouts", "--route", "refund.requested=/refunds?new=1"];
    const listening = await listen(account, url, ...routes, "--where", "data.reference=order-1");
    const send = (event: "payout.paid" | "refund.requested" | "payment.failed", reference: string) =>
      account.events.trigger(event, { reference });
    for (const event of ["payout.paid", "refund.requested", "payment.failed"] as const)
      await send(event, "order-1");
    await send("payout.paid", "order-2");
    expect(await listening.waitFor(/not forwarded/)).toMatch(/payout\.paid .* not forwarded/);
    await until("three deliveries", () => received.length === 3);
    expect(received.map(({ path }) => path).sort()).toEqual(["/payouts", "/refunds?new=1", "/webhooks"]);
    await stop(listening);
  });

  test.each([
    ["data.amount=7000.0", true],
    ["data.amount=7001", false],
    ["data.amount=", false],
    ["data.reference=7000", true],
    ["data.reference=7000.0", false],
    ["data.reason=null", true],
    ["data.constructor.name=Object", false],
    ["data.reference.length=4", false],
    ["data.odd=x", false],
    ["data.odd.toString=1", true],
  ])("--where %s compares a field of the payload: %s", (condition, isForwarded) => {
    const where = collectConditions(condition);
    const url = "http://127.0.0.1:9/";
    const data = { amount: 7000, reference: "7000", reason: null, odd: { toString: 1 } };
    const forwarding = { url, only: null, routes: [], where, prints: false };
    const target = forwardingTarget(
      forwarding,
      "payout.paid",
      JSON.stringify({ event: "payout.paid", data }),
    );
    expect(target).toBe(isForwarded ? url : null);
  });

  test.each([
    [["--route", "payouts.*=/x"], /No event matches payouts\.\*.*there are verification\.completed/],
    [["--route", "payout.*"], /A route is an event, .* such as payout\.\*=\/payouts/],
    [["--route", "*=nowhere"], /and a path or URL/],
    [
      ["--where", "status"],
      /A condition is a field of the payload and its value, such as data\.status=failed/,
    ],
    [["--where", "data.statsu=paid"], /data has no field statsu; the nearest is status/],
    [["--where", "dat.status=paid"], /A payload has no field dat; the nearest is data/],
    [["--where", "status=paid"], /A payload has no field status; it has event, job_id, created_at, data/],
  ])("%j is refused with what is right", async (args, problem) => {
    const { code, stderr } = await runHere(["listen", "http://127.0.0.1:9/", ...args]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(problem)]);
  });

  test("on a terminal, p pauses and goes on, r retries the last failed delivery, and q ends", async () => {
    const account = program.account();
    const { url, got } = await receiver((count, response) =>
      response.writeHead(count === 1 ? 500 : 200).end(),
    );
    const line = [process.execPath, programFile, "listen", url, ...connectionTo(account)].join(" ");
    const listening = spawnOnTerminal(line);
    onTestFinished(() => void listening.child.kill("SIGKILL"));
    await listening.waitFor(/Press r to retry the last failed delivery, p to pause, q or Ctrl\+C to stop/);
    const press = (key: string) => listening.child.stdin?.write(key);
    press("r");
    await listening.waitFor(/no delivery has failed yet/);
    press("p");
    await listening.waitFor(/paused: attempts wait/);
    await account.clock.freeze();
    await account.events.trigger("payout.paid");
    press("p");
    await listening.waitFor(/attempt 1 of 6 {2}.*500/);
    press("r");
    await listening.waitFor(/attempt 2 of 6 {2}.*200/);
    await got(2);
    press("q");
    expect(await listening.exitCode).toBe(0);
    expect(await endpoints(account)).toEqual([]);
  });

  test("--print shows headers and body, and needs no URL", async () => {
    const account = program.account();
    const listening = spawnStandin(["listen", "--print", ...connectionTo(account)]);
    onTestFinished(() => void listening.child.kill("SIGKILL"));
    await listening.waitFor(/whsec_/);
    await account.events.trigger("payout.paid");
    expect(await listening.waitFor(/"event": "payout\.paid"/)).toMatch(/X-Service-Signature: [\da-f]{64}/);
    await stop(listening);
  });

  test("exits with 0 when stdout is closed", async () => {
    const account = program.account();
    const { url } = await receiver();
    const listening = await listen(account, url);
    listening.child.stdout?.destroy();
    await account.events.trigger("payout.paid");
    expect([await listening.exitCode, listening.stderr()]).toEqual([0, ""]);
    expect(await endpoints(account)).toEqual([]);
  });

  test("waits when the sandbox stops, and continues when it is back", async () => {
    const port = String(await freePort());
    const folder = temporaryFolder();
    const flags = ["--data", folder, "--port", port];
    const first = await startProgram(flags);
    const { url, got } = await receiver();
    const listening = await listen(first.account("svc_test_stopped"), url);
    await first.stop();
    await listening.waitFor(/has stopped answering; waiting for it/);
    const second = await startProgram(flags);
    onTestFinished(() => void second.stop("SIGKILL"));
    await listening.waitFor(/connected again/);
    await second.account("svc_test_stopped").events.trigger("payout.paid");
    await got(1);
    expect(await stop(listening)).toBe(0);
    expect(await endpoints(second.account("svc_test_stopped"))).toEqual([]);
  });

  test.each<[string[], RegExp]>([
    [["ftp://shop.example/hook"], /such as http:\/\/127\.0\.0\.1:3000\/webhooks; got ftp/],
    [["http://user:word@shop.example/"], /without user name/],
    [
      ["http://127.0.0.1:9/", "--events", "payout.pad"],
      /"payout\.pad"; the nearest is payout\.paid; there are /,
    ],
  ])("rejects %j in one line with a correction", async (args, pattern) => {
    const { code, stdout, stderr } = await runHere(["listen", ...args]);
    expect([code, stdout, stderr.trim().split("\n").length]).toEqual([2, "", 1]);
    expect(stderr).toMatch(pattern);
  });

  test("reports that no sandbox is running", async () => {
    const args = ["listen", "http://127.0.0.1:9/", "--url", "http://127.0.0.1:9"];
    expect(await runHere(args)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("standin start"),
    });
  });
});

test("standin listen lives on whatever headers a request has, and on receivers that answer no HTTP", async () => {
  const account = program.account();
  const answers = [
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
    "no HTTP\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{",
    "",
  ];
  let connections = 0;
  const strange = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => void socket.end(answers[connections++ % answers.length] ?? ""));
  });
  strange.listen(0, "127.0.0.1");
  await once(strange, "listening");
  onTestFinished(() => void strange.close());
  const { child } = await listen(
    account,
    `http://127.0.0.1:${(strange.address() as AddressInfo).port}/webhooks`,
    ...["--relay", "strange"],
  );
  const send = (headers: object, sending: object) =>
    account.control<{ status: number | null; error: string | null }>("POST", "/relays/strange/requests", {
      ...{ headers, body: "{}", title: "a request", sending: { timeout: 300, ...sending } },
    });
  const names = [
    "Trailer",
    "Expect",
    "Upgrade",
    "Connection",
    "Content-Length",
    "a name",
    "",
    "__proto__",
    "Transfer-Encoding",
  ];
  const cases = [{}, { pieces: 2 }, { hangUp: true }, { method: "GET" }].flatMap((sending) =>
    names.flatMap((name) => ["x", "100-continue", "a\nb"].map((value) => send({ [name]: value }, sending))),
  );
  for (const { error } of await Promise.all(cases)) expect(String(error)).not.toMatch(/the listener of/);
  expect(child.exitCode).toBe(null);
  expect((await send({ "a name": "x" }, { pieces: 2 })).error).toMatch(
    /Header name must be a valid HTTP token/,
  );
});
