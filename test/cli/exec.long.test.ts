import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { programFile, runProgram, temporaryFolder } from "../support/program.js";
import { isLong } from "../support/repetitions.js";
import { client, hasTerminals, signalCountingClient } from "./client-programs.js";
import { runHere } from "./run-here.js";
import { spawnOnTerminal, spawnStandin } from "./spawned-program.js";

const exec = (args: readonly string[], command: readonly string[], cwd?: string) =>
  runProgram(["exec", ...args, "--", ...command], cwd);

/** Runs in this process. The command has its stdout, so that what it prints is not in the result. */
const execHere = (args: readonly string[], command: readonly string[], cwd?: string) =>
  runHere(["exec", ...args, "--", ...command], cwd);

describe("the command of standin exec", () => {
  test("gets a sandbox, a key and the webhook secret in its environment, and has stdout to itself; the sandbox stops when it ends", async () => {
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
    await expect(fetch(found.SERVICE_BASE_URL)).rejects.toThrow();
  });

  test("gets the code and the webhook secret of the command line, which the account keeps after a reset", async () => {
    const flags = ["--code", "246810", "--webhook-secret", "whsec_of_my_tests"];
    const { code, stdout } = await exec(
      flags,
      client(`
        const control = (method, path) => fetch(SERVICE_BASE_URL + path, { method, headers: { "X-Service-Key": SERVICE_KEY } });
        await control("POST", "/_sandbox/reset");
        await startPhone();
        const { items } = await (await control("GET", "/_sandbox/inbox")).json();
        const { STANDIN_CODE, WEBHOOK_SECRET } = process.env;
        console.log(STANDIN_CODE, items[0].codes[0], WEBHOOK_SECRET);`),
    );
    expect([code, stdout]).toEqual([0, "246810 246810 whsec_of_my_tests\n"]);
  });

  test("gets a new key, or that of --key, with which the same seed gives the same ids", async () => {
    const printKey = ["sh", "-c", "echo $SERVICE_KEY"];
    const [one, other] = await Promise.all([exec([], printKey), exec([], printKey)]);
    expect(one.stdout).toMatch(/^svc_test_\w+\n$/);
    expect(one.stdout).not.toBe(other.stdout);
    const printId = client(`console.log(SERVICE_KEY, (await (await startPhone()).json()).id);`);
    const seeded = () => exec(["--seed", "7", "--key", "svc_test_mine"], printId);
    const [mine, again] = await Promise.all([seeded(), seeded()]);
    expect(mine.stdout).toMatch(/^svc_test_mine phv_/);
    expect(again.stdout).toBe(mine.stdout);
  });

  test("behind a proxy, its requests to the sandbox do not go there, and what NO_PROXY named before stays", async () => {
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv("HTTP_PROXY", "http://proxy.example:3128");
    vi.stubEnv("NO_PROXY", "intranet.example");
    const { stdout } = await exec([], ["sh", "-c", "echo $NO_PROXY $no_proxy"]);
    expect(stdout).toBe("intranet.example,127.0.0.1 intranet.example,127.0.0.1\n");
  });

  test("is told if nothing called the service", async () => {
    const hint =
      /^standin: nothing called the service: the command has to send its requests to the address in STANDIN_URL/m;
    expect((await exec([], ["true"])).stderr).toMatch(hint);
    expect((await exec([], client("await startPhone();"))).stderr).not.toMatch(hint);
    const ownAccount = client(
      'await fetch(SERVICE_BASE_URL + "/v1/balance", { headers: { "X-Service-Key": "svc_test_of_the_test" } });',
    );
    expect((await exec([], ownAccount)).stderr).not.toMatch(hint);
  });

  test("reads stdin, and keeps its own options", async () => {
    const command = [
      process.execPath,
      "-e",
      "process.stdin.pipe(process.stdout); console.log(process.argv[1])",
    ];
    const { child, exitCode, stdout } = spawnStandin(["exec", ...command, "--", "--version"]);
    child.stdin?.end("from outside\n");
    expect(await exitCode).toBe(0);
    expect(stdout()).toBe("--version\nfrom outside\n");
  });

  test.each<[string, readonly string[], number, RegExp]>([
    ["ends with 3", [process.execPath, "-e", "process.exit(3)"], 3, /^$/],
    ["is killed", ["sh", "-c", "kill -KILL $$"], 137, /^$/],
    ["does not exist", ["no-such-command-here"], 127, /^standin: no-such-command-here does not exist/],
    ["is not executable", [import.meta.filename], 126, /cannot be run \(EACCES\)/],
    ["is a folder", ["/"], 126, /cannot be run \(EACCES\)/],
  ])("that %s determines the exit code of standin exec", async (_case, command, expected, pattern) => {
    const { code, stderr } = await execHere(["--no-summary"], command);
    expect([code, stderr.trim()]).toEqual([expected, expect.stringMatching(pattern)]);
  });
});

