/** Builds dist/: the program and the library as bundles that share their chunks, the compactor, and the types. */
import { execFileSync } from "node:child_process";
import { chmod, readdir, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { build } from "esbuild";

const { metafile } = await build({
  entryPoints: {
    standin: "src/cli/main.ts",
    index: "src/index.ts",
    "chunks/compactor": "src/world/compactor.js",
    contracts: "src/contracts.ts",
  },
  outdir: "dist",
  outExtension: { ".js": ".js" },
  chunkNames: "chunks/[name]-[hash]",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  // Bundled CommonJS packages ask for Node's own modules with require, which ES modules do not have.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
  logLevel: "warning",
  metafile: true,
});
// Chunks of earlier builds go last, so that a program that runs meanwhile finds its own until then.
for (const name of await readdir("dist/chunks")) {
  if (!(`dist/chunks/${name}` in metafile.outputs)) await rm(`dist/chunks/${name}`);
}
await chmod("dist/standin.js", 0o755);

const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");
execFileSync(process.execPath, [tsc, "-p", "tsconfig.build.json"], { stdio: "inherit" });
