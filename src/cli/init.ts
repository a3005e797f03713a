/** `standin init`: writes a test, a script and a CI job into the project in this folder: npm, Python, Maven, PHP or Go. */
import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline/promises";
import type { Command } from "commander";
import { parseJsonFile, readTextFile } from "../contract/read-file.js";
import { topCommand } from "./command-list.js";
import { UsageError } from "./errors.js";
import { type FlagsOf, flagTable, withFlags } from "./flags.js";
import { colors, printResult } from "./output/print.js";
import {
  ciFiles,
  type InitPlan,
  isShared,
  kitFile,
  type PlannedFile,
  type RecipeFile,
  readStandinSource,
  recipeFile,
  recipeFiles,
  type StandinSource,
  scriptFile,
  testScript,
} from "./recipes.js";

/** Kinds of projects. The first of these files that exists decides. */
const projects: readonly (readonly [file: string, plan: (folder: string) => Promise<InitPlan>])[] = [
  ["package.json", planNpm],
  ["pyproject.toml", planPytest],
  ["requirements.txt", planPytest],
  ["pom.xml", planMaven],
  ["composer.json", planPhpunit],
  ["go.mod", planGo],
];

const notes = `It looks for ${projects.map(([file]) => file).join(", ")}, in this order. Existing files
of yours are only overwritten when you say so; package.json and pom.xml get additions.`;

const options = flagTable(null, [
  ["--dry-run", "only list what would be written"],
  ["--exam", "also add a workflow that runs an exam of your client once a week"],
  ["--yes", "overwrite existing files without asking"],
  ["--json", "print the files, with what was done to each, as one JSON document"],
]);

export const initCommand = (): Command =>
  withFlags(
    topCommand("init", ["standin init --dry-run", "standin init", "standin init --exam"], notes),
    options,
  ).action(init);

interface Outcome {
  /** False for --dry-run. */
  written: boolean;
  project: string;
  files: { path: string; action: Action }[];
  next: string[];
}

async function init({ dryRun, exam, yes, ...output }: FlagsOf<typeof options>): Promise<void> {
  const folder = process.cwd();
  const [, plan] = projects.find(([file]) => existsSync(join(folder, file))) ?? [];
  if (!plan)
    throw new UsageError(
      `there is no ${projects.map(([file]) => file).join(", ")} in ${folder}; go to the folder of your project, or begin one, such as with npm init -y`,
    );
  const { project, files: planned, next } = await plan(folder);
  const files: Outcome["files"] = [];
  for (const file of planned.filter(({ isOfExam }) => exam || !isOfExam)) {
    const needed = await actionFor(folder, file);
    const isKept = needed === "overwrite" && !dryRun && !yes && !(await isOverwritten(file.path));
    if (!dryRun && !isKept && needed !== "unchanged") await write(folder, file);
    files.push({ path: file.path, action: isKept ? "keep" : needed });
  }
  printResult<Outcome>(output, { written: !dryRun, project, files, next }, formatOutcome);
}

const formatOutcome = ({ written, project, files, next }: Outcome): string =>
  [
    `This is ${project}.`,
    ...files.map(({ path, action }) => `  ${colors.bold(action.padEnd(10))}${path}`),
    ...(written ? ["Next:", ...next.map((line) => `  ${line}`)] : ["Nothing was written."]),
  ].join("\n");

type Action = "write" | "add to" | "overwrite" | "unchanged" | "keep";

async function actionFor(folder: string, { path, text, isAddition }: PlannedFile): Promise<Action> {
  const existing = await readFile(join(folder, path)).catch(() => null);
  if (existing === null) return "write";
  if (existing.equals(Buffer.from(text))) return "unchanged";
  return isAddition ? "add to" : "overwrite";
}

/** Asks on a terminal. Without one, nothing is overwritten. */
async function isOverwritten(path: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`${path} exists and differs. Overwrite it? [y/N] `);
  terminal.close();
  return /^y(?:es)?$/i.test(answer.trim());
}

