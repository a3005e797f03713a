/** The recipes in other languages: client tests under `standin exec`, if the language is installed. */
import { spawnSync } from "node:child_process";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freshFolder } from "../support/folder.js";
import { run } from "../support/package.js";
import { programFile } from "../support/program.js";

const works = ([program = "", ...args]: readonly string[]): boolean =>
  spawnSync(program, args, { stdio: "ignore" }).status === 0;

/** Recipe, command that must work, command that runs the tests, and their output. */
const recipes: [string, string[], string[], RegExp][] = [
  ["pytest", ["python3", "-m", "pytest", "--version"], ["python3", "-m", "pytest"], /4 passed in/],
  ["junit", ["java", "--version"], ["java", "ShopTest.java"], /^3 tests passed\.\n$/],
];

test.for(recipes)("examples/%s passes", async ([recipe, needed, command, passed], { skip }) => {
  skip(!works(needed), `${needed.join(" ")} does not work here`);
  const folder = freshFolder();
  cpSync(join(import.meta.dirname, "../../examples", recipe), folder, { recursive: true });
  const exec = [process.execPath, programFile, "exec", "--json", "--", ...command];
  const { code, stdout, stderr } = await run(exec, folder, { PYTHONDONTWRITEBYTECODE: "1" });
  expect(stdout).toMatch(passed);
  expect(code).toBe(0);
  const { coverage } = JSON.parse(stderr.trim().split("\n").at(-1) ?? "");
  const payout = coverage.events.find(({ event }: { event: string }) => event === "payout.rejected");
  expect(payout.count).toBeGreaterThan(0);
});

test.for(recipes)(
  "examples/%s says what is missing without STANDIN_URL",
  async ([recipe, needed, command], { skip }) => {
    skip(!works(needed), `${needed.join(" ")} does not work here`);
    const folder = freshFolder();
    cpSync(join(import.meta.dirname, "../../examples", recipe), folder, { recursive: true });
    const { code, stdout, stderr } = await run(command, folder, {
      PYTHONDONTWRITEBYTECODE: "1",
      STANDIN_URL: undefined,
    });
    expect(code).not.toBe(0);
    expect(stdout + stderr).toContain("STANDIN_URL is not set; run the tests with: npx standin exec --");
  },
);

test("the Python shop shows the service's message", async ({ skip }) => {
  skip(!works(["python3", "--version"]), "python3 does not work here");
  const script =
    "import os; from shop import Shop; Shop(os.environ['STANDIN_URL'], 'svc_test_no_account').pay_out(7000)";
  const exec = [process.execPath, programFile, "exec", "--", "python3", "-c", script];
  const { stderr } = await run(exec, join(import.meta.dirname, "../../examples/pytest"), {
    PYTHONDONTWRITEBYTECODE: "1",
  });
  expect(stderr).toContain("POST /v1/business/payouts: 422 Set the payout account first");
});

test("the Java shop shows the service's message", async ({ skip }) => {
  skip(!works(["javac", "--version"]), "javac does not work here");
  const folder = freshFolder();
  cpSync(join(import.meta.dirname, "../../examples/junit"), folder, { recursive: true });
  const main = `public static void main(String[] args) throws Exception {
    new ShopTest.Shop("svc_test_no_account").payOut(7000);
  }`;
  writeFileSync(join(folder, "Refused.java"), `class Refused { ${main} }\n`);
  expect(await run(["javac", "ShopTest.java", "Refused.java"], folder)).toMatchObject({ code: 0 });
  const exec = [process.execPath, programFile, "exec", "--", "java", "-cp", ".", "Refused"];
  const { code, stderr } = await run(exec, folder);
  expect(code).not.toBe(0);
  expect(stderr).toMatch(/IOException: POST \/v1\/business\/payouts: 422 .*Set the payout account first/);
});
