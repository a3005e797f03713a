/** action.yml: its steps run as GitHub runs them, with their inputs in the environment. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
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
    const result = await run([shell, "-e", "-c", script], folder, {
      ...values,
      GITHUB_ACTION_PATH: root,
      GITHUB_STEP_SUMMARY: summary,
    });
    if (result.code !== 0) return { ...result, summary: "" };
    if (script.includes("exec")) return { ...result, summary: readFileSync(summary, "utf8") };
  }
  throw new Error("no step has run the command");
}

test("the command runs with a sandbox, and what it has tried is in the summary and the reports", async () => {
  const folder = freshFolder();
  const command = 'curl -sf -H "X-Service-Key: $SERVICE_KEY" "$STANDIN_URL/v1/balance"';
  const { code, stdout, summary } = await runAction({ run: command }, folder);
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { currency: "NGN" }]);
  expect(summary).toMatch(/1 of 53/);
  for (const file of ["coverage.json", "junit.xml", "story.html"])
    expect(existsSync(join(folder, "reports/standin", file))).toBe(true);
});

test("a command that fails, or has tried too little, fails the job", async () => {
  expect((await runAction({ run: "exit 3" }, freshFolder())).code).toBe(3);
  const tooLittle = { run: "true", options: "--min-coverage operations=40" };
  expect((await runAction(tooLittle, freshFolder())).code).toBe(1);
});