async function write(folder: string, { path, text, isExecutable }: PlannedFile): Promise<void> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  if (isExecutable) await chmod(file, 0o755);
}

type Members = Record<string, unknown>;

const runners: Readonly<Record<string, string>> = { jest: "jest", "@playwright/test": "playwright" };

/** Configuration files of the project. If one exists, the recipe's configuration is not written. */
const configs: Readonly<Record<string, RegExp>> = {
  vitest: /^vite(?:st)?\.config\./,
  playwright: /^playwright\.config\./,
};

/** Returns whether the runner loads the file with Node, which takes .js and .ts for CommonJS by default. */
const needsModules = (recipe: string, path: string): boolean =>
  recipe === "playwright" || configs.vitest?.test(path) === true;

/** Returns the file under a name that Node treats as an ES module in every project. */
const toModule = ({ path, text, ...file }: RecipeFile): RecipeFile => ({
  ...file,
  path: path.replace(/\.([jt]s)$/, ".m$1"),
  text: text.replace(/"(\.\/[\w-]+)\.js"/g, '"$1.mjs"'),
});

/** Text that the configuration of each runner contains once it runs the recipe. */
const ready: Readonly<Record<string, RegExp>> = {
  vitest: /globalSetup.*sandbox\.m?ts/s,
  playwright: /testDir: "\."/,
};

/** Playwright's package has no browser. */
const installsBrowser = "npx --no-install playwright install chromium";

/** Script that `npm init` writes in place of a test. */
const placeholder = /no test specified/;

async function planNpm(folder: string): Promise<InitPlan> {
  const text = await readTextFile(join(folder, "package.json"), "package.json");
  const own = parseJsonFile(text, "package.json") as Members;
  const scripts = (own.scripts ?? {}) as Record<string, string>;
  const installed = { ...(own.dependencies as Members), ...(own.devDependencies as Members) };
  const recipe = Object.entries(runners).find(([name]) => name in installed)?.[1] ?? "vitest";
  const config = (await readdir(folder)).find((name) => configs[recipe]?.test(name));
  const isUnready = config !== undefined && !ready[recipe]?.test(await readTextFile(join(folder, config)));
  const { standin } = installed;
  const source = typeof standin === "string" && isShared(standin, folder) ? null : await readStandinSource();
  const files = (await recipeFiles(recipe)).filter(({ path }) => !(config && configs[recipe]?.test(path)));
  const added = merged(own, JSON.parse(await recipeFile(recipe, "package.json")), source);
  const change: PlannedFile = {
    path: "package.json",
    text: `${JSON.stringify(added, null, /^[ \t]+/m.exec(text)?.[0] ?? 2)}\n`,
    isAddition: true,
  };
  return {
    project: `an npm project with ${recipe[0]?.toUpperCase()}${recipe.slice(1)}`,
    files: [
      change,
      ...(source?.files ?? []),
      ...files.map((file) =>
        own.type !== "module" && needsModules(recipe, file.path) ? toModule(file) : file,
      ),
      ...(await ciFiles({
        test: "npm test",
        hasReceiver: "start" in scripts,
        afterInstall: recipe === "playwright" ? [{ run: `${installsBrowser} --with-deps` }] : [],
      })),
    ],
    next: [
      ...(isUnready && recipe === "vitest" ? [`add globalSetup: ["sandbox.ts"] to test in ${config}`] : []),
      ...(isUnready && recipe === "playwright" ? [`let testDir in ${config} contain shop.spec`] : []),
      "npm install",
      ...(recipe === "playwright" ? [installsBrowser] : []),
      "npm run test:standin",
    ],
  };
}

