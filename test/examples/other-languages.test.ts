/** The recipes in other languages: client tests under `standin exec`, if the language is installed. */
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Sandbox, startSandbox } from "../../src/index.js";
import { freshFolder } from "../support/folder.js";
import { run } from "../support/package.js";
import { programFile } from "../support/program.js";
import { isLong } from "../support/repetitions.js";
import { javac, pytest, runtimes, works } from "./runtimes.js";

const examples = join(import.meta.dirname, "../../examples");
const missing = "STANDIN_URL is not set; run the tests with: npx standin exec --";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ validateReplies: true });
});
afterAll(() => sandbox.close());

/** Copies the recipe to a folder of the test. */
function copyOf(recipe: string): string {
  const folder = freshFolder();
  cpSync(join(examples, recipe), folder, { recursive: true });
  return folder;
}

const junitPassed = /^3 tests passed\.\n$/;

/** Recipe, command that must work, command that runs the tests, and their output. */
const recipes: [string, string[], string[], RegExp][] = [
  ["pytest", [...pytest, "--version"], pytest, /4 passed in/],
  ["junit", ["java", "--version"], ["java", "ShopTest.java"], junitPassed],
];

/** Runs a command under `standin exec`, and expects the tests of a recipe to pass. */
async function expectToPass(command: readonly string[], folder: string, passed: RegExp): Promise<void> {
  const exec = [process.execPath, programFile, "exec", "--json", "--", ...command];
  const { code, stdout, stderr } = await run(exec, folder, runtimes);
  expect(stdout).toMatch(passed);
  expect(code).toBe(0);
  const { coverage } = JSON.parse(stderr.trim().split("\n").at(-1) ?? "");
  const payout = coverage.events.find(({ event }: { event: string }) => event === "payout.rejected");
  expect(payout.count).toBeGreaterThan(0);
}

// The last test compiles the recipe for Java once, and runs it in several ways.
test.for(isLong ? recipes : recipes.slice(0, 1))(
  "examples/%s passes",
  async ([recipe, needed, command, passed], { skip }) => {
    skip(!works(needed), `${needed.join(" ")} does not work here`);
    await expectToPass(command, copyOf(recipe), passed);
  },
);

test("examples/pytest says what is missing without STANDIN_URL", async ({ skip }) => {
  skip(!works([...pytest, "--version"]), "pytest does not work here");
  const { code, stdout } = await run(pytest, copyOf("pytest"), runtimes);
  expect(code).not.toBe(0);
  expect(stdout).toContain(missing);
});

test("the Python shop shows the service's message", async ({ skip }) => {
  skip(!works(["python3", "--version"]), "python3 does not work here");
  const script =
    "import os; from shop import Shop; Shop(os.environ['STANDIN_URL'], 'svc_test_no_account').pay_out(7000)";
  const { code, stderr } = await run(["python3", "-c", script], join(examples, "pytest"), {
    ...runtimes,
    STANDIN_URL: sandbox.url,
  });
  expect(code).not.toBe(0);
  expect(stderr).toContain("POST /v1/business/payouts: 422 Set the payout account first");
});

test("examples/junit passes when compiled, says what is missing without STANDIN_URL, and its shop shows the service's message", async ({
  skip,
}) => {
  skip(!works(["javac", "--version"]), "javac does not work here");
  const folder = copyOf("junit");
  const main = `public static void main(String[] args) throws Exception {
    new ShopTest.Shop("svc_test_no_account").payOut(7000);
  }`;
  writeFileSync(join(folder, "Refused.java"), `class Refused { ${main} }\n`);
  expect(await run([...javac, "ShopTest.java", "Refused.java"], folder)).toMatchObject({ code: 0 });
  const java = (name: string, env = {}) => run(["java", "-cp", ".", name], folder, { ...runtimes, ...env });
  await expectToPass(["java", "-cp", ".", "ShopTest"], folder, junitPassed);

  const alone = await java("ShopTest");
  expect(alone.code).not.toBe(0);
  expect(alone.stderr).toContain(missing);

  const refused = await java("Refused", { STANDIN_URL: sandbox.url });
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toMatch(
    /IOException: POST \/v1\/business\/payouts: 422 .*Set the payout account first/,
  );
});
