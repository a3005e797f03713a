import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runProgram, temporaryFolder } from "../../support/program.js";
import { until } from "../../support/until.js";
import { client } from "../client-programs.js";
import { runHere } from "../run-here.js";
import { spawnStandin } from "../spawned-program.js";

interface Result {
  assumption: string;
  in_force: string;
  alternative: string;
  result: string;
  operations: string[];
  exit_code: number | null;
  timed_out: boolean;
  output: string[] | null;
}

const vary = (args: readonly string[], command: readonly string[]) =>
  runHere(["assumptions", "--vary", ...args, "--", ...command]);

async function varied(args: readonly string[], command: readonly string[]) {
  const { code, stdout, stderr } = await vary(["--json", ...args], command);
  const { depends_on, results } = JSON.parse(stdout) as { depends_on: string[]; results: Result[] };
  const of = (assumption: string) => results.filter((result) => result.assumption === assumption);
  return { code, stderr, depends_on, results, of };
}

/** Only accepts 201 as the answer to a phone verification. */
const strict = `
const { status } = await startPhone();
for (let line = 1; line <= 30; line++) console.log("line " + line);
if (status !== 201) { console.error("expected 201, got " + status); process.exit(5); }`;

describe("standin assumptions --vary", () => {
  test("names the assumption that a client depends on, and exits with 1", async () => {
    const { code, stderr, depends_on, of } = await varied([], client(strict));
    expect([code, stderr, depends_on]).toEqual([1, "", ["http.created"]]);
    const [created] = of("http.created");
    expect(created).toMatchObject({
      in_force: "created",
      alternative: "ok",
      result: "depends",
      exit_code: 5,
    });
    expect(created?.operations).toEqual(["startPhoneVerification"]);
    expect(created?.output).toHaveLength(20);
    expect(created?.output?.at(-1)).toBe("expected 201, got 200");
    expect(of("errors.body").map(({ alternative, result }) => [alternative, result])).toEqual([
      ["problem", "same"],
      ["flat", "same"],
    ]);
  });

  test("skips what no request of the first run touches, unless --all is given", async () => {
    const { of } = await varied(["--only", "lookup.not_found,http.created"], client(strict));
    expect(of("lookup.not_found")).toMatchObject([
      { result: "not_touched", operations: [], exit_code: null },
    ]);
    const all = await varied(["--only", "lookup.not_found", "--all"], client(strict));
    expect(all.results).toMatchObject([{ result: "same", operations: [], exit_code: 0 }]);
  });

  test("counts all webhook assumptions as touched if an endpoint is registered", async () => {
    const { of } = await varied(
      ["--only", "webhooks.headers"],
      client(`await post("/v1/webhooks", { url: "http://127.0.0.1:9/" });`),
    );
    expect(of("webhooks.headers")).toMatchObject([{ result: "same", operations: ["registerWebhook"] }]);
  });

  test("exits with 0 if a client depends on nothing", async () => {
    const { code, stdout, stderr } = await vary(["--only", "http.created"], client("await startPhone();"));
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(
      /^assumption +value +alternative +result +operations\nhttp\.created +created +ok +same/,
    );
    expect(stdout).toContain("The command depends on none of these assumptions.");
  });

  test("shows the last lines of a failed run, and the verdict", async () => {
    const args = ["assumptions", "--vary", "--only", "http.created", "--", ...client(strict)];
    const { code, stdout, stderr } = await runProgram(args);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^http\.created +created +ok +depends: exit code 5 +startPhoneVerification$/m);
    expect(stdout).toContain("The command depends on 1 assumption: http.created.");
    expect(stderr).toMatch(/^With http\.created=ok the command failed \(exit code 5\):\n {2}line 12\n/);
    expect(stderr).not.toContain("line 11");
  });

  test("--verbose shows the whole output of every run", async () => {
    const { stderr } = await vary(["--only", "http.created", "--verbose"], client(strict));
    expect(stderr).toMatch(/^--- the defaults\nline 1\n[\s\S]*\n--- http\.created=ok\nline 1\n/);
  });

  test("--bail stops at the first dependency", async () => {
    const { results } = await varied(["--all", "--bail"], client(strict));
    const at = results.findIndex(({ result }) => result === "depends");
    const after = results.slice(at + 1).map(({ result }) => result);
    expect(after.length).toBeGreaterThan(0);
    expect(new Set(after)).toEqual(new Set(["not_run"]));
  });

  test("varies the values in force, whatever the defaults are", async () => {
    const args = ["--assume", "http.created=ok", "--only", "http.created"];
    const { results } = await varied(
      args,
      client("if ((await startPhone()).status !== 200) process.exit(1);"),
    );
    expect(results).toMatchObject([{ in_force: "ok", alternative: "created", result: "depends" }]);
  });

  test("gives each run a new sandbox, and all runs the same key", async () => {
    const log = join(temporaryFolder(), "log");
    const command = client(`
      const { appendFileSync } = await import("node:fs");
      const { id } = await (await startPhone()).json();
      appendFileSync(${JSON.stringify(log)}, [SERVICE_BASE_URL, SERVICE_KEY, id].join(" ") + "\\n");`);
    await varied(["--only", "http.created,fields.unmarked"], command);
    const runs = readFileSync(log, "utf8")
      .trim()
      .split("\n")
      .map((line) => line.split(" "));
    expect(runs).toHaveLength(3);
    const distinct = (column: number) => new Set(runs.map((run) => run[column])).size;
    expect([distinct(0) > 1, distinct(1), distinct(2)]).toEqual([true, 1, 1]);
  });
});

