/** Bundles internal classes from src, to measure commits without HTTP. */
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { tempFolder } from "./folders.mjs";

const root = process.env.STANDIN_SRC ?? fileURLToPath(new URL("../src", import.meta.url));

const entry = `
  export { World } from "${root}/world/world.ts";
  export { accountId } from "${root}/world/account/account-id.ts";
  export { memoryStore } from "${root}/world/store/open-store.ts";
  export { FileStore } from "${root}/world/store/file-store.ts";
  export { PostgresStore } from "${root}/world/store/postgres/postgres-store.ts";
  export { machines } from "${root}/service/machines.ts";
  export { resolveAssumptions } from "${root}/service/assumptions.ts";
  export { startPhoneVerification } from "${root}/service/phone/phone.ts";
`;

/** Returns a function that starts a phone verification inside a commit, as a request would. */
function phoneCodeSender({ resolveAssumptions, startPhoneVerification }) {
  const assumptions = resolveAssumptions();
  return (account) =>
    startPhoneVerification.handle({
      account,
      assumptions,
      body: { phone: "08031234567" },
      outcome: "sent",
      cost: 0,
      refuse(code) {
        throw new Error(code);
      },
    });
}

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
    external: ["pg-native"],
    logLevel: "error",
  });
  const world = await import(pathToFileURL(outfile).href);
  return { ...world, sendPhoneCode: phoneCodeSender(world) };
}
