/** Everything that the container image, the compose files and the service-container workflow refer to exists. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import packageJson from "../package.json" with { type: "json" };
import { pathOf } from "../src/contract/operation.js";
import { controlOperations } from "../src/control/index.js";
import { environmentVariables, unknownOptions } from "./support/command-options.js";

const root = join(import.meta.dirname, "..");
const text = (path: string): string => readFileSync(join(root, path), "utf8");

/** Instructions of the Containerfile, with the arguments of each on one line. */
const instructions = text("deploy/Containerfile")
  .replaceAll(/^#.*\n/gm, "")
  .replaceAll(/\\\n\s*/g, "")
  .split("\n")
  .flatMap((line): { name: string; args: string }[] => {
    const [, name = "", args = ""] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    return name === "" ? [] : [{ name, args }];
  });
const argsOf = (name: string): string[] =>
  instructions.filter((instruction) => instruction.name === name).map(({ args }) => args);

interface Service {
  image: string;
  command?: string[] | string;
  environment?: Record<string, string>;
  env?: Record<string, string>;
  volumes?: string[];
  healthcheck?: { test: string[] };
  depends_on?: string[] | Record<string, { condition: string }>;
}
const composed = [
  "deploy/compose.yaml",
  "deploy/compose.team.yaml",
  "examples/devcontainer/compose.yaml",
].map((path) => parse(text(path), { merge: true }).services as Record<string, Service>);
const workflow = parse(text("examples/ci/service-container.yml"));
const services = [...composed, workflow.jobs.tests.services as Record<string, Service>].flatMap(
  Object.entries<Service>,
);

test("the image uses a Node version that CI tests, and runs as a numeric user", () => {
  const [base = ""] = argsOf("FROM");
  const { node } = parse(text(".github/workflows/ci.yml")).jobs.tests.strategy.matrix;
  expect(node).toContain(Number(/node:(\d+)-/.exec(base)?.[1]));
  expect(argsOf("USER")).toEqual(["1000:1000"]);
});

test("the commands of the image exist", () => {
  const [health = "[]"] = argsOf("HEALTHCHECK").map((args) => args.replace(/^.*CMD /, ""));
  for (const args of [health, argsOf("CMD")[0] ?? ""])
    expect(unknownOptions(JSON.parse(args).filter((word: string) => word !== "standin"))).toEqual([]);
});

test("the build context contains everything that the build needs", () => {
  const [, list = ""] = /^const sources = \[([^\]]*)\];$/m.exec(text("build.mjs")) ?? [];
  const sources = [...list.matchAll(/"([^"]+)"/g)].map(([, path = ""]) => path);
  expect(sources).toContain("src");
  const copied = argsOf("COPY").flatMap((args) =>
    args.startsWith("--") ? [] : args.split(" ").slice(0, -1),
  );
  const admitted = [...text(".dockerignore").matchAll(/^!(.+)$/gm)].map(([, path]) => path);
  for (const path of new Set([...sources, ...copied])) if (path !== ".") expect(admitted).toContain(path);
  for (const path of admitted) expect(existsSync(join(root, path ?? "")), path).toBe(true);
});

test("the commands read every environment variable of the image, compose files and workflow", () => {
  const known = [...environmentVariables(), "STANDIN_URL"];
  const used = [
    ...argsOf("ENV").flatMap((args) => args.split(" ").map((pair) => pair.split("=")[0] ?? "")),
    ...services.flatMap(([, { environment, env }]) => Object.keys({ ...environment, ...env })),
  ].filter((name) => name.startsWith("STANDIN_"));
  expect(new Set(used).size).toBeGreaterThan(4);
  for (const name of used) expect(known).toContain(name);
});

test("the commands and mounted files of the compose files exist", () => {
  const commands = services.flatMap(([, { image, command }]) =>
    image === "standin" && Array.isArray(command) ? [command] : [],
  );
  for (const command of commands) expect(unknownOptions(command), command.join(" ")).toEqual([]);
  for (const [name, { volumes = [] }] of [composed[0], composed[1]].flatMap((one) =>
    Object.entries(one ?? {}),
  ))
    for (const [source = ""] of volumes.map((volume) => volume.split(":")))
      if (source.startsWith(".")) expect(existsSync(join(root, "deploy", source)), name).toBe(true);
});

