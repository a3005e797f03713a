/** The CI workflow in examples/ci: its commands exist, and it runs in a project. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { unknownOptions } from "../support/command-options.js";
import { usePackage } from "../support/package.js";
import { freePort } from "../support/port.js";
import { isLong } from "../support/repetitions.js";

const examples = join(import.meta.dirname, "../../examples");
interface Step {
  name?: string;
  uses?: string;
  run?: string;
  with?: Record<string, string>;
}
interface Workflow {
  jobs: { tests: { env: Record<string, string>; steps: Step[] } };
}

const { jobs } = parse(readFileSync(join(examples, "ci/standin.yml"), "utf8")) as Workflow;
const weekly = parse(readFileSync(join(examples, "ci/exam.yml"), "utf8")) as Workflow;
const { env, steps } = jobs.tests;
const scripts = steps.flatMap(({ run }) => (run === undefined || run === "npm ci" ? [] : [run]));
const commandLines = scripts
  .flatMap((script) => script.split("\n"))
  .filter((line) => line.startsWith("npx --no-install standin "))
  .map((line) => line.split(" ").slice(3));

test("uses commands and options that exist", () => {
  expect(commandLines.map((words) => words.slice(0, 2).join(" "))).toEqual([
    "exec --coverage",
    "scenario run",
    "webhooks check",
  ]);
  for (const words of commandLines) expect(unknownOptions(words), words.join(" ")).toEqual([]);
  const exam = weekly.jobs.tests.steps.flatMap(({ run = "" }) =>
    run.includes(" exam ") ? [run.split(" ").slice(3)] : [],
  );
  expect(exam.map(([command]) => command)).toEqual(["exam"]);
  for (const words of exam) expect(unknownOptions(words), words.join(" ")).toEqual([]);
  expect(unknownOptions(["scenario", "run", "--everything"])).toEqual(["--everything"]);
});

/** Runs a step as a workflow runner does, and ends the processes that it leaves running. */
async function runStep(script: string, cwd: string, environment: Record<string, string>) {
  const child = spawn("bash", ["-e", "-c", script], {
    cwd,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output += chunk;
    });
  const [code] = await once(child, "exit");
  try {
    process.kill(-(child.pid as number), "SIGKILL");
  } catch {
    // The step left no process.
  }
  return { code: code as number, output };
}

// Three commands that have tests of their own, on the recipe that javascript.long.test.ts runs.
describe.runIf(isLong)("the workflow", () => {
  const installed = usePackage();

  test("runs in a project with tests and a receiver, and writes all reports", async () => {
    const folder = installed.copyOf("vitest", "in-the-ci");
    cpSync(join(examples, "receivers/receiver.mjs"), join(folder, "receiver.mjs"));
    const project = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    project.scripts.start = "node receiver.mjs";
    writeFileSync(join(folder, "package.json"), JSON.stringify(project));

    const port = await freePort();
    for (const script of scripts) {
      const elsewhere = script.replaceAll(":3000", `:${port}`);
      const { code, output } = await runStep(elsewhere, folder, { PORT: String(port) });
      expect(code, `${script}\n${output}`).toBe(0);
    }

    const { path = "" } = steps.at(-1)?.with ?? {};
    const report = (name: string) => readFileSync(join(folder, path, name), "utf8");
    expect(JSON.parse(report("coverage.json")).summary.operations.exercised).toBe(6);
    expect(report("scenarios.xml")).toMatch(/<testsuite [^>]* failures="0"/);
    expect(report("webhooks.xml")).toMatch(/<testsuite [^>]* failures="0"/);
  }, 60_000);
});
