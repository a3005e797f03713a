import { existsSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { type Finished, programFile, runProgram, startProgram, temporaryFolder } from "../support/program.js";
import { post } from "../support/sandbox.js";
import { runHere } from "./run-here.js";
import { spawnProgram } from "./spawned-program.js";
import { useProgram } from "./use-program.js";

const program = useProgram();

describe("errors are one line on stderr", () => {
  const expectFailure = ({ code, stdout, stderr }: Finished, expected: number, ...patterns: RegExp[]) => {
    expect([code, stdout, stderr.trim().split("\n").length]).toEqual([expected, "", 1]);
    for (const pattern of patterns) expect(stderr).toMatch(pattern);
  };
  const broken = join(temporaryFolder(), "broken.json");
  writeFileSync(broken, "{\n\n]");

  test.each<[string[], RegExp]>([
    [["trigger", "payout.pai"], /payout\.paid, .*payout\.pai.*400 validation_error/],
    [["advance", "soon"], /1h30m/],
    [["advance", "1999-01-01T00:00:00Z"], /cannot go back/],
    [["inbox", "--channel", "pigeon"], /sms, chat, email/],
    [["values", "verifyBnv"], /nearest is verifyBvn/],
    [["restore", broken], /: the snapshot \S+broken\.json is not valid JSON/],
    [["snapshot", "no/such/folder.json"], /no\/such\/folder\.json/],
    [["reset", "--key", "svc_test_invalid"], /401 invalid_api_key/],
  ])("with exit code 1 if the command fails: %j", async (args, pattern) => {
    expectFailure(await runHere([...args, "--url", program.url]), 1, pattern);
  });

  test.each<[string[], RegExp]>([
    [["inbox", "--url", "ftp://127.0.0.1"], /--url must be an http/],
    [["inbox", "--key", "two words"], /--key must/],
    [["restore", "nowhere.json"], /nowhere\.json/],
    [["trigger", "payout.paid", "--data", "{"], /--data must be a JSON object/],
  ])("with exit code 2 if the command line is invalid: %j", async (args, pattern) => {
    expectFailure(await runHere(args), 2, pattern);
  });

  test.each([
    [["openapi"], "openapi", "use standin export openapi"],
    [["pact", "export", "shop.json"], "pact export", "use standin export pact"],
    [["record", "--from", "http://127.0.0.1:4010"], "record", "standin scenario record --from-har FILE"],
    [["export", "bruno"], "export bruno", "standin export postman"],
    [["export", "http"], "export http", "standin export postman"],
    [["start", "--tools-ffmpeg", "off"], "--tools-ffmpeg", "leave it out"],
    [["start", "--tools-libreoffice", "auto"], "--tools-libreoffice", "leave it out"],
    [["export", "postman", "--out=calls.json"], "export --out", "standin export KIND > FILE"],
    [["coverage", "merge", "a.json", "--out", "b.json"], "coverage merge --out", "use --coverage FILE"],
    [["exam", "--json", "card.json", "--", "true"], "exam --json FILE", "use --card FILE"],
  ])("with what to use instead if %j was removed", async (args, removed, instead) => {
    const failed = await runHere(args);
    expectFailure(failed, 2);
    expect(failed.stderr).toContain(`standin: ${removed} was removed in version 0.3: `);
    expect(failed.stderr).toContain(instead);
  });

  test("with the flag whose value is wrong", async () => {
    const { code, stderr } = await runHere(["start", "--port", "0", "--memory", "--allow-origin", "x"]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^standin: --allow-origin must be origins /)]);
  });

  test("with the nearest name of a command, a kind of export and an assumption", async () => {
    for (const [args, nearest] of [
      [["advanc"], "(Did you mean advance?)"],
      [["export", "postmn"], "(Did you mean postman?)"],
      [["start", "--assume", "http.creatd=ok"], "cannot be switched; the nearest is http.created; "],
    ] as const) {
      const { code, stderr } = await runHere(args);
      expect([code, stderr]).toEqual([2, expect.stringMatching(/^standin: /)]);
      expect(stderr).toContain(nearest);
    }
  });

  test("with the command that starts a sandbox if none answers", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const finished = await runHere(["inbox", "--url", `http://127.0.0.1:${port}`]);
    expectFailure(finished, 2, new RegExp(`standin start --port ${port}`), /ECONNREFUSED/, /STANDIN_URL/);
  });

  test("with the URL if another server answers", async () => {
    const server = createServer((_request, response) => response.end("<html>"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expectFailure(await runHere(["inbox", "--url", url]), 2, new RegExp(`${url} is not a sandbox`));
    server.close();
  });

  test.skipIf(!existsSync("/dev/full"))("with the reason if stdout cannot be written", async () => {
    const { exitCode, stderr } = spawnProgram("sh", [
      "-c",
      `"${process.execPath}" "${programFile}" values > /dev/full`,
    ]);
    expect([await exitCode, stderr()]).toEqual([
      1,
      "standin: the output cannot be written to stdout: the disk is full\n",
    ]);
  });

  test("with a hint from commander if a command or an option does not exist", async () => {
    const [command, topic, option] = await Promise.all([
      runHere(["inbx"]),
      runHere(["help", "inbx"]),
      runHere(["inbox", "--form", "x"]),
    ]);
    expect([command.code, topic.code, option.code]).toEqual([2, 2, 2]);
    expect(command.stderr).toMatch(/inbx[\s\S]*inbox/);
    expect(topic.stderr).toBe(command.stderr);
    expect(option.stderr).toMatch(/--form[\s\S]*standin inbox --help/);
  });
});

