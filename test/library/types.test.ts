/** The published types, compiled as users compile them, with the strictest options. */
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { usePackage } from "../support/package.js";

const root = join(import.meta.dirname, "../..");
const installed = usePackage();

/** Creates a project with the test of the types. Returns the path of the test. */
function createProject(name: string): string {
  const code = join(installed.project(name), "library.test-d.mts");
  cpSync(join(root, "test/types/library.test-d.ts"), code);
  return code;
}

/** The types of the language itself, which all programs read. */
const languageFiles = new Map<string, ts.SourceFile | undefined>();

function compile(files: readonly string[], more: ts.CompilerOptions): ts.Program {
  const options: ts.CompilerOptions = {
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    target: ts.ScriptTarget.ES2022,
    ...more,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (name, ...rest) => {
    if (!/\/typescript\/lib\/lib\.[\w.]+$/.test(name)) return getSourceFile(name, ...rest);
    if (!languageFiles.has(name)) languageFiles.set(name, getSourceFile(name, ...rest));
    return languageFiles.get(name);
  };
  return ts.createProgram(files, options, host);
}

const messages = (found: readonly ts.Diagnostic[]): string[] =>
  found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));

test("only valid code compiles, and so do the recipes: NodeNext", () => {
  const code = createProject("nodenext");
  const recipes = ["vitest", "playwright"].map((recipe) => installed.copyOf(recipe, `nodenext/${recipe}`));
  const [vitest = "", playwright = ""] = recipes;
  const files = [
    code,
    join(vitest, "shop.test.ts"),
    join(vitest, "sandbox.ts"),
    join(playwright, "shop.spec.ts"),
    join(playwright, "playwright.config.ts"),
  ];
  const program = compile(files, {
    module: ts.ModuleKind.NodeNext,
    types: ["node"],
    typeRoots: [join(root, "node_modules/@types")],
    skipLibCheck: true,
    allowJs: true,
  });
  expect(messages(ts.getPreEmitDiagnostics(program))).toEqual([]);
});

/** Also checks the published types themselves, but not those that they import, which would take ten times as long. */
test("only valid code compiles: Bundler without Node's types", () => {
  const code = createProject("bundler");
  const program = compile([code], {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ["lib.es2022.d.ts", "lib.dom.d.ts"],
    types: [],
  });
  const ours = program.getSourceFiles().filter(({ fileName }) => /\/standin\/dist\/[^/]+$/.test(fileName));
  expect(ours).toHaveLength(1);
  const found = [program.getSourceFile(code), ...ours].flatMap((file) => [
    ...program.getSyntacticDiagnostics(file),
    ...program.getSemanticDiagnostics(file),
  ]);
  expect(messages([...program.getOptionsDiagnostics(), ...found])).toEqual([]);
});

test("the options of a sandbox have their comments, which editors show", () => {
  const text = readFileSync(join(installed.installed, "dist/index.d.ts"), "utf8");
  const file = ts.createSourceFile("index.d.ts", text, ts.ScriptTarget.ES2022, true);
  const fields: ts.TypeElement[] = [];
  ts.forEachChild(file, (node) => {
    if (!ts.isTypeAliasDeclaration(node) || node.name.text !== "SandboxOptions") return;
    const parts = ts.isIntersectionTypeNode(node.type) ? node.type.types : [node.type];
    for (const part of parts) if (ts.isTypeLiteralNode(part)) fields.push(...part.members);
  });
  expect(fields.length).toBeGreaterThan(30);
  const bare = fields.filter((field) => ts.getJSDocCommentsAndTags(field).length === 0);
  expect(bare.map(({ name }) => name?.getText())).toEqual([]);
});