const gone = (pid: number) => {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
};

/** If the answer is not 201, starts a child, writes its pid to the file, and hangs. */
const hanging = (file: string) =>
  client(`
    const { spawn } = await import("node:child_process");
    const { writeFileSync } = await import("node:fs");
    if ((await startPhone()).status !== 201 || process.argv[2] === "at once") {
      const child = spawn("sleep", ["1000"], { stdio: "inherit" });
      writeFileSync(${JSON.stringify(file)}, String(child.pid));
      process.on("SIGTERM", () => {});
      setInterval(() => {}, 1000);
    }`);

// Each waits until a command that ignores SIGTERM is killed, so the waits overlap.
describe.concurrent("a run that does not end", () => {
  test("is ended after --timeout with all its processes, and counts as failed", async () => {
    const file = join(temporaryFolder(), "pid");
    const { results } = await varied(["--only", "http.created", "--timeout", "4s"], hanging(file));
    expect(results).toMatchObject([{ result: "depends", timed_out: true }]);
    const pid = Number(readFileSync(file, "utf8"));
    await until("the child's child is gone", () => gone(pid));
  });

  test("is ended by Ctrl+C, with the exit code of the signal and no report", async () => {
    const file = join(temporaryFolder(), "pid");
    const command = [...hanging(file), "at once"];
    const { child, exitCode, stdout, stderr } = spawnStandin(["assumptions", "--vary", "--", ...command]);
    await until("the client hangs", () => existsSync(file) && readFileSync(file, "utf8") !== "");
    child.kill("SIGINT");
    expect([await exitCode, stdout(), stderr()]).toEqual([130, "", "standin: stopped by SIGINT\n"]);
    await until("the child's child is gone", () => gone(Number(readFileSync(file, "utf8"))));
  });
});

describe("no assumption is varied if", () => {
  test("the command fails with the defaults", async () => {
    const { code, stdout, stderr } = await vary([], client(`console.log("no luck"); process.exit(7);`));
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(
      /^With the defaults the command failed \(exit code 7\):\n {2}no luck\n\nstandin: .*before anything can be varied/,
    );
  });

  test("the command does not exist", async () => {
    expect((await vary([], ["no-such-command-here"])).code).toBe(127);
  });

  test.each<[string[], RegExp]>([
    [["--vary"], /--vary requires a command after --/],
    [
      ["--vary", "--only", "http.creatd", "--", "true"],
      /--only: there is no switchable assumption "http\.creatd"; the nearest is http\.created; there are /,
    ],
    [["--vary", "--timeout", "soon", "--", "true"], /A timeout is a duration/],
    [["--vary", "--url", "http://127.0.0.1:1", "--", "true"], /--url/],
    [["--bail"], /--bail requires --vary/],
    [["true"], /a command requires --vary; got true/],
    [["--vary", "--assume", "http.created=teapot", "--", "true"], /created or ok/],
  ])("the command line is invalid: %j", async (args, pattern) => {
    const { code, stdout, stderr } = await runHere(["assumptions", ...args]);
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(pattern)]);
  });
});
