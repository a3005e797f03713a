/** The package as npm would publish it: its files, and that it runs when installed. */
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { filesBelow } from "../support/folder.js";
import { run, usePackage } from "../support/package.js";
import { isLong } from "../support/repetitions.js";

const root = join(import.meta.dirname, "../..");
const installed = usePackage({ isOwn: true });
const project = () =>
  installed.project(`project-${expect.getState().currentTestName?.replaceAll(/\W+/g, "-")}`);
const text = (path: string) => readFileSync(join(installed.installed, path), "utf8");
const files = () =>
  new Map(
    [...filesBelow(installed.installed)].map(([path, content]) => [
      path.slice(installed.installed.length + 1),
      content,
    ]),
  );

test("has the program, the library and its types, contracts, docs, fixtures, scenarios, examples, control kits and what agents read, and nothing else", () => {
  const names = [...files().keys()];
  const parts = new Set(names.map((name) => name.split("/")[0]));
  expect([...parts].sort()).toEqual(
    [
      "CHANGELOG.md",
      "LICENSE",
      "README.md",
      "clients",
      "contracts",
      "dist",
      "docs",
      "examples",
      "fixtures",
      "llms.txt",
      "package.json",
      "scenarios",
      "skills",
    ].sort(),
  );
  for (const name of ["dist/standin.cjs", "dist/index.js", "dist/bundle/program.cjs"])
    expect(names).toContain(name);
  for (const part of ["dashboard", "reference"])
    expect(names).toContainEqual(expect.stringMatching(`^dist/dashboard/${part}-[A-Z0-9]+\\.js$`));
  for (const name of ["dist/third-party-licences.txt", "dist/sbom.cdx.json"]) expect(names).toContain(name);
  // V8's code cache is useless on another machine and contains paths of this one.
  expect(
    names.filter(
      (name) => /\.cache$|\.map$|\.tsx?$|__pycache__/.test(name) && !/\.d\.ts$|^examples/.test(name),
    ),
  ).toEqual([]);
});

test("publishes the types of each module as one file, which need no package but Playwright", () => {
  const types = [...files()].filter(([name]) => name.endsWith(".d.ts"));
  expect(types.map(([name]) => name).sort()).toEqual(["dist/index.d.ts", "dist/playwright.d.ts"]);
  const imported = types.flatMap(([, content]) =>
    [...content.replaceAll(/\/\*[\s\S]*?\*\//g, "").matchAll(/(?:from |import\()['"]([^'"]+)['"]/g)].map(
      ([, path]) => path,
    ),
  );
  expect(new Set(imported)).toEqual(new Set(["./index.js", "@playwright/test"]));
  expect(JSON.parse(text("package.json"))).not.toHaveProperty("dependencies");
});

test("the newest changelog entry is that of its version", () => {
  const [, newest] = /^## (\S+)/m.exec(text("CHANGELOG.md")) ?? [];
  expect(newest).toBe(JSON.parse(text("package.json")).version);
});

/** Yields the date of each entry of a tarball. */
function* datesOf(tar: Buffer): Generator<string> {
  const field = (at: number, length: number) => tar.toString("latin1", at, at + length).replace(/\0.*/s, "");
  for (let at = 0; tar[at] !== 0; ) {
    yield new Date(1000 * Number.parseInt(field(at + 136, 12), 8)).toISOString();
    at += 512 * (1 + Math.ceil(Number.parseInt(field(at + 124, 12), 8) / 512));
  }
}

test("has no date of the day on which it was packed", () => {
  const tarball = readFileSync(installed.tarball);
  const dates = [...datesOf(gunzipSync(tarball))];
  expect(dates.length).toBeGreaterThanOrEqual(files().size);
  expect(new Set(dates)).toEqual(new Set(["1985-10-26T08:15:00.000Z"]));
  // The date in gzip's own header.
  expect(tarball.readUInt32LE(4)).toBe(0);
});

// Only dates and the order of files could differ, and npm sorts the files.
test.runIf(isLong)("is packed to identical bytes every time", async () => {
  const again = installed.project("again");
  await run(["npm", "pack", "--ignore-scripts", "--silent", "--pack-destination", again], root);
  const digest = (file: string) => createHash("sha256").update(readFileSync(file)).digest("hex");
  expect(digest(join(again, basename(installed.tarball)))).toBe(digest(installed.tarball));
});

test("is of a reasonable size", () => {
  const packed = statSync(installed.tarball).size / 1e6;
  const unpacked = [...files().values()].reduce((sum, content) => sum + content.length, 0) / 1e6;
  console.log(`the package: ${packed.toFixed(1)} MB, unpacked ${unpacked.toFixed(1)} MB`);
  expect(packed).toBeLessThan(10);
  expect(unpacked).toBeLessThan(40);
});

test("contains no path of the machine that packed it, and no source map", () => {
  const places = [root, `${homedir()}/`, `${tmpdir()}/standin`];
  const naming = [...files()].filter(([, content]) => places.some((place) => content.includes(place)));
  expect(naming.map(([name]) => name)).toEqual([]);
  const mapped = [...files()].filter(([, content]) => /[#@] sourceMappingURL=/.test(content));
  expect(mapped.map(([name]) => name)).toEqual([]);
});

test("the README and the docs link to files in the package", () => {
  const pages = [...files().keys()].filter((name) => /^(?:README|docs\/.+)\.md$/.test(name));
  expect(pages.length).toBeGreaterThan(10);
  for (const page of pages) {
    const links = [...text(page).matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, path = ""]) => path);
    for (const path of links)
      expect(
        () => statSync(join(installed.installed, dirname(page), path)),
        `${page}: ${path}`,
      ).not.toThrow();
  }
});

test("standin runs in an empty folder with the package installed, and leaves no files there", async () => {
  const folder = project();
  const ask = `fetch(process.env.STANDIN_URL + "/healthz").then(({ status }) => console.log(status))`;
  const script = `standin --version && node -e '${ask}'`;
  const { code, stdout } = await run(["npx", "standin", "exec", "--", "sh", "-c", script], folder);
  expect([stdout, code]).toEqual([`${JSON.parse(text("package.json")).version}\n200\n`, 0]);
  expect(filesBelow(folder).size).toBe(0);
});

test.each([
  [
    "an ES module imports it",
    [
      "--input-type=module",
      "-e",
      `import { startSandbox } from "standin"; console.log(typeof startSandbox);`,
    ],
    "function\n",
  ],
  [
    "CommonJS imports it dynamically",
    [
      "--input-type=commonjs",
      "-e",
      `import("standin").then((standin) => console.log(typeof standin.startSandbox));`,
    ],
    "function\n",
  ],
  [
    "its contract can be loaded with require",
    ["--input-type=commonjs", "-e", `console.log(require("standin/openapi.json").openapi);`],
    "3.1.0\n",
  ],
])("%s", async (_what, args, said) => {
  const { stdout, stderr } = await run([process.execPath, ...args], project());
  expect(stderr + stdout).toBe(said);
});
