/**
 * Builds what a browser loads. The dashboard goes into dist/dashboard/, in files named after their content so that
 * browsers may keep them for good; scripts and style sheets of the other pages go into dist/pages/ under their own names.
 * `node src/ui/build.mjs` builds only these files; `--watch` builds them again after each change.
 */
import { mkdir, readdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { context } from "esbuild";

/** Removes the files of earlier builds. Runs last, so that a page that is being loaded finds its files until then. */
const removeOthers = {
  name: "remove-others",
  setup({ onEnd, initialOptions: { outdir } }) {
    onEnd(async ({ metafile }) => {
      if (!metafile) return;
      const current = Object.keys(metafile.outputs).map((path) => basename(path));
      for (const name of await readdir(outdir)) if (!current.includes(name)) await rm(join(outdir, name));
    });
  },
};

const shared = {
  bundle: true,
  format: "esm",
  platform: "browser",
  target: "es2022",
  minify: true,
  legalComments: "none",
  logLevel: "warning",
  metafile: true,
  plugins: [removeOthers],
};

const dashboard = {
  ...shared,
  entryPoints: { dashboard: "src/ui/dashboard/main.tsx" },
  outdir: "dist/dashboard",
  entryNames: "[name]-[hash]",
  // Screens that are loaded on demand, and the code that they share with others.
  splitting: true,
  chunkNames: "[name]-[hash]",
  jsx: "automatic",
  jsxImportSource: "preact",
};

const pages = {
  ...shared,
  entryPoints: [
    "src/ui/style/theme.css",
    "src/ui/style/pages.css",
    "src/ui/hosted/confirm.ts",
    "src/ui/hosted/checkout.ts",
  ],
  outdir: "dist/pages",
  entryNames: "[name]",
  // The pages load them as classic scripts.
  format: "iife",
};

async function buildOnce(options) {
  await mkdir(options.outdir, { recursive: true });
  const building = await context(options);
  try {
    const { metafile } = await building.rebuild();
    return metafile;
  } finally {
    await building.dispose();
  }
}

/** Builds everything and returns esbuild's descriptions of the files. */
export const buildUi = () => Promise.all([dashboard, pages].map(buildOnce));

if (process.argv[1] === import.meta.filename) {
  if (process.argv.includes("--watch")) {
    for (const options of [dashboard, pages]) {
      await mkdir(options.outdir, { recursive: true });
      await (await context({ ...options, logLevel: "info" })).watch();
    }
  } else await buildUi();
}
