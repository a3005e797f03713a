/** What a new machine needs to install and test this project, and the workflow of its own CI. */
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import packageJson from "../package.json" with { type: "json" };
import lock from "../package-lock.json" with { type: "json" };
import { spawnProgram } from "./cli/spawned-program.js";
import { freshFolder } from "./support/folder.js";
import { until } from "./support/until.js";

const root = join(import.meta.dirname, "..");
const vitest = join(root, "node_modules/vitest/vitest.mjs");
const { jobs } = parse(readFileSync(join(root, ".github/workflows/ci.yml"), "utf8"));
const commandsOf = (job: { steps: { run?: string }[] }): string[] =>
  job.steps.flatMap(({ run }) => run ?? []);

test("runs every command of .ci/run, and the tests on each supported version of Node", () => {
  const script = readFileSync(join(root, ".ci/run"), "utf8");
  const local = [...script.matchAll(/^(?:npm|node) .+$/gm)].flatMap(([line]) => line.split(" && "));
  expect(new Set([...commandsOf(jobs.tests), ...commandsOf(jobs.checks)])).toEqual(new Set(local));
  expect(commandsOf(jobs.nightly)).toContain("npm run test:long -- --retry=1");
  expect(jobs.tests.strategy.matrix.node).toEqual([20, 22, 24, 26]);
  expect(packageJson.engines.node).toBe(`>=${Math.min(...jobs.tests.strategy.matrix.node)}.15`);
});

test("the long run has every test that repeats more often there: its file is named for it", () => {
  const names = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".test.ts"),
  );
  const repeating = names.filter((name) =>
    /from ".*support\/repetitions\.js"/.test(readFileSync(join(import.meta.dirname, name), "utf8")),
  );
  expect(names.filter((name) => name.endsWith(".long.test.ts")).sort()).toEqual(repeating.sort());
});

/** Runs the tests of a folder with the report of hung ones. */
function runReported(folder: string, { graceMs }: { graceMs: number }, ...flags: readonly string[]) {
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const reporter = `--reporter=${join(import.meta.dirname, "support/standing-tests.ts")}`;
  return spawnSync(process.execPath, [vitest, "run", "--root", folder, "--pool=forks", reporter, ...flags], {
    cwd: folder,
    env: { ...process.env, STANDIN_TEST_GRACE_MS: String(graceMs) },
    encoding: "utf8",
    timeout: 120_000,
  });
}

test("a test that loops for ever ends the run, which names it and leaves no process", () => {
  const folder = freshFolder();
  // The worker tells in its own time which test it runs, and a loop that began before would keep it from telling.
  const looping = `import { existsSync, writeFileSync } from "node:fs";
    import { test } from "vitest";
    test("loops", async ({ signal }) => {
      writeFileSync("worker", String(process.pid));
      while (!existsSync("told") && !signal.aborted) await new Promise((resolve) => setTimeout(resolve, 20));
      // After its timeout nothing would end the loop any more.
      while (!signal.aborted);
    });`;
  const told = `import { writeFileSync } from "node:fs";
    export default class { onTestCaseReady() { writeFileSync("told", ""); } }`;
  writeFileSync(join(folder, "looping.test.ts"), looping);
  writeFileSync(join(folder, "told.mjs"), told);
  const reporter = `--reporter=${join(folder, "told.mjs")}`;
  const { status, stdout, stderr } = runReported(folder, { graceMs: 3_000 }, "--testTimeout=15000", reporter);
  expect(stderr, `status ${status}, stdout: ${stdout}`).toMatch(
    /HUNG for \d+ s: .*looping\.test\.ts > loops\n {2}\S+ \S+ of CPU: /,
  );
  expect(status).toBe(1);
  const worker = readFileSync(join(folder, "worker"), "utf8");
  const { stdout: state } = spawnSync("ps", ["-o", "stat=", "-p", worker], { encoding: "utf8" });
  // A process that ended stays listed as a zombie until its new parent has noticed.
  expect(state.trim()).toMatch(/^(Z.*)?$/);
});