describe("the sandbox of standin exec", () => {
  test("has the options and the config of standin start", async () => {
    const folder = temporaryFolder();
    writeFileSync(
      join(folder, "standin.config.json"),
      JSON.stringify({ port: 1, adminToken: "unasked", assumptions: { "errors.body": "flat" } }),
    );
    const { code, stdout } = await exec(
      ["--assume", "http.created=ok", "--registered-keys-only"],
      client(`
        const other = await post("/v1/phone/verify/start", {}, "svc_test_unregistered");
        const [control] = await once(request(SERVICE_BASE_URL + "/_sandbox/account").end(), "response");
        console.log((await startPhone()).status, other.status, Object.keys(await other.json()).join(), control.resume().statusCode);`),
      folder,
    );
    expect([code, stdout]).toEqual([0, "200 401 code,message 200\n"]);
  });

  test.each<[string[], RegExp]>([
    [["--assume", "http.created=teapot"], /created or ok/],
    [["--key", "short"], /--key must be 8 to 128/],
    [["--config", "nowhere.json"], /nowhere\.json/],
    [["--no-summary", "--json"], /--no-summary/],
  ])("does not start, and neither does the command, with %j", async (args, pattern) => {
    const file = join(temporaryFolder(), "ran");
    const { code, stdout, stderr } = await execHere(args, ["touch", file]);
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(pattern)]);
    expect(existsSync(file)).toBe(false);
  });

  test("does not start on a port that is in use", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as { port: number };
    const { code, stderr } = await execHere(["--port", String(port)], ["echo", "ran"]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(`${port} is already in use.*--port`)]);
    server.close();
  });

  test("requires a command", async () => {
    expect(await runHere(["exec"])).toMatchObject({ code: 2, stderr: expect.stringContaining("command") });
  });
});

describe("the coverage of standin exec", () => {
  const command = client("await startPhone(); process.exit(4);");
  const calls = ({ operations }: { operations: { operation: string; calls: number }[] }) =>
    operations.find(({ operation }) => operation === "startPhoneVerification")?.calls;

  test("is summarized at the end of stderr", async () => {
    const { stdout, stderr } = await exec([], command);
    expect(stdout).toBe("");
    expect(stderr).toMatch(
      /Coverage of the service: operations 1 of \d+, [\s\S]*startPhoneVerification: sms_failed/,
    );
  });

  test("is one line of JSON at the end of stderr with --json", async () => {
    const { code, stderr } = await execHere(["--json"], command);
    const { exit_code, signal, coverage } = JSON.parse(stderr);
    expect([code, exit_code, signal, calls(coverage)]).toEqual([4, 4, null, 1]);
  });

  test("is written to the file of --coverage, whose folder is created", async () => {
    const folder = temporaryFolder();
    const args = ["--coverage", "reports/standin.json", "--no-summary"];
    const { stderr } = await execHere(args, command, folder);
    expect(stderr).toBe("");
    expect(calls(JSON.parse(readFileSync(join(folder, "reports/standin.json"), "utf8")))).toBe(1);
  });

  test("that cannot be written fails a command that succeeded, and keeps the exit code of one that failed", async () => {
    const below = ["--no-summary", "--coverage", join(import.meta.filename, "coverage.json")];
    const [fine, failed] = [await execHere(below, ["true"]), await execHere(below, ["false"])];
    for (const { stderr } of [fine, failed])
      expect(stderr).toMatch(/^standin: the coverage report cannot be written/);
    expect([fine.code, failed.code]).toEqual([1, 1]);
    expect((await execHere(below, command)).code).toBe(4);
  });
});

