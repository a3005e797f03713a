/** `standin init` in empty projects: what it writes passes as it stands. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import standin from "../../package.json" with { type: "json" };
import { runHere } from "../cli/run-here.js";
import { unknownOptions } from "../support/command-options.js";
import { freshFolder } from "../support/folder.js";
import { run, usePackage } from "../support/package.js";
import { programFile } from "../support/program.js";
import { isLong, shareOf } from "../support/repetitions.js";
import { javac, junit, junitClassPath, pytest, runtimes, skipWithout } from "../support/toolchains.js";

const installed = usePackage();

/** A pom.xml whose own plugins are those that many machines have without the network. */
const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>com.example</groupId>
  <artifactId>shop</artifactId>
  <version>1.0.0</version>
  <build>
    <!-- </plugins> -->
    <plugins>
      <plugin>
        <artifactId>maven-resources-plugin</artifactId>
        <version>3.3.1</version>
      </plugin>
      <plugin>
        <artifactId>maven-compiler-plugin</artifactId>
        <version>3.14.1</version>
      </plugin>
    </plugins>
  </build>
</project>
`;

/** The package.json that `npm init` writes. */
const packageJson = {
  name: "shop",
  version: "1.0.0",
  scripts: { test: 'echo "Error: no test specified" && exit 1' },
};

const init = (folder: string, ...flags: string[]) => runHere(["init", ...flags], folder);

const exec = (folder: string, ...command: string[]) =>
  run([process.execPath, programFile, "exec", "--no-summary", "--", ...command], folder, runtimes);

/** The tarball of a program that no registry has, as the project gets it. */
const vendored = `vendor/standin-${standin.version}.tgz`;
const startOfLine = new RegExp(`^npx (?:--no-install|-y --package './${vendored}') standin `);

let projects = 0;

function projectWith(name: string, text: string): string {
  const folder = installed.project(`project-${++projects}`);
  writeFileSync(join(folder, name), text);
  return folder;
}

/** Expects the commands of the CI job to exist, and its tests to be run by this command. */
function expectCiJob(folder: string, command: string): void {
  const { jobs } = parse(readFileSync(join(folder, ".github/workflows/standin.yml"), "utf8"));
  const scripts: string[] = jobs.tests.steps.flatMap(({ run: script = [] }) => script);
  const lines = scripts.filter((line) => line.startsWith("npx "));
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(new RegExp(`-- ${command}$`));
  for (const line of lines)
    expect(unknownOptions(line.replace(startOfLine, "").split(" ")), line).toEqual([]);
}

// These wait for other programs most of the time.
test.each(
  shareOf(
    [
      ["commonjs", "test:standin"],
      ["module", "test"],
    ] as const,
    2,
    0,
  ),
)("npm, %s: the generated tests pass with npm run %s", async (type, script) => {
  const folder = projectWith("package.json", JSON.stringify({ ...packageJson, type }));
  const { stdout, code } = await init(folder);
  expect([stdout, code]).toEqual([expect.stringContaining("npm run test:standin"), 0]);
  const own = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  expect(own).toMatchObject({
    name: "shop",
    type,
    devDependencies: { standin: `file:${vendored}` },
  });
  expectCiJob(folder, "npm test");
  const tests = await run(["npm", "run", script], folder);
  expect(tests.stdout + tests.stderr).toMatch(/Tests +5 passed \(5\)/);
  expect(tests.code).toBe(0);
});

test("pytest: the generated tests pass", async ({ skip }) => {
  const folder = projectWith("pyproject.toml", '[project]\nname = "shop"\n');
  expect((await init(folder)).code).toBe(0);
  expectCiJob(folder, "python3 -m pytest");
  expect(readFileSync(join(folder, "standin-tests.sh"), "utf8")).toContain("exec -- python3 -m pytest");
  skipWithout("pytest", skip);
  const { stdout, code } = await exec(folder, ...pytest);
  expect(stdout).toMatch(/4 passed in/);
  expect(code).toBe(0);
});

test("PHPUnit: the generated tests pass", async ({ skip }) => {
  const folder = projectWith("composer.json", '{ "name": "shop/shop" }');
  const { stdout: told, code: initiated } = await init(folder);
  expect(initiated).toBe(0);
  expect(told).toContain("composer require --dev phpunit/phpunit");
  expectCiJob(folder, "vendor/bin/phpunit tests/standin/ShopTest.php");
  skipWithout("phpunit", skip);
  const { stdout, code } = await exec(folder, "phpunit", "tests/standin/ShopTest.php");
  expect(stdout).toMatch(/OK \(3 tests/);
  expect(code).toBe(0);
});

test("Go: the generated tests pass", async ({ skip }) => {
  const folder = projectWith("go.mod", "module example.com/market\n\ngo 1.19\n");
  expect((await init(folder)).code).toBe(0);
  expectCiJob(folder, "go test ./...");
  skipWithout("go", skip);
  const { stdout, code } = await exec(folder, "go", "test", "./...");
  expect(stdout).toMatch(/ok\s+example\.com\/market\/shop/);
  expect(code).toBe(0);
});

/** Creates a Maven project and adds the recipe to it. */
async function mavenProject(): Promise<string> {
  const folder = projectWith("pom.xml", pom);
  expect((await init(folder)).code).toBe(0);
  return folder;
}

test("Maven: the project gets what the generated tests need, and a job that runs them", async () => {
  const folder = await mavenProject();
  expectCiJob(folder, "mvn test");
  const written = readFileSync(join(folder, "pom.xml"), "utf8");
  expect(written).toMatch(/<artifactId>maven-surefire-plugin<\/artifactId>[\s\S]*<\/plugins>\s*<\/build>/);
  expect(written.match(/<plugins>/g)).toHaveLength(1);
});

test("JUnit 5: the generated tests pass", async ({ skip }) => {
  skipWithout("JUnit 5", skip);
  const tests = join(await mavenProject(), "src/test/java");
  const sources = readdirSync(tests).filter((name) => name.endsWith(".java"));
  expect(await run([...javac, "-cp", junitClassPath(), ...sources], tests)).toMatchObject({ code: 0 });
  const { stdout, code } = await exec(tests, ...junit(), "--select-class", "ShopTest");
  expect(stdout).toMatch(/3 tests successful/);
  expect(code).toBe(0);
});

test.runIf(isLong)("Maven: the generated tests pass", async ({ skip }) => {
  const folder = await mavenProject();
  const { stdout, code } = await exec(folder, "mvn", "--offline", "--batch-mode", "test").catch(() => ({
    stdout: "offline mode",
    code: 127,
  }));
  skip(code === 127 || /offline mode/.test(stdout), "Maven or its plugins are not installed here");
  expect(stdout).toContain("Tests run: 3, Failures: 0, Errors: 0");
  expect(code).toBe(0);
});

/** Runs `standin init` of a package that npm has installed, with npm's record of where it came from. */
async function initFrom(resolved: string, name: string, text: string): Promise<string> {
  const folder = projectWith(name, text);
  const modules = join(folder, "node_modules");
  mkdirSync(modules);
  cpSync(installed.installed, join(modules, "standin"), { recursive: true });
  const packages = { "node_modules/standin": { version: standin.version, resolved } };
  writeFileSync(join(modules, ".package-lock.json"), JSON.stringify({ lockfileVersion: 3, packages }));
  const program = join(modules, "standin/dist/standin.cjs");
  expect(await run([process.execPath, program, "init"], folder)).toMatchObject({ code: 0 });
  return folder;
}

const address = "git+https://git.example/standin.git#0123456789012345678901234567890123456789";

test.each([
  [`https://registry.npmjs.org/standin/-/standin-${standin.version}.tgz`, standin.version],
  [address, address],
])("a program that npm installed from %s comes from there in the project too", async (resolved, spec) => {
  const folder = await initFrom(resolved, "package.json", "{}");
  const { devDependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  expect(devDependencies.standin).toBe(spec);
  expect(existsSync(join(folder, vendored))).toBe(false);
});

test("a script for other languages names the same source, and never a bare name that anybody could register", async () => {
  const folder = await initFrom(address, "requirements.txt", "");
  for (const file of ["standin-tests.sh", ".github/workflows/standin.yml"]) {
    const text = readFileSync(join(folder, file), "utf8");
    expect(text).toContain(`npx -y --package '${address}' standin exec`);
    expect(text.replaceAll(`npx -y --package '${address}' standin `, "")).not.toContain("npx ");
  }
});

test("a program from a folder or file of this machine is packed into the project, as the program that runs", async () => {
  const folder = projectWith("pyproject.toml", "");
  expect((await init(folder)).code).toBe(0);
  const { stdout } = await run(["tar", "-xzOf", vendored, "package/package.json"], folder);
  expect(JSON.parse(stdout)).toMatchObject({ name: "standin", version: standin.version });
  const script = readFileSync(join(folder, "standin-tests.sh"), "utf8");
  expect(script).toContain(`npx -y --package './${vendored}' standin exec -- python3`);
  for (const name of ["standin.py", "conftest.py"])
    expect(readFileSync(join(folder, "tests/standin", name), "utf8")).toContain("./standin-tests.sh");
});

test.each([
  ["file:../standin", `file:${vendored}`],
  ["../standin-0.1.0.tgz", `file:${vendored}`],
  ["file:vendor/mine.tgz", "file:vendor/mine.tgz"],
  ["^0.1.0", "^0.1.0"],
])("an npm project that has standin from %s has it from %s then", async (before, after) => {
  const folder = projectWith("package.json", JSON.stringify({ dependencies: { standin: before } }));
  expect((await init(folder)).code).toBe(0);
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  expect([dependencies.standin, devDependencies.standin]).toEqual([after, undefined]);
  const workflow = readFileSync(join(folder, ".github/workflows/standin.yml"), "utf8");
  expect(workflow).toContain("npx --no-install standin exec");
  expect(workflow.replaceAll("npx --no-install ", "")).not.toContain("npx ");
});

test.each([
  ["vitest", {}],
  ["playwright", { "@playwright/test": "^1.50.0" }],
])(
  "a second run in a project with %s changes nothing, and asks for nothing that the first has written",
  async (_runner, devDependencies) => {
    const folder = projectWith("package.json", JSON.stringify({ devDependencies }));
    const results = [await init(folder, "--json"), await init(folder, "--json")];
    const [first, second] = results.map(({ stdout }) => JSON.parse(stdout));
    expect(second.next).toEqual(first.next);
    expect(new Set(second.files.map(({ action }: { action: string }) => action))).toEqual(
      new Set(["unchanged"]),
    );
  },
);

test("--dry-run lists what it would write, and writes nothing", async () => {
  const folder = projectWith("requirements.txt", "");
  const { stdout } = await init(folder, "--dry-run");
  expect(stdout).toContain("tests/standin/conftest.py");
  expect(stdout).toContain("Nothing was written.");
  expect(readdirSync(folder)).toEqual(["requirements.txt"]);
});

test("a project with requirements.txt installs them beside pytest, in CI as well", async () => {
  const folder = projectWith("requirements.txt", "requests\n");
  const { next } = JSON.parse((await init(folder, "--json")).stdout);
  expect(next[0]).toBe("pip install -r requirements.txt pytest");
  const workflow = readFileSync(join(folder, ".github/workflows/standin.yml"), "utf8");
  expect(workflow).toContain("run: pip install -r requirements.txt pytest\n");
  const other = projectWith("pyproject.toml", "");
  expect(JSON.parse((await init(other, "--json")).stdout).next[0]).toBe("pip install pytest");
});

test("--json lists what was done to each file", async () => {
  const folder = projectWith("requirements.txt", "");
  writeFileSync(join(folder, "standin-tests.sh"), "mine\n");
  const planned = JSON.parse((await init(folder, "--dry-run", "--json")).stdout);
  expect(planned).toMatchObject({ written: false, project: "a Python project with pytest" });
  expect(planned.files).toContainEqual({ path: "standin-tests.sh", action: "overwrite" });
  const done = JSON.parse((await init(folder, "--json")).stdout);
  expect(done).toMatchObject({ written: true, next: expect.arrayContaining(["./standin-tests.sh"]) });
  expect(done.files).toContainEqual({ path: "standin-tests.sh", action: "keep" });
  expect(done.files).toContainEqual({ path: "tests/standin/conftest.py", action: "write" });
  expect(existsSync(join(folder, "tests/standin/conftest.py"))).toBe(true);
});

test("a file that exists is overwritten only with consent, and a second run changes nothing", async () => {
  const folder = projectWith("requirements.txt", "");
  const script = join(folder, "standin-tests.sh");
  writeFileSync(script, "mine\n");
  expect((await init(folder)).stdout).toMatch(/keep +standin-tests\.sh/);
  expect(readFileSync(script, "utf8")).toBe("mine\n");
  await init(folder, "--yes");
  expect(readFileSync(script, "utf8")).toContain("pytest");
  const { stdout } = await init(folder);
  expect(stdout).not.toMatch(/^ {2}(?:write|overwrite|keep|add to)/m);
});

test("an npm project keeps its own scripts and configuration", async () => {
  const folder = projectWith("package.json", JSON.stringify({ scripts: { test: "mocha", start: "node ." } }));
  writeFileSync(join(folder, "vite.config.js"), "export default {};\n");
  const { stdout } = await init(folder);
  expect(stdout).toContain('add globalSetup: ["sandbox.ts"] to test in vite.config.js');
  const { scripts } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  expect(scripts).toMatchObject({ test: "mocha", start: "node ." });
  expect(existsSync(join(folder, "vitest.config.mts"))).toBe(false);
  const workflow = readFileSync(join(folder, ".github/workflows/standin.yml"), "utf8");
  expect(workflow).toContain("webhooks check");
});

test("a project with Playwright keeps its configuration, and gets modules that it can load", async () => {
  const devDependencies = { "@playwright/test": "^1.50.0" };
  const folder = projectWith("package.json", JSON.stringify({ devDependencies }));
  writeFileSync(join(folder, "playwright.config.ts"), "export default {};\n");
  const { files, next } = JSON.parse((await init(folder, "--dry-run", "--json")).stdout);
  const paths = files.map(({ path }: { path: string }) => path);
  expect(paths.filter((path: string) => !path.startsWith(".github"))).toEqual([
    "package.json",
    vendored,
    "fixtures.mts",
    "shop.mjs",
    "shop.spec.mts",
  ]);
  expect(next).toContain("let testDir in playwright.config.ts contain shop.spec");
  expect(next).toContain("npx --no-install playwright install chromium");
  await init(folder);
  const { jobs } = parse(readFileSync(join(folder, ".github/workflows/standin.yml"), "utf8"));
  const scripts = jobs.tests.steps.flatMap(({ run: script = [] }) => script);
  expect(scripts.slice(0, 2)).toEqual(["npm ci", "npx --no-install playwright install chromium --with-deps"]);
});

test("a folder without a project is refused, with what to do", async () => {
  const { code, stderr } = await init(freshFolder());
  expect(code).toBe(2);
  expect(stderr).toContain(
    "there is no package.json, pyproject.toml, requirements.txt, pom.xml, composer.json, go.mod in ",
  );
});

test("--exam adds a workflow that examines the client once a week", async () => {
  const folder = freshFolder();
  writeFileSync(join(folder, "package.json"), JSON.stringify(packageJson));
  const path = ".github/workflows/standin-exam.yml";
  await init(folder);
  expect(existsSync(join(folder, path))).toBe(false);
  const { stdout } = await init(folder, "--exam", "--yes");
  expect(stdout).toContain(path);
  const text = readFileSync(join(folder, path), "utf8");
  expect(text).toMatch(/^# Written by standin init: once a week, /);
  const { on, jobs } = parse(text);
  expect(on.schedule).toEqual([{ cron: "0 4 * * 1" }]);
  const runs = jobs.tests.steps.flatMap(({ run = "" }) => (run.includes(" exam ") ? [run] : []));
  expect(runs).toHaveLength(1);
  expect(runs[0]).toMatch(/ exam .* -- npm test$/);
});