describe("URL, key and admin token", () => {
  test("come from STANDIN_URL and SERVICE_KEY by default", async () => {
    const account = program.account();
    await post(account, "/v1/phone/verify/start", { phone: "08031234567" });
    vi.stubEnv("STANDIN_URL", `${account.baseUrl}/`);
    vi.stubEnv("SERVICE_KEY", account.key);
    const { stdout } = await runProgram(["inbox"]).finally(() => vi.unstubAllEnvs());
    expect(stdout).toContain("+2348031234567");
  });

  test("are validated in the environment as in flags", async () => {
    vi.stubEnv("STANDIN_URL", "127.0.0.1:4010");
    const { code, stderr } = await runHere(["inbox"]).finally(() => vi.unstubAllEnvs());
    expect([code, stderr]).toEqual([2, expect.stringContaining("STANDIN_URL must be an http or https URL")]);
  });

  test("must include --admin-token if the sandbox has one", async () => {
    const guarded = await startProgram(["--memory", "--admin-token", "opensesame"]);
    const reset = (...args: string[]) => runHere(["reset", "--url", guarded.url, ...args]);
    const [without, withToken] = await Promise.all([reset(), reset("--admin-token", "opensesame")]);
    expect(without).toMatchObject({ code: 1, stderr: expect.stringContaining("--admin-token") });
    expect(withToken).toMatchObject({ code: 0, stderr: "" });
    await guarded.stop();
  });
});

describe("--help", () => {
  const commands =
    "exec health ca trigger advance held call tail explain inbox listen har reset snapshot restore bundle open init exam coverage scenario verify webhooks drift mcp values assumptions export completion".split(
      " ",
    );

  const listedIn = (help: string) => [...help.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name);

  test("lists the eight commands of every day, and how to list all", async () => {
    const { code, stdout } = await runProgram(["--help"]);
    expect(code).toBe(0);
    const daily = ["start", "exec", "trigger", "advance", "explain", "inbox", "listen", "init"];
    expect(listedIn(stdout)).toEqual([...daily, "help"]);
    expect(stdout).toContain('"standin help --all" lists all commands.');
  });

  test("lists all commands, in groups, with help --all", async () => {
    const { code, stdout } = await runProgram(["help", "--all"]);
    expect(code).toBe(0);
    expect(listedIn(stdout)).toEqual(["start", ...commands, "help"]);
  });

  test.each(commands)("of %s shows its usage and examples", async (name) => {
    const { code, stdout } = await runHere([name, "--help"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^Usage: standin ${name} [\\s\\S]*Examples:\n {2}\\$ standin ${name}`));
  });
});
