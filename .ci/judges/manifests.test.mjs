/** The Kubernetes manifests have the fields and types of the Kubernetes API, and no others. */
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { parseAllDocuments } from "yaml";
import { useKubernetesTypes } from "./kubernetes.mjs";

const errorsIn = useKubernetesTypes();
const base = join(import.meta.dirname, "../../deploy/kustomize");
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