describe("a worker that does not tell that its file has ended", () => {
  /** Runs test files in two workers, which keep to themselves that a file has ended. */
  const runSilent = (...tests: readonly string[]) => {
    const folder = freshFolder();
    for (const [index, body] of tests.entries())
      writeFileSync(
        join(folder, `${index}.test.ts`),
        `import { expect, test } from "vitest";
        const send = process._send;
        process._send = (message, ...rest) =>
          message.type === "testfileFinished" || send.call(process, message, ...rest);
        test("counts", () => expect(1 + 1).toBe(${body}));`,
      );
    return runReported(folder, { graceMs: 1_000 }, "--reporter=default", "--no-isolate", "--maxWorkers=2");
  };

  test.each([
    ["2", 0, "1 passed", "passes by the results of its files"],
    ["3", 1, "1 failed", "fails by the results of its files"],
  ])("ends with the run, whose results decide: 1 + 1 is %s", (sum, code, result, sentence) => {
    const { status, stdout, stderr } = runSilent(sum);
    expect(stderr).toMatch(/HUNG for \d+ s: every file has ended, and a worker has not\n/);
    expect(stderr).toContain(sentence);
    expect(stdout).toContain(result);
    expect(status).toBe(code);
  });

  test("ends the run in failure if a file has not begun, which is named", () => {
    const { status, stderr } = runSilent("2", "2", "2");
    expect(stderr).toMatch(
      /HUNG for \d+ s: a worker has not begun its next file, and \S*[012]\.test\.ts waits\n/,
    );
    expect(status).toBe(1);
  });
});

test("a run that is killed leaves no PostgreSQL server behind", async () => {
  const folder = freshFolder();
  const waiting = `import { writeFileSync } from "node:fs";
    import { inject, test } from "vitest";
    test("waits", () => {
      writeFileSync("url", inject("postgresUrl"));
      return new Promise(() => {});
    });`;
  // The server may run as another user.
  chmodSync(folder, 0o755);
  const setup = JSON.stringify(join(import.meta.dirname, "support/postgres-setup.ts"));
  writeFileSync(join(folder, "waiting.test.ts"), waiting);
  writeFileSync(join(folder, "vitest.config.mjs"), `export default { test: { globalSetup: [${setup}] } };`);
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const { child, exitCode } = spawnProgram(process.execPath, [vitest, "run", "--pool=forks"], {
    cwd: folder,
    env: { ...process.env, TMPDIR: folder, STANDIN_TEST_STORE: "postgres", STANDIN_TEST_POSTGRES: undefined },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const file = join(folder, "url");
  const url = await until("a test runs", () => existsSync(file) && (readFileSync(file, "utf8") || undefined));
  const ofServer = () => readdirSync(folder).filter((name) => name.startsWith("standin-postgres-"));
  expect(ofServer()).toHaveLength(1);
  child.kill("SIGKILL");
  await exitCode;
  await until("the server's folder is gone", () => ofServer().length === 0);
  await expect(new pg.Client(url).connect()).rejects.toThrow("ECONNREFUSED");
});

test("says of every package whether it may run an install script: npm 12 blocks the scripts of others", () => {
  const paths = Object.entries(lock.packages).flatMap(([path, entry]) =>
    "hasInstallScript" in entry ? path : [],
  );
  const names = paths.map((path) => path.replace(/^.*node_modules\//, ""));
  expect(Object.keys(packageJson.allowScripts).sort()).toEqual([...new Set(names)].sort());
});

test("has no script for npm to run, or to warn of, where the package is installed", () => {
  const ofInstallation = ["preinstall", "install", "postinstall", "prepare", "preprepare", "postprepare"];
  const { scripts } = packageJson;
  expect(ofInstallation.filter((name) => Object.hasOwn(scripts, name))).toEqual([]);
  // In a clone, npm ci builds by this script, which npm runs in the project itself alone.
  expect(scripts.dependencies).toBe("node build.mjs --if-stale");
});