/** Adds the members that the recipe needs. The project's own members are kept. */
function merged(own: Members, recipe: Members, source: StandinSource | null): Members {
  const { test, ...scripts } = (own.scripts ?? {}) as Record<string, string>;
  const kept = test === undefined || placeholder.test(test) ? scripts : { test, ...scripts };
  const more = {
    ...(recipe.jest && !own.jest ? { jest: recipe.jest } : {}),
    scripts: { test: (recipe.scripts as Members).test, ...kept, "test:standin": "standin exec -- npm test" },
    devDependencies: {
      ...(recipe.devDependencies as Members),
      ...(own.devDependencies as Members),
    },
  };
  const all: Members = { ...own, ...more };
  if (source === null) return all;
  const spec = source.spec.replace(/^\.\//, "file:");
  const field = "standin" in ((own.dependencies ?? {}) as Members) ? "dependencies" : "devDependencies";
  return { ...all, [field]: { ...(all[field] as Members), standin: spec } };
}

/** A project that npm does not install, and that runs Standin with npx. */
interface OtherProject {
  readonly project: string;
  /** Command that runs the tests. */
  readonly test: string;
  /** Steps of the CI job that install the language and the dependencies of the tests. */
  readonly setup: readonly object[];
  /** Files of the recipe and its kit, and changes to files of the project. */
  readonly files: readonly RecipeFile[];
  /** Commands before the tests run. Default: none. */
  readonly next?: readonly string[];
}

/** Commands in recipes and kits that run their tests. */
const recipeCommands = /standin exec -- (?:pytest|mvn test|phpunit(?: ShopTest\.php)?|go test \.\/\.\.\.)/g;

async function planOther({ project, test, setup, files, next = [] }: OtherProject): Promise<InitPlan> {
  const source = await readStandinSource();
  return {
    project,
    files: [
      ...source.files,
      ...files.map((file) => ({ ...file, text: file.text.replaceAll(recipeCommands, testScript) })),
      scriptFile(test, source),
      ...(await ciFiles({ test, other: { setup, source } })),
    ],
    next: [...next, testScript],
  };
}

async function planPytest(folder: string): Promise<InitPlan> {
  const hasRequirements = existsSync(join(folder, "requirements.txt"));
  const install = `pip install ${hasRequirements ? "-r requirements.txt " : ""}pytest`;
  return planOther({
    project: "a Python project with pytest",
    test: "python3 -m pytest",
    setup: [{ uses: "actions/setup-python@v5", with: { "python-version": "3.12" } }, { run: install }],
    files: [
      ...(await recipeFiles("pytest", "tests/standin/")),
      await kitFile("python/standin.py", "tests/standin/"),
    ],
    next: [install],
  });
}

async function planMaven(folder: string): Promise<InitPlan> {
  const pom = await readTextFile(join(folder, "pom.xml"));
  return planOther({
    project: "a Maven project with JUnit 5",
    test: "mvn test",
    setup: [{ uses: "actions/setup-java@v4", with: { distribution: "temurin", "java-version": "17" } }],
    files: [
      ...changeOf(pom),
      { path: "src/test/java/ShopTest.java", text: toJunit(await recipeFile("junit", "ShopTest.java")) },
      await kitFile("java/Standin.java", "src/test/java/"),
      await kitFile("java/StandinExtension.java", "src/test/java/"),
    ],
  });
}

const junit = `<dependency>
  <groupId>org.junit.jupiter</groupId>
  <artifactId>junit-jupiter</artifactId>
  <version>5.14.1</version>
  <scope>test</scope>
</dependency>`;

/** Earlier versions of Surefire, which Maven 3.8 uses by default, do not find tests of JUnit 5. */
const surefire = `<plugin>
  <groupId>org.apache.maven.plugins</groupId>
  <artifactId>maven-surefire-plugin</artifactId>
  <version>3.2.5</version>
</plugin>`;

const java17 = `<maven.compiler.source>17</maven.compiler.source>
<maven.compiler.target>17</maven.compiler.target>`;

/** Adds the dependencies and plugins of the test that the pom.xml does not mention. */
function changeOf(pom: string): RecipeFile[] {
  let text = pom;
  if (!/maven\.compiler|<release>|<source>/.test(pom))
    text = addElement(text, ["project", "properties"], java17);
  if (!pom.includes("junit-jupiter")) text = addElement(text, ["project", "dependencies"], junit);
  if (!pom.includes("maven-surefire-plugin"))
    text = addElement(text, ["project", "build", "plugins"], surefire);
  return text === pom ? [] : [{ path: "pom.xml", text, isAddition: true }];
}

/** Turns the recipe, which only needs the JDK, into a JUnit test whose methods each get an account. */
function toJunit(recipe: string): string {
  const main = / {2}public static void main[\s\S]*?\n {2}\}\n\n/.exec(recipe)?.[0] ?? "";
  const names = [...main.matchAll(/^ {4}(\w+)\(\);$/gm)].map(([, name]) => name as string);
  const tests = names.reduce(
    (text, name) =>
      text.replace(`  static void ${name}()`, `  @Test\n  void ${name}(Standin.Account account)`),
    recipe.replace(main, ""),
  );
  return tests
    .replaceAll("    Standin.Account account = new Standin().account();\n", "")
    .replace(/\n\/\*\*\n[\s\S]*? \*\/\n/, `\n/** A shop and its tests. Run with: ${testScript} */\n`)
    .replace("public class ShopTest", "@ExtendWith(StandinExtension.class)\npublic class ShopTest")
    .replace(
      "import javax.crypto.spec.SecretKeySpec;\n",
      "$&import org.junit.jupiter.api.Test;\nimport org.junit.jupiter.api.extension.ExtendWith;\n",
    );
}

