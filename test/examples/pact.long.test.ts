/** The steps in docs/pact.md from a consumer test to a pact that CI verifies, in a project with the package installed. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { run, usePackage } from "../support/package.js";
import { isLong } from "../support/repetitions.js";

const page = readFileSync(join(import.meta.dirname, "../../docs/pact.md"), "utf8");
const [, consumerTest = ""] = /```ts\n(import \{ MatchersV3, PactV4 \}[^`]*)```/.exec(page) ?? [];
const [, script = ""] = /```sh\n([^`]*npx standin verify pacts [^`]*)```/.exec(page) ?? [];

const installed = usePackage();

/** Removes the lines that need the network: the package and Pact are already installed in the parent folder. */
const offline = (lines: string): string =>
  lines
    .split("\n")
    .filter((line) => !/^npm (ci|install) /.test(line))
    .join("\n")
    .replace("cp node_modules/standin/", `cp ${installed.installed}/`);

interface Workflow {
  jobs: { pacts: { steps: { run?: string }[] } };
}

test("the consumer test writes a pact, standin verifies it, and the workflow reports a broken one", async () => {
  const folder = installed.copyOf("vitest", "with-pact");
  writeFileSync(join(folder, "shop.pact.test.ts"), consumerTest);
  const { code, stdout, stderr } = await run(["bash", "-e", "-c", offline(script)], folder);
  expect(stdout).toMatch(/Tests +1 passed \(1\)/);
  expect(stdout).toMatch(/\n1 of 1 interaction of 1 pact verified/);
  expect([code, stderr]).toEqual([0, expect.not.stringContaining("standin:")]);

  const { jobs } = parse(readFileSync(join(folder, ".github/workflows/pact.yml"), "utf8")) as Workflow;
  const steps = jobs.pacts.steps.flatMap(({ run: script = "npm ci" }) =>
    script === "npm ci" ? [] : [script],
  );
  expect(steps).toHaveLength(2);
  const environment = { GITHUB_STEP_SUMMARY: join(folder, "summary.md") };
  const runStep = (step = "") => run(["bash", "-e", "-c", step], folder, environment);
  const report = (name: string) => readFileSync(join(folder, name), "utf8");
  // The script above has run the same tests and verified the same pact.
  if (isLong) {
    for (const step of steps) expect(await runStep(step), step).toMatchObject({ code: 0 });
    expect(report("summary.md")).toMatch(/^## Pacts: 1 of 1 interaction of 1 pact/);
    expect(report("pacts.xml")).toMatch(/<testsuite [^>]* failures="0"/);
    rmSync(join(folder, "summary.md"));
  }

  const file = join(folder, "pacts/shop-service.json");
  writeFileSync(file, readFileSync(file, "utf8").replaceAll("a settled balance", "a held payment"));
  const broken = await runStep(steps[1]);
  expect(broken.stdout).toMatch(/status: expected 201, got 422\n +the service says \w+: /);
  expect(report("summary.md")).toMatch(/^## Pacts: 0 of 1 interaction of 1 pact/);
  expect(report("pacts.xml")).toMatch(/<testsuite [^>]* failures="1"/);
  expect(broken.code).toBe(1);
}, 60_000);
