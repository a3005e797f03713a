/** The recipes in other languages: client tests under `standin exec`, if the language is installed. */
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Sandbox, startSandbox } from "../../src/index.js";
import { freshFolder } from "../support/folder.js";
import { run } from "../support/package.js";
import { programFile } from "../support/program.js";
import { javac, pytest, runtimes, skipWithout, type Toolchain } from "../support/toolchains.js";

const examples = join(import.meta.dirname, "../../examples");
const missing = "STANDIN_URL is not set; run the tests with: standin exec --";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ validateReplies: true });
});
afterAll(() => sandbox.close());

/** The control kits that the recipes use, and where they are copied to. */
const kits: Readonly<Record<string, readonly [file: string, into: string]>> = {
  pytest: ["python/standin.py", "standin.py"],
  junit: ["java/Standin.java", "Standin.java"],
};

/** Copies the recipe and its kit to a folder of the test. */
function copyOf(recipe: string): string {
  const folder = freshFolder();
  cpSync(join(examples, recipe), folder, { recursive: true });
  const [file, into] = kits[recipe] as readonly [string, string];
  cpSync(join(examples, "../clients", file), join(folder, into));
  return folder;
}

const junitPassed = /^3 tests passed\.\n$/;

/** Title of a block of docs/testing.md, what its tests need, and their output. */
const blocks: [string, Toolchain, RegExp][] = [
  ["Python, with pytest", "pytest", /4 passed in/],
  ["PHP, with PHPUnit", "phpunit", /OK \(3 tests/],
  ["Java", "java", /^3 tests passed\.$/m],
  ["Go", "go", /ok\s+shop/],
];
const guide = readFileSync(join(examples, "../docs/testing.md"), "utf8");

test.for(blocks)("what docs/testing.md says for %s passes", async ([title, needed, passed], { skip }) => {
  skipWithout(needed, skip);
  const [, lines] = guide.split(`\`\`\`sh\n# ${title}\n`).map((part) => part.slice(0, part.indexOf("```")));
  const folder = freshFolder();
  symlinkSync(join(examples, ".."), join(folder, "standin"));
  const { code, stdout } = await run(["sh", "-ec", lines as string], folder, runtimes);
  expect(stdout).toMatch(passed);
  expect(code).toBe(0);
});

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

test("examples/pytest says what is missing without STANDIN_URL", async ({ skip }) => {
  skipWithout("pytest", skip);
  const { code, stdout } = await run(pytest, copyOf("pytest"), runtimes);
  expect(code).not.toBe(0);
  expect(stdout).toContain(missing);
});

test("the Python shop shows the service's message", async ({ skip }) => {
  skipWithout("python", skip);
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
  skipWithout("java", skip);
  const folder = copyOf("junit");
  const main = `public static void main(String[] args) throws Exception {
    new ShopTest.Shop(System.getenv("STANDIN_URL"), "svc_test_no_account").payOut(7000);
  }`;
  writeFileSync(join(folder, "Refused.java"), `class Refused { ${main} }\n`);
  expect(await run([...javac, "ShopTest.java", "Standin.java", "Refused.java"], folder)).toMatchObject({
    code: 0,
  });
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
