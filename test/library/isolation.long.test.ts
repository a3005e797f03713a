/** Runs the project in test/isolation as users run theirs: by Vitest, in its own processes. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startSandbox } from "../../src/index.js";
import { temporaryFolder } from "../support/program.js";
import { repetitions } from "../support/repetitions.js";

const lanes = repetitions(2, 8);
const perLane = repetitions(10, 25);
const tests = perLane * lanes;

const project = join(import.meta.dirname, "../isolation/vitest.config.ts");
const vitest = join(import.meta.dirname, "../../node_modules/vitest/vitest.mjs");

interface Report {
  numTotalTests: number;
  numPassedTests: number;
  testResults: {
    assertionResults: { title: string; failureMessages: string[]; meta: { worker?: string } }[];
  }[];
}

/** Runs the project against the sandbox. Its environment contains the URL and the number of tests. */
async function runProject(url: string): Promise<Report> {
  const reportFile = join(temporaryFolder(), "report.json");
  const child = spawn(
    process.execPath,
    [vitest, "run", "--config", project, "--reporter=json", `--outputFile=${reportFile}`],
    {
      env: { PATH: process.env.PATH, STANDIN_URL: url, LANES: String(lanes), CUSTOMERS: String(perLane) },
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  await new Promise((resolve) => child.once("close", resolve));
  try {
    return JSON.parse(readFileSync(reportFile, "utf8"));
  } catch {
    throw new Error(`vitest wrote no report: ${errors}`);
  }
}

test(`${tests} tests in ${lanes} workers against one sandbox, each with a key of its own, do not interfere`, async () => {
  const sandbox = await startSandbox({ validateReplies: true });
  onTestFinished(() => sandbox.close());
  const began = Date.now();
  const report = await runProject(sandbox.url);
  const seconds = ((Date.now() - began) / 1000).toFixed(1);

  const results = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  expect(results.flatMap(({ failureMessages }) => failureMessages)).toEqual([]);
  expect([report.numTotalTests, report.numPassedTests]).toEqual([tests, tests]);
  expect(new Set(results.map(({ title }) => title)).size).toBe(tests);
  expect(new Set(results.map(({ meta }) => meta.worker)).size).toBe(lanes);

  // The sandbox's totals equal the sums of the customers' counts.
  const { operations, events } = await sandbox.coverage();
  const calls = Object.fromEntries(operations.map(({ operation, calls }) => [operation, calls]));
  expect(calls).toMatchObject({
    startPhoneVerification: 2 * tests,
    checkPhoneVerification: 7 * tests,
    createPayout: tests,
  });
  expect(events.find(({ event }) => event === "payout.paid")?.count).toBe(tests);
  const total = operations.reduce((sum, { calls }) => sum + calls, 0);
  console.log(
    `${tests} tests in ${lanes} workers against one sandbox: ${seconds} s, ${total} calls of the service`,
  );
}, 120_000);
