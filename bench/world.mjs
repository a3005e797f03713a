/** Bundles internal classes from src, to measure commits without HTTP. */
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { tempFolder } from "./folders.mjs";

const root = process.env.STANDIN_SRC ?? fileURLToPath(new URL("../src", import.meta.url));

const entry = `
  export { World, accountId } from "${root}/world/world.ts";
  export { memoryStore } from "${root}/world/store/memory-store.ts";
  export { FileStore } from "${root}/world/store/file-store.ts";
  export { machines } from "${root}/service/machines.ts";
  export { sendPhoneCode } from "${root}/service/phone/start-phone-verification.ts";
`;

export async function loadWorld() {
  const outfile = join(tempFolder(), "world.mjs");
  await build({
    stdin: { contents: entry, resolveDir: root, loader: "ts" },
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
    },
    logLevel: "error",
  });
  return import(pathToFileURL(outfile).href);
}
