/**
 * Builds dist/: the program as one file and its loader, the library as ES modules with their chunks, and the types.
 * The program's first run leaves V8's code cache beside it.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, copyFile, mkdir, readdir, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { relative } from "node:path";
import { build } from "esbuild";

const bundle = "dist/bundle";
const shared = {
  bundle: true,
  platform: "node",
  target: "node20",
  // Plain ASCII lets V8 keep the source in one byte a character.
  charset: "ascii",
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  logLevel: "warning",
  metafile: true,
  // Native code of its own.
  external: ["sharp"],
};

/** Parts that the start does not need, and that know nothing of the rest: files of their own, loaded when needed. */
const loadedLater = {
  "src/contract/ajv.ts": "ajv",
  "src/service/address/gazetteer.ts": "gazetteer",
  "src/service/media/image-signals.ts": "image-signals",
  "src/service/people/invent.ts": "invent",
  "src/pages/index.ts": "pages",
  "src/server/multipart.ts": "multipart",
  "src/webhooks/pool.ts": "pool",
  "node_modules/jose/dist/webapi/index.js": "jose",
  "node_modules/lowdb/lib/node.js": "lowdb",
  "node_modules/uqr/dist/index.mjs": "uqr",
  "node_modules/node-cron/dist/node-cron.js": "node-cron",
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
  plugins: [asFilesOfTheirOwn],
});
const later = await build({
  ...commonjs,
  entryPoints: Object.fromEntries(Object.entries(loadedLater).map(([source, name]) => [name, source])),
});
const library = await build({
  ...shared,
  entryPoints: { index: "src/index.ts", contracts: "src/contracts.ts", compactor: "src/world/compactor.js" },
  outdir: bundle,
  splitting: true,
  format: "esm",
  // Bundled CommonJS packages ask for Node's own modules with require, which ES modules do not have.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
});
await copyFile("src/cli/standin.cjs", "dist/standin.cjs");
await chmod("dist/standin.cjs", 0o755);

// What earlier builds left goes last, so that a program that runs meanwhile finds its own until then.
const current = { ...program.metafile.outputs, ...later.metafile.outputs, ...library.metafile.outputs };
for (const name of await readdir(bundle))
  if (!(`${bundle}/${name}` in current)) await rm(`${bundle}/${name}`);

const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");
execFileSync(process.execPath, [tsc, "-p", "tsconfig.build.json"], { stdio: "inherit" });

const firstRun = spawn(process.execPath, ["dist/standin.cjs", "start", "--memory", "--port", "0", "--json"]);
await once(firstRun.stdout, "data");
firstRun.kill("SIGTERM");
await once(firstRun, "exit");
