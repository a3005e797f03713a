/** Files that `standin init` writes into a project: recipes of examples/, control kits, CI jobs, and a copy of Standin itself. */

import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { YAMLSeq } from "yaml";
import { version } from "../sandbox.js";
import { CommandError } from "./errors.js";

/** The folders of the package, as of the repository: src/cli and dist/bundle are equally deep. */
const examplesFolder: string = fileURLToPath(new URL("../../examples/", import.meta.url));
const clientsFolder: string = fileURLToPath(new URL("../../clients/", import.meta.url));

const readExample = (path: string): Promise<string> => readFile(join(examplesFolder, path), "utf8");

export interface RecipeFile extends PlannedFile {
  text: string;
}

/** Returns the files of a recipe below a folder of the project. */
export async function recipeFiles(recipe: string, into = ""): Promise<RecipeFile[]> {
  const entries = await readdir(join(examplesFolder, recipe), { recursive: true });
  const names = entries.map((name) => name.replaceAll("\\", "/"));
  const files = names.filter(
    (name) => /\.\w+$/.test(name) && !/^package\.json$|node_modules|__pycache__/.test(name),
  );
  return Promise.all(
    files.sort().map(async (name) => ({ path: into + name, text: await readExample(`${recipe}/${name}`) })),
  );
}

/** Returns a file of a control kit, such as `python/standin.py`, below a folder of the project. */
export async function kitFile(path: string, into: string): Promise<RecipeFile> {
  const name = path.slice(path.indexOf("/") + 1);
  return { path: into + name, text: await readFile(join(clientsFolder, path), "utf8") };
}

export const recipeFile = (recipe: string, name: string): Promise<string> => readExample(`${recipe}/${name}`);

export interface CiJob {
  /** Command that runs the tests. */
  test: string;
  /** Steps after `npm ci`. */
  afterInstall?: readonly object[];
  /** For a project that npm does not install: the steps in place of `npm ci`, and where npx gets Standin from. */
  other?: { setup: readonly object[]; source: StandinSource };
  /** Whether `npm start` starts the project's webhook receiver. Default false. */
  hasReceiver?: boolean;
}

/** Returns the workflows of examples/ci for a project: one for each change, and the exam of each week. */
export const ciFiles = async (job: CiJob): Promise<PlannedFile[]> => [
  await ciFile("standin.yml", "your tests, offline, with their own sandbox", job),
  {
    ...(await ciFile(
      "exam.yml",
      "once a week, your tests under failures that happen with the real service",
      job,
    )),
    path: ".github/workflows/standin-exam.yml",
    isOfExam: true,
  },
];

async function ciFile(
  name: string,
  purpose: string,
  { test, afterInstall = [], other, hasReceiver = false }: CiJob,
): Promise<PlannedFile> {
  const { parseDocument } = await import("yaml");
  const document = parseDocument(await readExample(`ci/${name}`));
  const steps = document.getIn(["jobs", "tests", "steps"]) as YAMLSeq;
  const isWanted = (step: unknown): boolean => {
    const text = String(document.createNode(step));
    if (other && /npm ci/.test(text)) return false;
    return hasReceiver || !text.includes("webhooks check");
  };
  steps.items = steps.items.filter(isWanted);
  const installs = steps.items.findIndex((step) => /npm ci/.test(String(document.createNode(step))));
  if (!other) steps.items.splice(installs + 1, 0, ...afterInstall.map((step) => document.createNode(step)));
  if (other) {
    steps.items.splice(2, 0, ...other.setup.map((step) => document.createNode(step)));
    document.deleteIn(["jobs", "tests", "steps", 1, "with", "cache"]);
  }
  const comment = `# Written by standin init: ${purpose}.`;
  const text = document.toString({ lineWidth: 0 }).replace(/^#.*/, comment).replace("npm test", test);
  const path = ".github/workflows/standin.yml";
  return { path, text: other ? text.replaceAll(npxInstalled, npxFrom(other.source.spec)) : text };
}

/** Runs the installed program, and nothing from the registry if there is none. */
const npxInstalled = "npx --no-install standin";

const npxFrom = (spec: string): string => `npx -y --package '${spec}' standin`;

/** Command that runs the tests of a project that npm does not install. */
export const testScript = "./standin-tests.sh";

/** Returns the script behind `testScript`. */
export const scriptFile = (test: string, { spec }: StandinSource): PlannedFile => ({
  path: "standin-tests.sh",
  text: `#!/bin/sh
# Runs the tests with their own sandbox. Needs Node 20 or newer.
cd "$(dirname "$0")" || exit
exec ${npxFrom(spec)} exec -- ${test} "$@"
`,
  isExecutable: true,
});

export interface PlannedFile {
  /** Path from the project's folder. */
  path: string;
  /** Content; bytes only of a file that is not text. */
  text: string | Uint8Array;
  /** Set if the file belongs to the project and the text only adds to it. */
  isAddition?: true;
  isExecutable?: true;
  /** Whether it is written only on demand, for an exam. */
  isOfExam?: true;
}

export interface InitPlan {
  /** Project that was found, such as "an npm project". */
  project: string;
  files: PlannedFile[];
  /** Remaining steps, one command or sentence each. */
  next: string[];
}

export interface StandinSource {
  /** Argument of `npm install`: a version, a URL, or the path of the tarball in the project. */
  readonly spec: string;
  /** The tarball that the project gets, if there is no other source. */
  readonly files: readonly PlannedFile[];
}

const packageFolder = dirname(examplesFolder);

/** Returns the source that the program itself was installed from, or a copy of it as a tarball in the project. */
export async function readStandinSource(): Promise<StandinSource> {
  const installedFrom = await readResolved();
  if (installedFrom !== null) return { spec: installedFrom, files: [] };
  const path = `vendor/standin-${version}.tgz`;
  return { spec: `./${path}`, files: [{ path, text: await pack() }] };
}

/** Returns whether others who check out the project can install from this source. */
export function isShared(spec: string, folder: string): boolean {
  const [, path] = /^(?:file:|link:|(?=\.{0,2}\/|~\/))(.*)/.exec(spec) ?? [];
  if (path === undefined) return true;
  const inside = relative(folder, resolve(folder, path));
  return inside !== "" && inside !== ".." && !inside.startsWith(`..${sep}`);
}

/** Reads the source from npm's record of what it has installed, unless that is a file or folder of this machine. */
async function readResolved(): Promise<string | null> {
  const modules = dirname(packageFolder);
  if (basename(modules) !== "node_modules") return null;
  const text = await readFile(join(modules, ".package-lock.json"), "utf8").catch(() => null);
  if (text === null) return null;
  const { packages = {} } = JSON.parse(text) as { packages?: Record<string, { resolved?: string }> };
  const resolved = packages["node_modules/standin"]?.resolved ?? "";
  if (resolved.endsWith(`/standin/-/standin-${version}.tgz`)) return version;
  return /^(?:git\+|https?:)/.test(resolved) ? resolved : null;
}

let packed: Promise<Uint8Array> | undefined;

/** Packs this package once per process. Its tarball always has the same bytes. */
const pack = (): Promise<Uint8Array> => {
  packed ??= packAnew();
  return packed;
};

async function packAnew(): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), "standin-pack-"));
  try {
    const args = ["pack", packageFolder, "--ignore-scripts", "--silent", "--pack-destination", folder];
    await promisify(execFile)("npm", args, { cwd: folder, shell: process.platform === "win32" });
    return await readFile(join(folder, `standin-${version}.tgz`));
  } catch (error) {
    throw new CommandError(`npm cannot pack ${packageFolder} for the project: ${(error as Error).message}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
