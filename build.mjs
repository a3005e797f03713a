/**
 * Builds dist/: program and library as one bundle and its loader, the files that are loaded later or by browsers, and the types.
 * The program's first run leaves V8's code cache beside it. With --if-stale, nothing is done while dist/ is newer than
 * everything that it is built from.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, statSync } from "node:fs";
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { parse } from "yaml";

/** Written last, with the start of the build as its date, so that later changes and failed builds trigger a rebuild. */
const loader = "dist/standin.cjs";
const sources = [
  "src",
  "fixtures",
  "scenarios",
  "build.mjs",
  "build",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
];

function newestChange(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(...readdirSync(path).map((name) => newestChange(join(path, name))));
}

const isUpToDate = () =>
  existsSync(loader) && Math.max(...sources.map(newestChange)) <= statSync(loader).mtimeMs;

if (process.argv.includes("--if-stale") && isUpToDate()) process.exit();
console.log("standin: building dist/ (about 20 s)");
const startedAt = new Date();
// Imported here, because an installation without development packages only needs an up-to-date dist/.
const { build } = await import("esbuild");
const { rollup } = await import("rollup");
const { dts } = await import("rollup-plugin-dts");
const { bundledPackages, formatLicences, formatSbom } = await import("./build/bundled-packages.mjs");
const { escapePatternsIn } = await import("./build/escape-patterns.mjs");
const { loadedLater } = await import("./build/loaded-later.mjs");
const { emitPlainTypes } = await import("./build/plain-types.mjs");
const { requireSingleCopies } = await import("./build/single-copies.mjs");
const { buildUi } = await import("./src/ui/build.mjs");

const bundle = "dist/bundle";
const shared = {
  bundle: true,
  platform: "node",
  target: "node20",
  // With plain ASCII, V8 stores the source with one byte per character.
  charset: "ascii",
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  logLevel: "warning",
  metafile: true,
  // Native code, and the driver that users install if they need it.
  external: ["sharp", "pg"],
};

const commonjs = {
  ...shared,
  outdir: bundle,
  outExtension: { ".js": ".cjs" },
  format: "cjs",
  supported: { "dynamic-import": false },
  define: { "import.meta.url": "__moduleUrl" },
  banner: { js: 'const __moduleUrl = require("node:url").pathToFileURL(__filename).href;' },
  // Libraries wait by real time while a test in the same process fakes the global timers.
  inject: ["src/time/bundled-timers.ts"],
};
const entryPoints = { program: "build/bundle.cjs" };

const { metafile: whole } = await build({ ...commonjs, entryPoints, write: false });
// Each command is loaded when it is used, but none of them becomes a separate file.
const commandModules = whole.inputs["src/cli/program.ts"].imports.map(({ path }) => path);
const later = loadedLater(whole.inputs, ["src/cli/program.ts", ...commandModules]);

/** Leaves modules out of the bundle that it requires from separate files. */
const asFilesOfTheirOwn = {
  name: "loaded-later",
  setup({ onResolve, resolve }) {
    onResolve({ filter: /./ }, async ({ path, pluginData, kind, ...rest }) => {
      if (pluginData === "resolving" || kind === "entry-point") return;
      const found = await resolve(path, { ...rest, kind, pluginData: "resolving" });
      const name = later.get(relative(".", found.path).replaceAll("\\", "/"));
      return name && { path: `./${name}.cjs`, external: true };
    });
  },
};

await mkdir(bundle, { recursive: true });
const program = await build({
  ...commonjs,
  entryPoints,
  // The loader runs the file as a script that returns a function, since wrapping it there would copy the whole text
  // into the heap; `require` runs it as a module.
  banner: {
    js: `((load) => typeof module === "object" ? load(exports, require, module, __filename, __dirname) : load)((function (exports, require, module, __filename, __dirname) {${commonjs.banner.js}`,
  },
  footer: { js: "}))" },
  plugins: [asFilesOfTheirOwn],
});
await escapePatternsIn(Object.keys(program.metafile.outputs));
const others = await build({
  ...commonjs,
  entryPoints: Object.fromEntries([...later].map(([source, name]) => [name, source])),
  inject: ["build/timers-of-bundle.mjs"],
  external: [...shared.external, "./program.cjs"],
});
requireSingleCopies([program, others]);

