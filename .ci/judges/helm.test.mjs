/** The Helm chart renders to manifests of the Kubernetes API: with its own values, to those of the kustomize base. */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import Ajv from "ajv";
import { parse, parseAllDocuments } from "yaml";
import { useKubernetesTypes } from "./kubernetes.mjs";

const errorsIn = useKubernetesTypes();
const deploy = join(import.meta.dirname, "../../deploy");
const chart = join(deploy, "helm");
const answers = (program, argument) => spawnSync(program, [argument]).status === 0;
const hasHelm = answers("helm", "version");
const goEnv = { ...process.env, GO111MODULE: "off", GOPATH: "/usr/share/gocode" };

/** Returns whether a program with the imports of render.go compiles and starts: Go may be there without the packages. */
function canRunEngine() {
  const folder = mkdtempSync(join(tmpdir(), "standin-go-"));
  try {
    const probe = join(folder, "probe.go");
    const imports = ["Masterminds/sprig", "ghodss/yaml"].map((name) => `import _ "github.com/${name}"`);
    writeFileSync(probe, ["package main", ...imports, "func main() {}", ""].join("\n"));
    return spawnSync("go", ["run", probe], { env: goEnv }).status === 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
const hasEngine = !hasHelm && canRunEngine();
const options = {
  skip:
    hasHelm || hasEngine ? false : "neither helm nor Go with golang-github-masterminds-sprig-dev works here",
};

/** Renders the chart with the command line of Helm, or else with Helm's engine of templates. Returns the texts of all files. */
function render(values = {}) {
  if (!hasHelm) {
    const script = join(import.meta.dirname, "helm/render.go");
    return Object.values(
      JSON.parse(
        execFileSync("go", ["run", script, chart, "standin", JSON.stringify(values)], { env: goEnv }),
      ),
    );
  }
  const folder = mkdtempSync(join(tmpdir(), "standin-helm-"));
  try {
    const file = join(folder, "values.json");
    writeFileSync(file, JSON.stringify(values));
    execFileSync("helm", ["lint", "--strict", chart, "--values", file]);
    return [execFileSync("helm", ["template", "standin", chart, "--values", file], { encoding: "utf8" })];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const manifestsIn = (texts) =>
  texts
    .flatMap((text) => parseAllDocuments(text).map((document) => document.toJS()))
    .filter((value) => typeof value?.kind === "string");
const byName = (manifests) =>
  Object.fromEntries(manifests.map((manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest]));

const bundledValues = parse(readFileSync(join(chart, "values.yaml"), "utf8"));
const acceptsValues = new Ajv().compile(JSON.parse(readFileSync(join(chart, "values.schema.json"), "utf8")));

/** Removes what a release adds: its labels, and the choice of the image. */
function withoutRelease(manifest) {
  const text = JSON.stringify(manifest, (name, value) => {
    if (name === "labels" || name === "matchLabels" || name === "selector") {
      const { matchLabels, "app.kubernetes.io/name": app } = value;
      return matchLabels ? { matchLabels } : { "app.kubernetes.io/name": app };
    }
    if (name === "image") return value.split(":")[0];
    return name === "imagePullPolicy" ? undefined : value;
  });
  const { metadata, ...rest } = JSON.parse(text);
  return { ...rest, metadata: { name: metadata.name } };
}

test("with the chart's own values, the manifests are those of the kustomize base", options, () => {
  const { resources } = parse(readFileSync(join(deploy, "kustomize/kustomization.yaml"), "utf8"));
  const base = byName(
    manifestsIn(resources.map((file) => readFileSync(join(deploy, "kustomize", file), "utf8"))),
  );
  const rendered = byName(manifestsIn(render()));
  assert.deepEqual(Object.keys(rendered).toSorted(), Object.keys(base).toSorted());
  for (const [name, manifest] of Object.entries(base))
    assert.deepEqual(withoutRelease(rendered[name]), withoutRelease(manifest), name);
});

const everyValue = {
  image: { repository: "registry.example/standin", tag: "0.3.0", pullPolicy: "Always" },
  imagePullSecrets: [{ name: "registry" }],
  replicas: 2,
  secret: "team",
  env: { STANDIN_MAX_RECORDS: "5", STANDIN_SEED: 'a "quoted": seed' },
  resources: { requests: { cpu: "1", memory: "512Mi" }, limits: { memory: "512Mi" } },
  service: { port: 8080 },
  ingress: {
    enabled: true,
    className: "nginx",
    host: "*.sandbox.example",
    tlsSecret: "sandbox-tls",
    annotations: { "nginx.ingress.kubernetes.io/proxy-body-size": "210m" },
  },
  podAnnotations: { team: "payments" },
  nodeSelector: { disk: "ssd" },
  tolerations: [{ key: "spot", operator: "Exists" }],
  affinity: { podAntiAffinity: {} },
};

test("with every value, Kubernetes knows every field, and each value is in its place", options, async () => {
  assert.deepEqual(Object.keys(everyValue), Object.keys(bundledValues));
  assert.ok(acceptsValues(everyValue), JSON.stringify(acceptsValues.errors));
  const manifests = byName(manifestsIn(render(everyValue)));
  for (const [name, manifest] of Object.entries(manifests)) assert.equal(await errorsIn(manifest), "", name);
  const { spec } = manifests["StatefulSet standin"];
  const pod = spec.template.spec;
  const [container] = pod.containers;
  assert.equal(spec.replicas, 2);
  assert.equal(container.image, "registry.example/standin:0.3.0");
  assert.equal(container.imagePullPolicy, "Always");
  assert.deepEqual(container.resources, everyValue.resources);
  assert.deepEqual(
    container.env.filter(({ name }) => name in everyValue.env),
    Object.entries(everyValue.env).map(([name, value]) => ({ name, value })),
  );
  assert.equal(container.env.filter(({ valueFrom }) => valueFrom?.secretKeyRef?.name === "team").length, 2);
  for (const field of ["imagePullSecrets", "nodeSelector", "tolerations", "affinity"])
    assert.deepEqual(pod[field], everyValue[field]);
  assert.equal(spec.template.metadata.annotations.team, "payments");
  assert.equal(manifests["Service standin"].spec.ports[0].port, 8080);
  const ingress = manifests["Ingress standin"];
  assert.deepEqual(ingress.metadata.annotations, everyValue.ingress.annotations);
  assert.equal(ingress.spec.ingressClassName, "nginx");
  assert.equal(ingress.spec.rules[0].host, "*.sandbox.example");
  assert.deepEqual(ingress.spec.tls, [{ secretName: "sandbox-tls", hosts: ["*.sandbox.example"] }]);
});

test("the schema of the values accepts the chart's own, and refuses unknown and wrong ones", () => {
  assert.ok(acceptsValues(bundledValues), JSON.stringify(acceptsValues.errors));
  for (const wrong of [
    { replica: 2 },
    { replicas: 0 },
    { env: { A: 1 } },
    { ingress: { enabled: true, host: "" } },
  ])
    assert.ok(!acceptsValues({ ...bundledValues, ...wrong }), JSON.stringify(wrong));
});

test("every value is read by a template", () => {
  const templates = readdirSync(join(chart, "templates"))
    .map((file) => readFileSync(join(chart, "templates", file), "utf8"))
    .join("\n");
  for (const name of Object.keys(bundledValues)) assert.ok(templates.includes(`.Values.${name}`), name);
});
