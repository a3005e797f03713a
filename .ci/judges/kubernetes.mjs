/** Checks manifests against the types of the Kubernetes API. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after } from "node:test";
import { promisify } from "node:util";

const run = promisify(execFile);
const compiler = createRequire(import.meta.url).resolve("typescript/bin/tsc");

/** Returns a function that compiles a manifest as an object literal, in which TypeScript accepts known fields only, and resolves to the errors. */
export function useKubernetesTypes() {
  const folder = mkdtempSync(join(import.meta.dirname, "manifests-"));
  after(() => rmSync(folder, { recursive: true }));
  let count = 0;
  return async (manifest) => {
    const { apiVersion, kind } = manifest;
    const module = apiVersion === "v1" ? "core/v1" : apiVersion.replace(".k8s.io", "");
    const source = join(folder, `${kind}-${count++}.ts`);
    await writeFile(
      source,
      `import type { ${kind} } from "kubernetes-types/${module}";\nexport const manifest: ${kind} = ${JSON.stringify(manifest)};\n`,
    );
    const options = [
      "--noEmit",
      "--strict",
      "--module",
      "esnext",
      "--moduleResolution",
      "bundler",
      "--typeRoots",
      folder,
    ];
    return run(process.execPath, [compiler, ...options, source]).then(
      () => "",
      ({ stdout }) => stdout,
    );
  };
}