async function planPhpunit(folder: string): Promise<InitPlan> {
  const composer = await readTextFile(join(folder, "composer.json"));
  return planOther({
    project: "a PHP project with PHPUnit",
    test: "vendor/bin/phpunit tests/standin/ShopTest.php",
    setup: [
      { uses: "shivammathur/setup-php@v2", with: { "php-version": "8.3" } },
      { run: "composer install" },
    ],
    files: [
      ...(await recipeFiles("phpunit", "tests/standin/")),
      await kitFile("php/Standin.php", "tests/standin/"),
    ],
    next: composer.includes("phpunit/phpunit") ? [] : ["composer require --dev phpunit/phpunit"],
  });
}

async function planGo(folder: string): Promise<InitPlan> {
  const [, name = ""] = /^module\s+(\S+)/m.exec(await readTextFile(join(folder, "go.mod"))) ?? [];
  const recipe = (await recipeFiles("go", "shop/")).filter(({ path }) => path.endsWith(".go"));
  const files = [...recipe, await kitFile("go/standin.go", "standin/")];
  return planOther({
    project: "a Go module",
    test: "go test ./...",
    setup: [{ uses: "actions/setup-go@v5", with: { "go-version-file": "go.mod" } }],
    files: files.map(({ path, text }) => ({
      path,
      text: text.replace('"shop/standin"', `"${name}/standin"`),
    })),
  });
}

const token = /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[[\s\S]*?\]\]>|<(\/?)([\w.:-]+)[^>]*?(\/?)>/g;

/** Returns the position of the end tag of the element at this path, or null if there is none. */
function endTagOf(xml: string, path: readonly string[]): number | null {
  const open: string[] = [];
  for (const { 1: slash, 2: name, 3: isEmpty, index } of xml.matchAll(token)) {
    if (name === undefined || isEmpty) continue;
    if (!slash) {
      open.push(name);
      continue;
    }
    if (open.join("/") === path.join("/")) return index;
    open.pop();
  }
  return null;
}

/** Adds text at the end of the element at this path, whose missing ancestors are created. */
function addElement(xml: string, path: readonly string[], text: string): string {
  const end = endTagOf(xml, path);
  if (end === null) {
    const name = path.at(-1);
    return addElement(xml, path.slice(0, -1), `<${name}>\n${indent(text)}\n</${name}>`);
  }
  const lineStart = xml.lastIndexOf("\n", end) + 1;
  const depth = "  ".repeat(path.length);
  return `${xml.slice(0, lineStart)}${text.replaceAll(/^/gm, depth)}\n${xml.slice(lineStart)}`;
}

const indent = (text: string): string => text.replaceAll(/^/gm, "  ");