await copyFile("src/cli/standin.cjs", loader);
await chmod(loader, 0o755);
// From here on, a build that does not end is repeated.
await utimes(loader, 0, 0);
// A cache of an earlier bundle of the same length would be mistaken for the cache of this one.
await rm(`${bundle}/program.cache`, { force: true });
const parts = createRequire(import.meta.url)(`./${loader}`);
/** Writes the ES module with which users import a part of the bundle. */
const writeModule = (file, part) =>
  writeFile(
    file,
    [
      'import { createRequire } from "node:module";',
      `const { ${part} } = createRequire(import.meta.url)("./${basename(loader)}");`,
      `export const { ${Object.keys(parts[part]()).join(", ")} } = ${part}();\n`,
    ].join("\n"),
  );
await writeModule("dist/index.js", "library");
await writeModule("dist/playwright.js", "playwright");

/** Packages that npm installs with this one, or that users install. */
const { optionalDependencies, peerDependencies } = JSON.parse(await readFile("package.json", "utf8"));

// The thread of the file tools and the process of Pact's verifier. Only libraries that are not installed are
// bundled: of the 41 MB of pdf.js, the 9 MB of docx and the 1.6 MB of fflate and htmlparser2, 3 MB are used.
const tools = await build({
  ...shared,
  entryPoints: {
    "tool-worker": "src/file-tools/worker.ts",
    "pact-verifier": "src/pact/verify/verifier-process.ts",
  },
  outdir: bundle,
  splitting: true,
  format: "esm",
  external: Object.keys({ ...optionalDependencies, ...peerDependencies }),
});
const fontPackage = "node_modules/dejavu-fonts-ttf";
await mkdir("dist/fonts", { recursive: true });
for (const style of ["", "-Bold", "-Oblique", "-BoldOblique"])
  await copyFile(`${fontPackage}/ttf/DejaVuSans${style}.ttf`, `dist/fonts/DejaVuSans${style}.ttf`);
const decoders = "node_modules/pdfjs-dist/wasm";
await mkdir("dist/pdfjs", { recursive: true });
for (const name of await readdir(decoders))
  if (/\.wasm$|^LICENSE/.test(name)) await copyFile(`${decoders}/${name}`, `dist/pdfjs/${name}`);

const ui = await buildUi();
const metafiles = [program.metafile, others.metafile, tools.metafile, ...ui];
const packages = await bundledPackages(metafiles, [fontPackage]);
await writeFile("dist/third-party-licences.txt", await formatLicences(packages));
await writeFile(
  "dist/sbom.cdx.json",
  formatSbom(packages, JSON.parse(await readFile("package.json", "utf8"))),
);

// Parsing the YAML of all scenarios takes longer than the rest of a command.
const parsedScenarios = `${bundle}/scenarios.json`;
const scenarioNames = (await readdir("scenarios"))
  .filter((file) => file.endsWith(".yaml"))
  .map((file) => basename(file, ".yaml"))
  .sort();
const scenarios = scenarioNames.map(async (name) => ({
  name,
  scenario: parse(await readFile(`scenarios/${name}.yaml`, "utf8")),
}));
await writeFile(parsedScenarios, JSON.stringify(await Promise.all(scenarios)));

// Files of earlier builds are deleted last, so that a running program still finds its own until then.
const current = new Set([...metafiles.flatMap(({ outputs }) => Object.keys(outputs)), parsedScenarios]);
for (const name of await readdir(bundle))
  if (!current.has(`${bundle}/${name}`)) await rm(`${bundle}/${name}`);

const emitted = await mkdtemp(join(tmpdir(), "standin-types-"));
emitPlainTypes(emitted);
// One file for each module, so that the inner layout is not public.
const types = await rollup({
  input: {
    index: join(emitted, "src/index.d.ts"),
    playwright: join(emitted, "src/playwright.d.ts"),
  },
  external: ["@playwright/test", "typebox"],
  treeshake: { moduleSideEffects: "no-external" },
  plugins: [dts()],
});
await types.write({ dir: "dist" });
await rm(emitted, { recursive: true });

// The code cache has the functions that ran: for the start and for a first request.
const firstRun = spawn(process.execPath, [loader, "start", "--memory", "--port", "0", "--json"]);
const { url } = JSON.parse(String((await once(firstRun.stdout, "data"))[0]));
await fetch(`${url}/v1/balance`, { headers: { "X-Service-Key": "sk_test_first_run" } });
firstRun.kill("SIGTERM");
await once(firstRun, "exit");
await utimes(loader, startedAt, startedAt);
