import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { programFile, runProgram, temporaryFolder } from "../support/program.js";
import { attendOnTerminal, attendStandin } from "./attended.js";
import { client, hasTerminals, signalCounter } from "./clients.js";

const exec = (args: readonly string[], command: readonly string[], cwd?: string) =>
  runProgram(["exec", ...args, "--", ...command], cwd);

describe("the command of standin exec", () => {
  test("finds a sandbox, a key and the webhook secret in its environment, and stdout is its alone", async () => {
    const { code, stdout } = await exec(
      [],
      client(`
        const { secret } = await (await post("/v1/webhooks", { url: "http://127.0.0.1:9/" })).json();
        const { STANDIN_URL, WEBHOOK_SECRET } = process.env;
        console.log(JSON.stringify({ SERVICE_BASE_URL, STANDIN_URL, SERVICE_KEY, WEBHOOK_SECRET, secret }));`),
    );
    const found = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(found.SERVICE_BASE_URL).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(found.STANDIN_URL).toBe(found.SERVICE_BASE_URL);
    expect(found.WEBHOOK_SECRET).toBe(found.secret);
    expect(found.SERVICE_KEY).toMatch(/^svc_test_/);
  });

  test("gets a key that no other run has, or the one of --key, with which a seed gives the same ids again", async () => {
    const command = client(`console.log(SERVICE_KEY, (await (await startPhone()).json()).id);`);
    const runs = [[], [], ["--key", "svc_test_mine"], ["--key", "svc_test_mine"]].map((args) =>
      exec(["--seed", "7", ...args], command),
    );
    const [one, other, mine, again] = (await Promise.all(runs)).map(({ stdout }) => stdout);
    expect(one).not.toBe(other);
    expect(mine).toMatch(/^svc_test_mine phv_/);
    expect(again).toBe(mine);
  });

  test("reads what standin exec is given, and its own options are its own", async () => {
    const command = [
      process.execPath,
      "-e",
      "process.stdin.pipe(process.stdout); console.log(process.argv[1])",
    ];
    const { child, ended, stdout } = attendStandin(["exec", ...command, "--", "--version"]);
    child.stdin?.end("from outside\n");
    expect(await ended).toBe(0);
    expect(stdout()).toBe("--version\nfrom outside\n");
  });

  test.each<[string, readonly string[], number, RegExp]>([
    ["ends with 3", [process.execPath, "-e", "process.exit(3)"], 3, /^$/],
    ["is killed", ["sh", "-c", "kill -KILL $$"], 137, /^$/],
    ["does not exist", ["no-such-command-here"], 127, /^standin: no-such-command-here does not exist/],
    ["may not be run", [import.meta.filename], 126, /cannot be run \(EACCES\)/],
    ["is a folder", ["/"], 126, /cannot be run \(EACCES\)/],
  ])("that %s gives standin exec its exit code", async (_case, command, expected, says) => {
    const { code, stderr } = await exec(["--no-summary"], command);
    expect([code, stderr.trim()]).toEqual([expected, expect.stringMatching(says)]);
  });
});

describe("the sandbox of standin exec", () => {
  test("is told by the options and the config of standin start", async () => {
    const folder = temporaryFolder();
    writeFileSync(
      join(folder, "standin.config.json"),
      JSON.stringify({ port: 1, adminToken: "unasked", assumptions: { "errors.body": "flat" } }),
    );
    const { code, stdout } = await exec(
      ["--assume", "http.created=ok", "--registered-keys-only"],
      client(`
        const other = await post("/v1/phone/verify/start", {}, "svc_test_unregistered");
        const control = await fetch(SERVICE_BASE_URL + "/_sandbox/account");
        console.log((await startPhone()).status, other.status, Object.keys(await other.json()).join(), control.status);`),
      folder,
    );
    expect([code, stdout]).toEqual([0, "200 401 code,message 200\n"]);
  });

  test("is gone when the command is over", async () => {
    const { stdout } = await exec([], client("console.log(SERVICE_BASE_URL);"));
    await expect(fetch(stdout.trim())).rejects.toThrow();
  });

  test.each<[string[], RegExp]>([
    [["--assume", "http.created=teapot"], /created or ok/],
    [["--key", "short"], /--key takes 8 to 128/],
    [["--config", "nowhere.json"], /nowhere\.json/],
    [["--no-summary", "--json"], /--no-summary/],
  ])("does not start, and the command neither, with %j", async (args, says) => {
    const { code, stdout, stderr } = await exec(args, ["echo", "ran"]);
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(says)]);
  });

  test("does not start on a port that is taken", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as { port: number };
    const { code, stderr } = await exec(["--port", String(port)], ["echo", "ran"]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(`${port} is taken .*--port`)]);
    server.close();
  });

  test("takes a command", async () => {
    expect(await runProgram(["exec"])).toMatchObject({ code: 2, stderr: expect.stringContaining("command") });
  });
});

