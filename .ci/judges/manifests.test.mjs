/** The Kubernetes manifests have the fields and types of the Kubernetes API, and no others. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { parseAllDocuments } from "yaml";

const run = promisify(execFile);
const compiler = createRequire(import.meta.url).resolve("typescript/bin/tsc");
const base = join(import.meta.dirname, "../../deploy/kustomize");

let folder;
before(async () => {
  folder = await mkdtemp(join(import.meta.dirname, "manifests-"));
});
after(() => rm(folder, { recursive: true }));

/** Compiles the manifest as an object literal, in which TypeScript accepts known fields only. Resolves to the errors. */
async function errorsIn(manifest) {
  const { apiVersion, kind } = manifest;
  const module = apiVersion === "v1" ? "core/v1" : apiVersion;
  const source = join(folder, `${kind}.ts`);
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
}

const files = (await readdir(base)).filter((name) => name !== "kustomization.yaml");
const texts = await Promise.all(files.map((name) => readFile(join(base, name), "utf8")));
const manifests = texts.flatMap((text) => parseAllDocuments(text).map((document) => document.toJS()));

for (const manifest of manifests)
  test(`Kubernetes knows every field of the ${manifest.kind} ${manifest.metadata.name}`, async () => {
    assert.equal(await errorsIn(manifest), "");
  });

test("a field that Kubernetes does not know is found", async () => {
  const [{ spec, ...rest }] = manifests.filter(({ kind }) => kind === "PodDisruptionBudget");
  assert.match(await errorsIn({ ...rest, spec: { ...spec, maxAvailable: 1 } }), /maxAvailable/);
});