describe("the gate of standin exec", () => {
  const command = client("await startPhone();");

  test("fails a run that exercised too little, and reports it as JUnit XML and Markdown", async () => {
    const folder = temporaryFolder();
    const step = join(folder, "step.md");
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv("GITHUB_STEP_SUMMARY", step);
    writeFileSync(step, "# Earlier step\n");
    const reports = ["--junit", "reports/standin.xml", "--markdown", "reports/standin.md"];
    const { code, stderr } = await execHere(["--min-coverage", "operations=40", ...reports], command, folder);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^standin: the coverage of the service is too low: operations \d\.\d% \(1 of \d+\), at least 40%$/m,
      ),
    ]);
    const xml = readFileSync(join(folder, "reports/standin.xml"), "utf8");
    expect(xml).toMatch(/tests="2" failures="1"/);
    expect(xml).toMatch(/<testcase classname="exec" name="[^"]+" time="[\d.]+"><\/testcase>/);
    const markdown = readFileSync(join(folder, "reports/standin.md"), "utf8");
    expect(markdown).toMatch(/^\| operations \| 1 of \d+ \| \d\.\d% \| 40% \(missed\) \|$/m);
    expect(readFileSync(step, "utf8")).toBe(`# Earlier step\n\n${markdown}`);
  });

  test("shows each heading of the job's summary as a heading, though several commands add to it", async () => {
    const step = join(temporaryFolder(), "step.md");
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv("GITHUB_STEP_SUMMARY", step);
    await execHere([], command);
    await execHere(["--markdown", step], command);
    const markdown = readFileSync(step, "utf8");
    const parts = ["Coverage of the service", "Conduct of the client"];
    expect(markdown.match(/(?<=^\n|\n\n)### .*$|^### .*/gm)).toEqual(
      [...parts, ...parts].map((part) => `### ${part}`),
    );
    expect(markdown).toContain("</details>\n\n### Conduct");
  });

  test("passes a run that exercised enough, and keeps the exit code of a command that failed", async () => {
    expect((await execHere(["--min-coverage", "operations=1.8"], command)).code).toBe(0);
    const file = join(temporaryFolder(), "standin.xml");
    const failing = client("await startPhone(); process.exit(7);");
    const failed = await execHere(["--min-coverage", "operations=3", "--junit", file], failing);
    expect([failed.code, failed.stderr]).toEqual([
      7,
      expect.stringContaining("coverage of the service is too low"),
    ]);
    expect(readFileSync(file, "utf8")).toContain('<failure message="it ended with exit code 7"/>');
  });

  test("reads its minimum from the environment", async () => {
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv("STANDIN_MIN_COVERAGE", "events=50");
    const { code, stderr } = await execHere(["--no-summary"], command);
    expect([code, stderr]).toEqual([1, expect.stringContaining("events 0% (0 of 16), at least 50%")]);
  });
});

describe("the conduct of the client of standin exec", () => {
  const careless = client(`await post("/v1/business/charges", { amount: "5000" }, SERVICE_KEY);`);
  const title = "An amount is a text, or has more than two decimals";

  test("is told at the end of stderr, and in the reports", async () => {
    const folder = temporaryFolder();
    const reports = ["--junit", "standin.xml", "--markdown", "standin.md"];
    const { code, stderr } = await execHere(reports, careless, folder);
    expect(code).toBe(0);
    expect(stderr).toContain(`Conduct: ${title} [float-money]\n  createCharge: amount was "5000".`);
    expect(stderr).toMatch(/^ {2}Right: Calculate in kobo .*\n {2}Proof: req_\w+$/m);
    expect(readFileSync(join(folder, "standin.xml"), "utf8")).toMatch(
      /<testcase classname="conduct" name="[^"]+: createCharge" time="0"><system-out>/,
    );
    expect(readFileSync(join(folder, "standin.md"), "utf8")).toContain("| createCharge | amount was");
  });

  test("fails the run with --conduct fail, and is not looked at with --conduct off", async () => {
    const failed = await execHere(["--conduct", "fail", "--no-summary"], careless);
    expect([failed.code, failed.stderr]).toEqual([
      1,
      "standin: the client broke 1 rule of conduct: float-money (createCharge)\n",
    ]);
    expect((await execHere(["--conduct", "off"], careless)).stderr).not.toContain("Conduct");
    expect((await execHere(["--conduct", "fail"], client("await startPhone();"))).code).toBe(0);
  });
});

