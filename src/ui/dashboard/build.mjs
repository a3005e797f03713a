/**
 * Builds the dashboard into dist/dashboard/: one script and one style sheet, named after their content so that browsers
 * may keep them for good. `node src/ui/dashboard/build.mjs` builds it alone; `--watch` builds it again after each change.
 */
import { mkdir, readdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { context } from "esbuild";

const folder = "dist/dashboard";

/** Removes what earlier builds left. It goes last, so that a page that is being loaded finds its files until then. */
const removeOthers = {
  name: "remove-others",
  setup({ onEnd }) {
    onEnd(async ({ metafile }) => {
      if (!metafile) return;
      const current = Object.keys(metafile.outputs).map((path) => basename(path));
      for (const name of await readdir(folder)) if (!current.includes(name)) await rm(join(folder, name));
    });
  },
};

const options = {
  entryPoints: { dashboard: "src/ui/dashboard/main.tsx" },
  outdir: folder,
  entryNames: "[name]-[hash]",
  bundle: true,
  format: "esm",
  platform: "browser",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  minify: true,
  legalComments: "none",
  logLevel: "warning",
  metafile: true,
  plugins: [removeOthers],
};

/** Builds the dashboard and returns esbuild's description of its files. */
export async function buildDashboard() {
  await mkdir(folder, { recursive: true });
  const building = await context(options);
  try {
    const { metafile } = await building.rebuild();
    return metafile;
  } finally {
    await building.dispose();
  }
}

if (process.argv[1] === import.meta.filename) {
  if (process.argv.includes("--watch")) {
    await mkdir(folder, { recursive: true });
    await (await context({ ...options, logLevel: "info" })).watch();
  } else await buildDashboard();
}