test.each(composed)(
  "the services of a compose file refer to services that exist and can be healthy",
  (file) => {
    for (const { depends_on = {}, command = [], environment = {} } of Object.values(file)) {
      const needed = Array.isArray(depends_on)
        ? depends_on.map((name) => [name, null] as const)
        : Object.entries(depends_on);
      for (const [name, wanted] of needed) {
        const { image, healthcheck } = file[name] ?? {};
        expect(image, name).toBeDefined();
        if (wanted?.condition === "service_healthy" && image !== "standin")
          expect(healthcheck, name).toBeDefined();
      }
      const urls = [command, ...Object.values(environment)].flat().filter((text) => /^\w+:\/\//.test(text));
      for (const { hostname, port } of urls.filter((url) => !url.includes("${")).map((url) => new URL(url))) {
        expect([...Object.keys(file), "host.docker.internal", "127.0.0.1"]).toContain(hostname);
        if (file[hostname]?.image === "standin") expect(port).toBe(argsOf("EXPOSE")[0]);
      }
    }
  },
);

describe("a team's sandbox", () => {
  const [, team = {}] = composed;
  const replicas = Object.entries(team).filter(([, { image }]) => image === "standin");
  const paths = controlOperations.map(pathOf);

  test("has three replicas, which reach each other and which the load balancer knows", () => {
    const balancer = text("deploy/haproxy.cfg");
    expect(replicas).toHaveLength(3);
    for (const [name, { environment = {} }] of replicas) {
      expect(environment.STANDIN_REPLICA_URL).toBe(`http://${name}:4010`);
      // A password may contain characters that a URL may not.
      expect(environment.STANDIN_STORE).toMatch(/^postgres:\/\/[^:]+@postgres:/);
      expect(environment.PGPASSWORD).toBe(team.postgres?.environment?.POSTGRES_PASSWORD);
      expect(balancer).toContain(`  server ${name} ${name}:4010\n`);
    }
    expect(paths).toContain(/httpchk GET (\S+)/.exec(balancer)?.[1]);
  });

  test("waits for the database itself, not for the server that creates it, which has no TCP", () => {
    expect(team.postgres?.healthcheck?.test).toContain("--host=127.0.0.1");
  });

  interface Manifest {
    kind: string;
    // biome-ignore lint/suspicious/noExplicitAny: each kind has a form of its own
    spec: any;
  }
  const base = parse(text("deploy/kustomize/kustomization.yaml"));
  const manifests = (base.resources as string[]).flatMap((file) =>
    parseAllDocuments(text(`deploy/kustomize/${file}`)).map((document) => document.toJS() as Manifest),
  );
  const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);

  test("on Kubernetes selects its own pods, checks paths that exist, and sets variables that exist", () => {
    const [{ spec } = { spec: {} }] = ofKind("StatefulSet");
    const { labels } = spec.template.metadata;
    const [container] = spec.template.spec.containers;
    const selectors = manifests.map(
      (manifest) => manifest.spec.selector.matchLabels ?? manifest.spec.selector,
    );
    expect(selectors).toEqual(manifests.map(() => labels));
    for (const probe of [container.readinessProbe, container.livenessProbe]) {
      expect(paths).toContain(probe.httpGet.path);
      expect(container.ports.map(({ name }: { name: string }) => name)).toContain(probe.httpGet.port);
    }
    const known = environmentVariables();
    const names = container.env.map(({ name }: { name: string }) => name);
    for (const name of names.filter((name: string) => name !== "POD_NAME")) expect(known).toContain(name);
    const headless = ofKind("Service").find((service) => service.spec.clusterIP === "None");
    expect(headless).toMatchObject({ metadata: { name: spec.serviceName } });
    expect(base.images).toEqual([{ name: "standin", newName: "standin", newTag: packageJson.version }]);
    const { version } = packageJson;
    expect(parse(text("deploy/helm/Chart.yaml"))).toMatchObject({ version, appVersion: version });
  });
});
