/**
 * Builds dist/: the program as one file and its loader, the library as ES modules with their chunks, what browsers load,
 * and the types.
 * The program's first run leaves V8's code cache beside it. With --if-stale, nothing is done while dist/ is newer than
 * everything that it is built from.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, statSync } from "node:fs";
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
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
const { escapePatternsIn } = await import("./build/escape-patterns.mjs");
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
  // Contains native code; and the driver that users install if they need it.
  external: ["sharp", "pg"],
};

/**
 * Packages that startup does not need, and the modules that do nothing but import one: separate files, loaded on demand.
 * All other modules are in the program alone. A second copy of one would have classes and state of its own.
 */
const loadedLater = {
  "src/cli/mcp/sdk.ts": "mcp-sdk",
  "src/contract/ajv.ts": "ajv",
  "src/control/format-metrics.ts": "metrics",
  "src/server/multipart.ts": "multipart",
  "src/server/tls/forge.ts": "certificates",
  "src/server/forwarding-agent.ts": "forwarding-agent",
  "node_modules/@faker-js/faker/dist/locale/en_NG.js": "faker",
  "node_modules/exifreader/dist/exif-reader.js": "exifreader",
  "node_modules/iconv-lite/encodings/index.js": "encodings",
  "node_modules/jose/dist/webapi/index.js": "jose",
  "node_modules/lowdb/lib/node.js": "lowdb",
  "node_modules/uqr/dist/index.mjs": "uqr",
  "node_modules/node-cron/dist/node-cron.js": "node-cron",
  "node_modules/yaml/dist/index.js": "yaml",
};
const asFilesOfTheirOwn = {
  name: "loaded-later",
  setup({ onResolve, resolve }) {
    onResolve({ filter: /./ }, async ({ path, pluginData, kind, ...rest }) => {
      if (pluginData === "resolving" || kind === "entry-point") return;
      const found = await resolve(path, { ...rest, kind, pluginData: "resolving" });
      const name = loadedLater[relative(".", found.path)];
      return name && { path: `./${name}.cjs`, external: true };
    });
  },
};
const commonjs = {
  ...shared,
  outdir: bundle,
  outExtension: { ".js": ".cjs" },
  format: "cjs",
  supported: { "dynamic-import": false },
  define: { "import.meta.url": "__moduleUrl" },
  banner: { js: 'const __moduleUrl = require("node:url").pathToFileURL(__filename).href;' },
};

await mkdir(bundle, { recursive: true });
const program = await build({
  ...commonjs,
  entryPoints: { program: "src/cli/program.ts" },
  // Wrapped at build time: wrapping in the loader would copy the whole text into the heap.
  banner: { js: `(function (exports, require, module, __filename, __dirname) {${commonjs.banner.js}` },
  footer: { js: "})" },
  plugins: [asFilesOfTheirOwn],
});
await escapePatternsIn(Object.keys(program.metafile.outputs));
const later = await build({
  ...commonjs,
  entryPoints: Object.fromEntries(Object.entries(loadedLater).map(([source, name]) => [name, source])),
});
requireSingleCopies([program, later]);
const library = await build({
  ...shared,
  entryPoints: {
    index: "src/index.ts",
    playwright: "src/client/playwright/fixtures.ts",
    contracts: "src/documents/contracts.ts",
    "store-worker": "src/world/store/store-worker.ts",
  },
  outdir: bundle,
  splitting: true,
  format: "esm",
  // The libraries wait by real time while a test in the same process fakes the global timers.
  inject: ["src/time/bundled-timers.ts"],
  // Its entry for Node is CommonJS, from which a chunk would only have a default export.
  alias: { yaml: "./node_modules/yaml/browser/dist/index.js" },
  // Bundled CommonJS packages load Node's built-in modules with require, which ES modules do not have.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
});

for (const [file, { entryPoint, exports }] of Object.entries(library.metafile.outputs))
  if (entryPoint?.startsWith("node_modules/") && exports.join() === "default")
    throw new Error(`${file}: ${entryPoint} is CommonJS: import() finds none of its names there`);

// The thread of the file tools and the process of Pact's verifier. Their libraries are not bundled.
const tools = await build({
  ...shared,
  entryPoints: {
    "tool-worker": "src/file-tools/worker.ts",
    "pact-verifier": "src/pact/verify/verifier-process.ts",
  },
  outdir: bundle,
  splitting: true,
  format: "esm",
  packages: "external",
});

/** Returns the licence texts of the bundled packages, because most licences must be distributed with the code. */
async function noticesOf(outputs) {
  const inputs = outputs.flatMap((output) => Object.entries(output.inputs));
  const used = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path);
  const folders = new Set(used.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []));
  const notices = [...folders].map(async (folder) => {
    const about = JSON.parse(await readFile(`${folder}/package.json`, "utf8"));
    const { name, version, license = about.licenses?.[0]?.type } = about;
    const files = (await readdir(folder)).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file)).sort();
    const texts = await Promise.all(files.map((file) => readFile(`${folder}/${file}`, "utf8")));
    return `${[`# ${name} ${version}: ${license}`, ...texts.map((text) => text.trim())].join("\n\n")}\n`;
  });
  return [...new Set(await Promise.all(notices))].sort().join("\n\n");
}
const ui = await buildUi();
const outputs = [program.metafile, later.metafile, library.metafile, tools.metafile, ...ui].map(
  (metafile) => metafile.outputs,
);
await writeFile("dist/third-party-licences.txt", await noticesOf(outputs.flatMap(Object.values)));

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
const current = new Set([...outputs.flatMap(Object.keys), parsedScenarios]);
for (const name of await readdir(bundle))
  if (!current.has(`${bundle}/${name}`)) await rm(`${bundle}/${name}`);

const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");
// Publishes only the types that are reachable from the library's public types.
const types = "dist/types";
const emitted = await mkdtemp(join(tmpdir(), "standin-types-"));
execFileSync(process.execPath, [tsc, "-p", "tsconfig.build.json", "--outDir", emitted], { stdio: "inherit" });
const published = new Set();
async function publish(file) {
  if (published.has(file)) return;
  published.add(file);
  await mkdir(dirname(join(types, file)), { recursive: true });
  await copyFile(join(emitted, file), join(types, file));
  const source = await readFile(join(emitted, file), "utf8");
  for (const [, path] of source.matchAll(/(?:from |import\()"(\.[^"]+)\.js"/g))
    await publish(join(dirname(file), `${path}.d.ts`));
}
await publish(join("src", "index.d.ts"));
await publish(join("src", "client", "playwright", "fixtures.d.ts"));
for (const name of await readdir(types, { recursive: true }))
  if (name.endsWith(".d.ts") && !published.has(name)) await rm(join(types, name), { force: true });
await rm(emitted, { recursive: true });

await copyFile("src/cli/standin.cjs", loader);
await chmod(loader, 0o755);
// The code cache has the functions that ran: those of the start and of a first request.
const firstRun = spawn(process.execPath, [loader, "start", "--memory", "--port", "0", "--json"]);
const { url } = JSON.parse(String((await once(firstRun.stdout, "data"))[0]));
await fetch(`${url}/v1/balance`, { headers: { "X-Service-Key": "sk_test_first_run" } });
firstRun.kill("SIGTERM");
await once(firstRun, "exit");
await utimes(loader, startedAt, startedAt);
