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

const forNode = "--module nodenext --types node --skipLibCheck".split(" ");
const forBrowsers = "--module esnext --moduleResolution bundler --lib es2022,dom --typeRoots .".split(" ");
const strictest = ["--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess"];

/** The last case also checks the published types, which would take four times as long with Node's types. */
test.each([
  ["NodeNext", forNode],
  ["Bundler without Node's types", [...forBrowsers, "--skipLibCheck", "false"]],
])("only valid code compiles: %s", async (name, options) => {
  const folder = installed.project(`types-${name.replaceAll(/\W/g, "")}`);
  cpSync(join(root, "test/types/library.test-d.ts"), join(folder, "library.test-d.mts"));
  const { code, stdout } = await compile(folder, ["library.test-d.mts"], [...strictest, ...options]);
  expect([stdout, code]).toEqual(["", 0]);
});

test.each([
  ["vitest", ["shop.test.ts", "sandbox.ts"]],
  ["playwright", ["shop.spec.ts", "playwright.config.ts", "--allowJs"]],
])("the recipe in examples/%s compiles", async (recipe, files) => {
  const options = [...forNode, ...strictest];
  const { code, stdout } = await compile(installed.copyOf(recipe), files, options);
  expect([stdout, code]).toEqual(["", 0]);
});
