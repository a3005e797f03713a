/** The published types, compiled as users compile them, with the strictest options. */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run, usePackage } from "../support/package.js";

const root = join(import.meta.dirname, "../..");
const installed = usePackage();

const compile = (folder: string, files: readonly string[], options: readonly string[]) => {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  return run(
    [process.execPath, tsc, "--noEmit", "--strict", "--target", "es2022", ...options, ...files],
    folder,
  );
};

const forNode = "--module nodenext --types node --skipLibCheck --allowJs".split(" ");
const forBrowsers = "--module esnext --moduleResolution bundler --lib es2022,dom --typeRoots .".split(" ");
const strictest = ["--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess"];

function createProject(name: string): string {
  const folder = installed.project(name);
  cpSync(join(root, "test/types/library.test-d.ts"), join(folder, "library.test-d.mts"));
  return folder;
}

test("only valid code compiles, and so do the recipes: NodeNext", async () => {
  const folder = createProject("nodenext");
  for (const recipe of ["vitest", "playwright"]) installed.copyOf(recipe, `nodenext/${recipe}`);
  const recipes = [
    "vitest/shop.test.ts",
    "vitest/sandbox.ts",
    "playwright/shop.spec.ts",
    "playwright/playwright.config.ts",
  ];
  const { code, stdout } = await compile(
    folder,
    ["library.test-d.mts", ...recipes],
    [...strictest, ...forNode],
  );
  expect([stdout, code]).toEqual(["", 0]);
});

/** Also checks the published types themselves, which would take four times as long with Node's types. */
test("only valid code compiles: Bundler without Node's types", async () => {
  const options = [...strictest, ...forBrowsers, "--skipLibCheck", "false"];
  const { code, stdout } = await compile(createProject("bundler"), ["library.test-d.mts"], options);
  expect([stdout, code]).toEqual(["", 0]);
});
