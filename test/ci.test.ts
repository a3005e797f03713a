/** What a new machine needs to install and test this project, and the workflow of its own CI. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import packageJson from "../package.json" with { type: "json" };
import lock from "../package-lock.json" with { type: "json" };

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

test("the long run has every test that repeats more often there: its file is named for it", () => {
  const names = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".test.ts"),
  );
  const repeating = names.filter((name) =>
    /from ".*support\/repetitions\.js"/.test(readFileSync(join(import.meta.dirname, name), "utf8")),
  );
  expect(names.filter((name) => name.endsWith(".long.test.ts")).sort()).toEqual(repeating.sort());
});

test("says of every package whether it may run an install script: npm 12 blocks the scripts of others", () => {
  const paths = Object.entries(lock.packages).flatMap(([path, entry]) =>
    "hasInstallScript" in entry ? path : [],
  );
  const names = paths.map((path) => path.replace(/^.*node_modules\//, ""));
  expect(Object.keys(packageJson.allowScripts).sort()).toEqual([...new Set(names)].sort());
});
