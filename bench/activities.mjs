/** Measures the cost of activities for a write request, with a server that is built with them and one without. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { freshWallet } from "./client.mjs";
import { interleaved, medians, row } from "./figures.mjs";
import { tempFolder } from "./folders.mjs";
import { load, phoneStart } from "./load.mjs";
import { startServer } from "./servers.mjs";

const rounds = 9;
const requestsPerRound = 10_000;
const root = fileURLToPath(new URL("../src", import.meta.url));

const server = `
  import { startSandbox } from "${root}/index.ts";
  const { url } = await startSandbox();
  console.log(JSON.stringify({ ready: true, url }));
`;

/** Has the methods that requests call, but keeps nothing. */
const noActivities = `
  import { ActivityLog } from "./activity-log.js";
  export class Activities {
    log = Object.assign(new ActivityLog(), { publish() {} });
    context = null;
    contextId = "";
    within(context, run) { return run(); }
    ofRequest(kind, id, operation, call) { return { call }; }
    record() {}
    committed() {}
    rolledBack() {}
  }
`;

const withoutActivities = {
  name: "without-activities",
  setup({ onLoad }) {
    onLoad({ filter: /world[\\/]activity[\\/]activities\.ts$/ }, () => ({
      contents: noActivities,
      loader: "ts",
    }));
  },
};

async function start(plugins) {
  const outdir = tempFolder();
  await build({
    stdin: { contents: server, resolveDir: root, loader: "ts" },
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    external: ["sharp"],
    alias: { yaml: fileURLToPath(new URL("../node_modules/yaml/browser/dist/index.js", import.meta.url)) },
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
    },
    plugins,
    logLevel: "error",
  });
  return startServer([join(outdir, "stdin.mjs")]);
}

export default async function activities() {
  const servers = { without: await start([withoutActivities]), with: await start([]) };
  const measure = (each) => async () => {
    await freshWallet(each.url);
    return load(each, { ...phoneStart(), amount: requestsPerRound });
  };
  try {
    for (const each of Object.values(servers)) await measure(each)();
    const kinds = Object.entries(servers).map(([name, each]) => [name, measure(each)]);
    const results = await interleaved(rounds, Object.fromEntries(kinds));
    const cpu = medians(results, "cpu");
    return [
      row({
        figure: "POST phone/verify/start with activities, CPU each",
        unit: "µs",
        standin: cpu.with,
        beside: cpu.without,
        besideIs: "without",
        reach: "≤ 1.05",
        reached: cpu.with <= 1.05 * cpu.without,
      }),
    ];
  } finally {
    for (const each of Object.values(servers)) await each.stop("SIGKILL");
  }
}