describe("when stderr is closed", () => {
  test.each([[[]], [["--json"]]])(
    "the exit code and the file of --coverage are unaffected: %j",
    async (args) => {
      const file = join(temporaryFolder(), "coverage.json");
      const command = client("await startPhone(); process.exit(5);");
      const { child, exitCode } = spawnStandin(["exec", "--coverage", file, ...args, "--", ...command]);
      child.stderr?.destroy();
      expect(await exitCode).toBe(5);
      expect(JSON.parse(readFileSync(file, "utf8")).summary.operations.exercised).toBe(1);
    },
  );
});

describe("signals", () => {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

  // In short runs, the tests of several signals and of terminals send SIGINT.
  test.each(isLong ? signals : signals.slice(1))(
    "%s is forwarded to the command once, however often it is sent",
    async (name) => {
      const { child, waitFor, exitCode } = spawnStandin([
        "exec",
        "--no-summary",
        "--",
        ...client(signalCountingClient),
      ]);
      await waitFor(/ready/);
      child.kill(name);
      await waitFor(new RegExp(`got ${name}`));
      child.kill(name);
      expect(await exitCode).toBe(11);
    },
  );

  test("each of several different signals reaches it", async () => {
    const { child, waitFor, exitCode } = spawnStandin([
      "exec",
      "--no-summary",
      "--",
      ...client(signalCountingClient),
    ]);
    await waitFor(/ready/);
    child.kill("SIGINT");
    await waitFor(/got SIGINT/);
    child.kill("SIGTERM");
    expect(await exitCode).toBe(12);
  });

  test.skipIf(!hasTerminals)("Ctrl+C on a terminal, which reaches both, is not forwarded", async () => {
    const command = [process.execPath, programFile, "exec", "--", ...client(signalCountingClient)].join(" ");
    const { child, waitFor, exitCode } = spawnOnTerminal(command);
    await waitFor(/ready/);
    child.stdin?.write("\u0003");
    expect(await exitCode).toBe(11);
    expect(await waitFor(/Coverage/)).toContain("Coverage of the service");
  });

  test.skipIf(!hasTerminals)("the first SIGINT on a terminal is not forwarded, the second is", async () => {
    const exec = [process.execPath, programFile, "exec", "--no-summary", "--"];
    const command = [...exec, ...client(signalCountingClient)].join(" ");
    const { waitFor, exitCode } = spawnOnTerminal(`sh -c 'echo parent $$; exec ${command}'`);
    const pid = Number(/parent (\d+)/.exec(await waitFor(/ready/))?.[1]);
    process.kill(pid, "SIGINT");
    process.kill(pid, "SIGTERM");
    await waitFor(/got SIGTERM/);
    process.kill(pid, "SIGINT");
    expect(await waitFor(/got SIGINT/)).toMatch(/ready\s+got SIGTERM\s+got SIGINT/);
    expect(await exitCode).toBe(12);
  });
});

test("--html writes a page that needs nothing else, with a picture of each account that was used", async () => {
  const folder = temporaryFolder();
  const command = client(`await startPhone();
    await fetch(SERVICE_BASE_URL + "/v1/pricing", { headers: { "X-Service-Key": "svc_test_of_another_test" } });`);
  const { code } = await exec(["--html", "reports/run.html"], command, folder);
  expect(code).toBe(0);
  const page = readFileSync(join(folder, "reports/run.html"), "utf8");
  expect(page.match(/<svg /g)).toHaveLength(2);
  expect(page).toContain("client to service: POST /v1/phone/verify/start");
  expect(page).toContain('<p class="verdict good">passed</p>');
  expect(page).toMatch(/<td>operations<\/td><td>2 of \d+<\/td>/);
  expect(page.replaceAll("http://www.w3.org/2000/svg", "")).not.toMatch(/<script|src=|href=|@import|url\(/);
});
