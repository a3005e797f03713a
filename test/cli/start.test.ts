import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { runProgram, startProgram, temporaryFolder } from "../support/program.js";
import { post } from "../support/sandbox.js";
import { until } from "../support/until.js";
import { runHere } from "./run-here.js";

/** Starts without --json, and returns the first screen. */
async function firstScreenOf(flags: readonly string[]): Promise<string> {
  const { spawn } = await import("node:child_process");
  const { programFile } = await import("../support/program.js");
  const child = spawn(process.execPath, [programFile, ...flags], { cwd: temporaryFolder() });
  let screen = "";
  for await (const chunk of child.stdout) {
    screen += chunk;
    if (screen.includes("Ctrl+C")) break;
  }
  child.kill("SIGTERM");
  return screen;
}

describe("standin start", () => {
  test("--json prints one line when it is ready", async () => {
    const program = await startProgram(["--memory"]);
    expect(program.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await fetch(`${program.url}/healthz`)).status).toBe(200);
    expect(await program.stop()).toBe(0);
  });

  test("--json has the local URL and the port, also where clients use a public URL", async () => {
    const { spawn } = await import("node:child_process");
    const { programFile } = await import("../support/program.js");
    const flags = ["-p", "0", "--memory", "--json", "--public-url", "https://sandbox.example.com"];
    const child = spawn(process.execPath, [programFile, ...flags], { cwd: temporaryFolder() });
    onTestFinished(() => void child.kill("SIGKILL"));
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    const { url, localUrl, port } = JSON.parse(String(line));
    expect([url, localUrl]).toEqual(["https://sandbox.example.com", `http://127.0.0.1:${port}`]);
    expect((await fetch(`${localUrl}/healthz`)).status).toBe(200);
  });

  test("is the default command; its first screen has base URL, keys, an example call and links", async () => {
    const screen = await firstScreenOf(["--memory", "--port", "0"]);
    const url = /Base URL\s+(\S+)/.exec(screen)?.[1];
    for (const needed of [
      "svc_test_demo",
      "svc_live_demo",
      `curl ${url}/v1/phone/verify/start`,
      `${url}/_sandbox/inbox`,
    ]) {
      expect(screen).toContain(needed);
    }
    expect(screen).not.toMatch(/\u001b\[/);
    expect(screen).not.toContain("POST /_sandbox/keys");
  });

  test("the first screen mentions that the control API requires --admin-token beyond loopback, and that keys must be registered", async () => {
    const everywhere = ["--memory", "--port", "0", "--host", "0.0.0.0"];
    const closed = await firstScreenOf(everywhere);
    expect(closed).toContain("Set --admin-token");
    expect(closed).not.toContain("/_sandbox/");
    const open = await firstScreenOf([
      ...everywhere,
      "--admin-token",
      "opensesame",
      "--registered-keys-only",
    ]);
    expect(open).toContain("/_sandbox/inbox");
    expect(open).toContain("POST /_sandbox/keys");
    expect(open).not.toMatch(/svc_(?:test|live)_demo/);
    expect(open).toContain('-H "X-Service-Key: <registered key>"');
  });

  test("keeps state in the folder of --data, and --memory writes nothing", async () => {
    const folder = temporaryFolder();
    const first = await startProgram(["--data", folder]);
    const { body } = await post(first.account("svc_test_kept"), "/v1/phone/verify/start", {
      phone: "08031234567",
    });
    await first.stop();
    const second = await startProgram(["--data", folder]);
    expect((await second.account("svc_test_kept").records.get(body.id)).state).toBe("pending");
    await second.stop();
  });

  test("flags override the environment, which overrides standin.config.json", async () => {
    const folder = temporaryFolder();
    const assumptions = { "errors.body": "flat", "http.created": "ok" };
    writeFileSync(
      join(folder, "standin.config.json"),
      JSON.stringify({ memory: true, seed: "mine", assumptions }),
    );
    const program = await startProgram(["--assume", "errors.body=problem"], folder);
    const account = program.account("svc_test_config");
    expect((await post(account, "/v1/phone/verify/start", { phone: "08031234567" })).status).toBe(200);
    const refused = await account.fetch("/v1/phone/verify/start", { method: "POST" });
    expect(refused.headers.get("content-type")).toContain("application/problem+json");
    await program.stop();
  });
});

