/** The package as npm would publish it, installed in temporary projects without the network. */
import { spawn } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, inject } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { temporaryFolder } from "./program.js";

const root = join(import.meta.dirname, "../..");
const { bin: programs, optionalDependencies } = packageJson;

/** Packages that the example projects need in addition to standin. */
const theirs = ["@playwright/test", "@types", "express", "supertest", "vitest", "@pact-foundation/pact"];
/** Packages that Standin works without. Users install pg themselves. */
const optionalPackages = [...Object.keys(optionalDependencies), "pg"];
const theirPrograms = ["playwright", "vitest"];

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
  /** Whether the tests need an installation that no other file uses, because a started program writes a cache to it. Default false. */
  isOwn?: boolean;
}

/** Installations that the test files of this process share, by their options. */
const installations = new Map<boolean, Promise<string>>();

/** Resolves to a folder with the package in its node_modules. */
async function installation({ optional = true, isOwn = false }: PackageOptions): Promise<string> {
  const shared = installations.get(optional);
  if (shared && !isOwn) return shared;
  const folder = temporaryFolder();
  const installed = install(inject("tarball"), folder, optional ? optionalPackages : []).then(() => folder);
  if (!isOwn) installations.set(optional, installed);
  return installed;
}

/** Installs the package before the file's tests. The projects of the file are removed after them. */
export function usePackage(options: PackageOptions = {}) {
  let folder = "";
  let projects = "";

  beforeAll(async () => {
    folder = await installation(options);
    projects = mkdtempSync(join(folder, "projects-"));
  });
  afterAll(() => rmSync(projects, { recursive: true, force: true }));

  const installed = () => join(folder, "node_modules/standin");
  return {
    tarball: inject("tarball"),
    /** Path of the installed package. */
    get installed() {
      return installed();
    },
    /** Creates an empty folder in a project that has the package installed. A second try of a test begins with an empty folder as well. */
    project(name: string): string {
      const folder = join(projects, name);
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder);
      return folder;
    },
    /** Copies the recipe out of the package, as a user would. */
    copyOf(recipe: string, name = recipe): string {
      const folder = join(projects, name);
      rmSync(folder, { recursive: true, force: true });
      cpSync(join(installed(), "examples", recipe), folder, { recursive: true });
      return folder;
    },
  };
}

/** Installs the package, its optional packages and their programs as npm does. What it needs are links to our own. */
async function install(tarball: string, folder: string, optional: readonly string[]): Promise<void> {
  const modules = join(folder, "node_modules");
  const [bin, standin] = [join(modules, ".bin"), join(modules, "standin")];
  mkdirSync(bin, { recursive: true });
  mkdirSync(standin);
  const { code, stderr } = await run(["tar", "-xzf", tarball, "-C", standin, "--strip-components=1"], folder);
  if (code !== 0) throw new Error(`tar failed: ${stderr}`);
  for (const name of new Set([...optional, ...theirs])) link(name, modules);
  for (const name of theirPrograms) symlinkSync(join(root, "node_modules/.bin", name), join(bin, name));
  symlinkSync(join(standin, programs.standin), join(bin, "standin"));
  chmodSync(join(standin, programs.standin), 0o755);
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
}

function link(name: string, modules: string): void {
  const target = join(modules, name);
  mkdirSync(dirname(target), { recursive: true });
  symlinkSync(join(root, "node_modules", name), target);
}
