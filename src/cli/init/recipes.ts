/** The recipes of examples/, as files of a project. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { YAMLSeq } from "yaml";
import { clientsFolder, examplesFolder } from "../examples.js";
import type { PlannedFile } from "./plan.js";
import type { StandinSource } from "./source.js";

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
  /** Whether `npm start` starts the project's webhook receiver. */
  hasReceiver: boolean;
}

/** Returns the workflows of examples/ci for a project: that of each change, and the exam of each week. */
export const ciFiles = async (job: CiJob): Promise<PlannedFile[]> => [
  await ciFile("standin.yml", "your tests, offline, with a sandbox of their own", job),
  {
    ...(await ciFile("exam.yml", "once a week, your tests under what happens with the real service", job)),
    path: ".github/workflows/standin-exam.yml",
    isOfExam: true,
  },
];

async function ciFile(
  name: string,
  purpose: string,
  { test, afterInstall = [], other, hasReceiver }: CiJob,
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
# Runs the tests with a sandbox of their own. Needs Node 20 or newer.
cd "$(dirname "$0")" || exit
exec ${npxFrom(spec)} exec -- ${test} "$@"
`,
  isExecutable: true,
});
