/** Everything that the container image, the compose files and the service-container workflow refer to exists. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
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
}
const composed = ["deploy/compose.yaml", "examples/devcontainer/compose.yaml"].map(
  (path) => parse(text(path)).services as Record<string, Service>,
);
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
  const [, list = "[]"] = /^const sources = (\[.*\]);$/m.exec(text("build.mjs")) ?? [];
  const sources: string[] = JSON.parse(list);
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
  for (const [name, { volumes = [] }] of Object.entries(composed[0] ?? {}))
    for (const [source = ""] of volumes.map((volume) => volume.split(":")))
      if (source.startsWith(".")) expect(existsSync(join(root, "deploy", source)), name).toBe(true);
});