describe("the coverage of standin exec", () => {
  const command = client("await startPhone(); process.exit(4);");
  const calls = ({ operations }: { operations: { operation: string; calls: number }[] }) =>
    operations.find(({ operation }) => operation === "startPhoneVerification")?.calls;

  test("ends stderr in words", async () => {
    const { stdout, stderr } = await exec([], command);
    expect(stdout).toBe("");
    expect(stderr).toMatch(
      /Coverage of the service: operations 1 of 53, [\s\S]*startPhoneVerification: sms_failed/,
    );
  });

  test("ends stderr with one line of JSON where --json asks for it", async () => {
    const { code, stderr } = await exec(["--json"], command);
    const { exit_code, signal, coverage } = JSON.parse(stderr);
    expect([code, exit_code, signal, calls(coverage)]).toEqual([4, 4, null, 1]);
  });

  test("is written to the file of --coverage, whose folder is made", async () => {
    const folder = temporaryFolder();
    const { stderr } = await exec(["--coverage", "reports/standin.json", "--no-summary"], command, folder);
    expect(stderr).toBe("");
    expect(calls(JSON.parse(readFileSync(join(folder, "reports/standin.json"), "utf8")))).toBe(1);
  });

  test("that cannot be written fails what was fine, and leaves the exit code of what was not", async () => {
    const below = ["--no-summary", "--coverage", join(import.meta.filename, "coverage.json")];
    const [fine, failed] = await Promise.all([exec(below, ["true"]), exec(below, ["false"])]);
    for (const { stderr } of [fine, failed])
      expect(stderr).toMatch(/^standin: the coverage cannot be written/);
    expect([fine.code, failed.code]).toEqual([1, 1]);
    expect((await exec(below, command)).code).toBe(4);
  });
});

describe("where nobody reads stderr", () => {
  test.each([[[]], [["--json"]]])(
    "the exit code and the file of --coverage are as ever: %j",
    async (args) => {
      const file = join(temporaryFolder(), "coverage.json");
      const command = client("await startPhone(); process.exit(5);");
      const { child, ended } = attendStandin(["exec", "--coverage", file, ...args, "--", ...command]);
      child.stderr?.destroy();
      expect(await ended).toBe(5);
      expect(JSON.parse(readFileSync(file, "utf8")).summary.operations.exercised).toBe(1);
    },
  );
});

describe("signals", () => {
  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "%s reaches the command once, however often it comes",
    async (name) => {
      const { child, says, ended } = attendStandin(["exec", "--no-summary", "--", ...client(signalCounter)]);
      await says(/ready/);
      child.kill(name);
      await says(new RegExp(`got ${name}`));
      child.kill(name);
      expect(await ended).toBe(11);
    },
  );

  test("of different kinds reach it each", async () => {
    const { child, says, ended } = attendStandin(["exec", "--no-summary", "--", ...client(signalCounter)]);
    await says(/ready/);
    child.kill("SIGINT");
    await says(/got SIGINT/);
    child.kill("SIGTERM");
    expect(await ended).toBe(12);
  });

  test.skipIf(!hasTerminals)("Ctrl+C on a terminal, which reaches both, is not passed on", async () => {
    const command = [process.execPath, programFile, "exec", "--", ...client(signalCounter)].join(" ");
    const { child, says, ended } = attendOnTerminal(command);
    await says(/ready/);
    child.stdin?.write("\u0003");
    expect(await ended).toBe(11);
    expect(await says(/Coverage/)).toContain("Coverage of the service");
  });

  test.skipIf(!hasTerminals)(
    "a SIGINT on a terminal is taken for one that reached the command, until it comes again",
    async () => {
      const exec = [process.execPath, programFile, "exec", "--no-summary", "--"];
      const command = [...exec, ...client(signalCounter)].join(" ");
      const { says, ended } = attendOnTerminal(`sh -c 'echo parent $$; exec ${command}'`);
      const pid = Number(/parent (\d+)/.exec(await says(/ready/))?.[1]);
      process.kill(pid, "SIGINT");
      process.kill(pid, "SIGTERM");
      await says(/got SIGTERM/);
      process.kill(pid, "SIGINT");
      expect(await says(/got SIGINT/)).toMatch(/ready\s+got SIGTERM\s+got SIGINT/);
      expect(await ended).toBe(12);
    },
  );
});
