/** action.yml: its steps run as GitHub runs them, with their inputs in the environment. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { freshFolder } from "../support/folder.js";
import { run } from "../support/package.js";

const root = join(import.meta.dirname, "../..");

interface Action {
  inputs: Record<string, { required?: true; default?: string }>;
  runs: {
    steps: { shell: string; run: string; env?: Record<string, string>; "working-directory"?: string }[];
  };
}
const { inputs, runs } = parse(readFileSync(join(root, "action.yml"), "utf8")) as Action;

/** Runs the steps with these inputs until one fails. */
async function runAction(given: Readonly<Record<string, string>>, folder: string) {
  const summary = join(folder, "summary.md");
  const filled = (text: string) =>
    text.replaceAll(
      /\$\{\{ inputs\.([\w-]+) \}\}/g,
      (_found, name: string) => given[name] ?? inputs[name]?.default ?? "",
    );
  for (const { shell, run: script, env = {} } of runs.steps) {
    const values = Object.fromEntries(Object.entries(env).map(([name, text]) => [name, filled(text)]));
    const file = join(folder, "step.sh");
    writeFileSync(file, script);
    const result = await run([shell, "--noprofile", "--norc", "-eo", "pipefail", file], folder, {
      ...values,
      GITHUB_ACTION_PATH: root,
      GITHUB_STEP_SUMMARY: summary,
    });
    if (result.code !== 0) return { ...result, summary: "" };
    if (script.includes("exec")) return { ...result, summary: readFileSync(summary, "utf8") };
  }
  throw new Error("no step has run the command");
}

/** A command that makes a request. */
const readBalance = 'curl -sf -H "X-Service-Key: $SERVICE_KEY" "$STANDIN_URL/v1/balance"';

test("the command runs with a sandbox, and what it has tried is in the summary and the reports", async () => {
  const folder = freshFolder();
  const { code, stdout, summary } = await runAction({ run: readBalance }, folder);
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { currency: "NGN" }]);
  expect(summary).toMatch(/1 of \d+/);
  for (const file of ["coverage.json", "junit.xml", "story.html"])
    expect(existsSync(join(folder, "reports/standin", file))).toBe(true);
});

test("a command that fails, or has tried nothing or too little, fails the job", async () => {
  expect((await runAction({ run: "exit 4" }, freshFolder())).code).toBe(4);
  const options = "--min-coverage operations=40";
  expect((await runAction({ run: readBalance, options }, freshFolder())).code).toBe(1);
  expect((await runAction({ run: "true", options }, freshFolder())).code).toBe(3);
});

describe("the run input is executed as a step of GitHub is", () => {
  test.each([
    ["a line that fails before the last", "false\necho reached", 1],
    ["a command that fails before a pipe", "false | cat\necho reached", 1],
    ["a failing command in a function", "check() { false; echo reached; }\ncheck", 1],
  ])("%s fails the job at once", async (_case, command, expected) => {
    const { code, stdout } = await runAction({ run: command }, freshFolder());
    expect([code, stdout]).toEqual([expected, ""]);
  });

  test("lines that succeed all run, with variables of earlier lines", async () => {
    const { code, stdout } = await runAction({ run: "word=sandbox\necho one\necho $word" }, freshFolder());
    expect([code, stdout]).toEqual([0, "one\nsandbox\n"]);
  });
});

describe("the options input is read as bash reads arguments", () => {
  const printed = async (options: string) => {
    const folder = freshFolder();
    const { code, stderr } = await runAction({ run: readBalance, options }, folder);
    return { code, stderr, junit: existsSync(join(folder, "my reports/two words.xml")) };
  };

  test.each([
    ["on a second line", "--conduct fail\n--min-coverage operations=40\n"],
    ["on a line that a backslash continues", "--conduct fail \\\n  --min-coverage operations=40"],
    ["in quotes", "--min-coverage \"operations=40\" '--conduct=fail'"],
    ["before a comment", "--min-coverage operations=40 # of 53"],
  ])("a minimum %s is applied", async (_case, options) => {
    const { code, stderr } = await printed(options);
    expect(stderr).toMatch(/operations.*40/);
    expect(code).toBe(1);
  });

  test("a path with a space in quotes is one argument", async () => {
    expect(await printed('--min-coverage operations=0\n--junit "my reports/two words.xml"')).toMatchObject({
      code: 0,
      junit: true,
    });
  });

  test("a quote without its end fails the job and runs nothing", async () => {
    const { code, stdout, stderr } = await runAction(
      { run: "echo ran", options: '--key "svc' },
      freshFolder(),
    );
    expect([code !== 0, stdout]).toEqual([true, ""]);
    expect(stderr).toMatch(/unexpected EOF|syntax error/);
  });
});
