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

/** Also checks the published types themselves, but not those that they import, which would take ten times as long. */
test("only valid code compiles: Bundler without Node's types", async () => {
  const { default: ts } = await import("typescript");
  const code = join(createProject("bundler"), "library.test-d.mts");
  const program = ts.createProgram([code], {
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ["lib.es2022.d.ts", "lib.dom.d.ts"],
    types: [],
  });
  const ours = program.getSourceFiles().filter(({ fileName }) => /\/standin\/dist\/types\//.test(fileName));
  expect(ours.length).toBeGreaterThan(40);
  const found = [program.getSourceFile(code), ...ours].flatMap((file) => [
    ...program.getSyntacticDiagnostics(file),
    ...program.getSemanticDiagnostics(file),
  ]);
  expect([...program.getOptionsDiagnostics(), ...found].map(({ messageText }) => messageText)).toEqual([]);
});
