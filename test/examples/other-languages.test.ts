/** The recipes in other languages: client tests under `standin exec`, if the language is installed. */
import { spawnSync } from "node:child_process";
import { cpSync } from "node:fs";
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
