/** The package as npm would publish it, installed in temporary projects without the network. */
import { spawn } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { temporaryFolder } from "./program.js";

const root = join(import.meta.dirname, "../..");
const { bin: programs, dependencies, optionalDependencies } = packageJson;

/** Packages that the example projects need in addition to standin. */
const theirs = [
  "@playwright/test",
  "@types",
  "express",
  "jest",
  "jest-environment-node",
  "supertest",
  "vitest",
  "@pact-foundation/pact",
];
/** Packages that Standin works without. Users install pg themselves. */
const optionalPackages = [...Object.keys(optionalDependencies), "pg"];
const theirPrograms = ["jest", "playwright", "vitest"];

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a command with only PATH and HOME of the environment, so that it cannot know that a test runs it. */
export function run(
  [command = "", ...args]: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  const { PATH, HOME } = process.env;
  const child = spawn(command, args, {
    cwd,
    env: { PATH, HOME, NO_COLOR: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, stdout, stderr }));
  });
}

export interface PackageOptions {
  /** Include the optional packages. Default true; false is what `npm install --omit=optional` gives. */
  optional?: boolean;
}

let packed: Promise<string> | undefined;

/** Packs the package once for all test files of this process. Resolves to the path of the tarball. */
async function pack(): Promise<string> {
  const folder = temporaryFolder();
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const args = ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder];
  const { code, stderr } = await run(["npm", ...args], root);
  const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz"));
  if (code !== 0 || !tarball) throw new Error(`npm pack failed: ${stderr}`);
  return join(folder, tarball);
}

/** Installs the package before the file's tests in a folder that is removed after them. */
export function usePackage({ optional = true }: PackageOptions = {}) {
  const folder = temporaryFolder();
  const modules = join(folder, "node_modules");
  let tarball = "";

  beforeAll(async () => {
    packed ??= pack();
    tarball = await packed;
    await run(["tar", "-xzf", tarball], folder);
    install(join(folder, "package"), modules, optional ? optionalPackages : []);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  return {
    get tarball() {
      return tarball;
    },
    /** Path of the installed package. */
    installed: join(modules, "standin"),
    /** Creates an empty folder in a project that has the package installed. */
    project(name: string): string {
      mkdirSync(join(folder, name));
      return join(folder, name);
    },
    /** Copies the recipe out of the package, as a user would. */
    copyOf(recipe: string, name = recipe): string {
      cpSync(join(modules, "standin", "examples", recipe), join(folder, name), { recursive: true });
      return join(folder, name);
    },
  };
}

/** Installs the package, its dependencies and their programs as npm does. The dependencies are links to our own. */
function install(unpacked: string, modules: string, optional: readonly string[]): void {
  const bin = join(modules, ".bin");
  mkdirSync(bin, { recursive: true });
  cpSync(unpacked, join(modules, "standin"), { recursive: true });
  for (const name of new Set([...Object.keys(dependencies), ...optional, ...theirs])) link(name, modules);
  for (const name of theirPrograms) symlinkSync(join(root, "node_modules/.bin", name), join(bin, name));
  symlinkSync(join(modules, "standin", programs.standin), join(bin, "standin"));
  chmodSync(join(modules, "standin", programs.standin), 0o755);
  writeFileSync(join(dirname(modules), "package.json"), '{ "private": true }\n');
}

function link(name: string, modules: string): void {
  const target = join(modules, name);
  mkdirSync(dirname(target), { recursive: true });
  symlinkSync(join(root, "node_modules", name), target);
}
