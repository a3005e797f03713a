/** The workflow of this project's own CI. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import packageJson from "../package.json" with { type: "json" };

const root = join(import.meta.dirname, "..");
const { jobs } = parse(readFileSync(join(root, ".github/workflows/ci.yml"), "utf8"));
const commandsOf = (job: { steps: { run?: string }[] }): string[] =>
  job.steps.flatMap(({ run }) => run ?? []);

test("runs every command of .ci/run, and the tests on each supported version of Node", () => {
  const script = readFileSync(join(root, ".ci/run"), "utf8");
  const local = [...script.matchAll(/^(?:npm|node) .+$/gm)].flatMap(([line]) => line.split(" && "));
  expect(new Set([...commandsOf(jobs.tests), ...commandsOf(jobs.checks)])).toEqual(new Set(local));
  expect(jobs.tests.strategy.matrix.node).toEqual([20, 22, 24, 26]);
  expect(packageJson.engines.node).toBe(`>=${Math.min(...jobs.tests.strategy.matrix.node)}.15`);
});