describe("a start that fails exits with 2 and one line on stderr", () => {
  const expectUsage = async (
    args: readonly string[],
    patterns: readonly (string | RegExp)[],
    cwd?: string,
    run = runHere,
  ) => {
    const { code, stdout, stderr } = await run(args, cwd);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    for (const pattern of patterns) expect(stderr).toMatch(pattern);
    expect([code, stdout]).toEqual([2, ""]);
  };

  test("a port in use", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    const args = ["start", "--memory", "--port", String(port)];
    await expectUsage(args, [String(port), "--port"], undefined, runProgram);
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv("npm_lifecycle_event", "start");
    await expectUsage(args, ["npm start -- --port 4011"], undefined, runProgram);
    server.close();
  });

  test("a folder that cannot be written", async () => {
    const file = join(temporaryFolder(), "file");
    writeFileSync(file, "");
    await expectUsage(["start", "--port", "0", "--data", join(file, "below")], ["below", "--data"]);
  });

  test.each([
    ["that is not JSON", "{", /standin\.config\.json is not JSON: /],
    ["with a field that does not exist", '{"prot":4010}', /prot is not known; the nearest is port/],
    ["with a wrong type", '{"port":"4010"}', /port must be an integer/],
    ["with an assumption that cannot be", '{"assumptions":{"http.created":"teapot"}}', /created or ok/],
  ])("a config %s", async (_case, text, pattern) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "standin.config.json"), text);
    await expectUsage(["start", "--memory", "--port", "0"], [pattern], folder);
  });

  test("a config file that does not exist", async () => {
    await expectUsage(["start", "--config", "nowhere.json"], [/nowhere\.json/]);
  });

  test.each([
    [["start", "--port", "99999"], /65535/],
    [["start", "--durability", "eternal"], /process/],
    [["start", "--memory", "--data", "x"], /cannot be combined/],
    [["start", "--public-url", "mailto:x"], /--public-url/],
    [["start", "--assume", "http.created"], /id=value/],
    [["start", "--nonsense"], /nonsense/],
    [["strat"], /strat/],
    [["start", "--register-key", "short"], /^standin: --register-key must be 8 to 128 .*; got "short"$/m],
    [
      ["start", "--store", "mysql://u:secret@x"],
      /^standin: --store must be the URL of a PostgreSQL database/,
    ],
    [["start", "--tls", "--tls-cert", "x"], /^standin: --tls-cert and --tls-key must be given together/],
    [["start", "--livekit-key", "x"], /^standin: --livekit-key and --livekit-secret belong together/],
    [["start", "--webhook-ca", import.meta.filename], /--webhook-ca must be .* in PEM; .* has none$/m],
  ])("%j", async (args, pattern) => {
    const { code, stderr } = await runHere(args);
    expect(stderr).toMatch(pattern);
    expect(stderr).not.toContain("secret@");
    expect(code).toBe(2);
  });
});

test("a second signal ends a stop that waits for an incomplete request", async () => {
  const program = await startProgram(["--memory"]);
  const socket = connect(Number(new URL(program.url).port), "127.0.0.1");
  await once(socket, "connect");
  socket.on("error", () => {});
  socket.write("POST /v1/webhooks HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Service-Key: svc_test_half\r\n");
  socket.write("Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{");
  await until(
    "the sandbox serves",
    async () => (await program.account("svc_test_other").clock.get()).mode === "running",
  );
  program.process.kill("SIGTERM");
  const refused = () =>
    fetch(`${program.url}/healthz`).then(
      () => false,
      () => true,
    );
  await until("the port is closed", refused);
  expect(await program.stop()).toBe(1);
  socket.destroy();
});

test("--help and --version exit with 0", async () => {
  expect(await runProgram(["--version"])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
  });
  for (const words of [["version"], ["-v"]])
    expect(await runHere(words)).toEqual(await runHere(["--version"]));
  const help = await runHere(["start", "--help"]);
  expect(help.code).toBe(0);
  const flags = [...help.stdout.matchAll(/^ {2}(?:-p, )?(--[a-z-]+)/gm)].map(([, flag]) => flag);
  const daily = ["--port", "--host", "--memory", "--data", "--load", "--latency", "--assume", "--log"];
  expect(flags).toEqual([...daily, "--help-all"]);
  const all = await runHere(["start", "--help-all"]);
  expect(all.code).toBe(0);
  for (const flag of ["--port", "--data", "--admin-token", "--assume", "--json"])
    expect(all.stdout).toContain(flag);
});
