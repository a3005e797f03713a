/** The recipes of examples/, as files of a project. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { YAMLSeq } from "yaml";
import { version } from "../../sandbox.js";
import { examplesFolder } from "../examples.js";
import type { PlannedFile } from "./plan.js";

const readExample = (path: string): Promise<string> => readFile(join(examplesFolder, path), "utf8");

/** Returns the files of a recipe below a folder of the project. */
export async function recipeFiles(recipe: string, into = ""): Promise<PlannedFile[]> {
  const entries = await readdir(join(examplesFolder, recipe), { recursive: true });
  const names = entries.map((name) => name.replaceAll("\\", "/"));
  const files = names.filter(
    (name) => /\.\w+$/.test(name) && !/^package\.json$|node_modules|__pycache__/.test(name),
  );
  return Promise.all(
    files.sort().map(async (name) => ({ path: into + name, text: await readExample(`${recipe}/${name}`) })),
  );
}

export const recipeFile = (recipe: string, name: string): Promise<string> => readExample(`${recipe}/${name}`);

export interface CiJob {
  /** Command that runs the tests. */
  test: string;
  /** Steps that come before it in place of `npm ci`. Default: none, for an npm project. */
  setup?: readonly object[];
  /** Whether `npm start` starts the project's webhook receiver. */
  hasReceiver: boolean;
}

/** Returns the workflow of examples/ci for a project. */
export async function ciFile({ test, setup, hasReceiver }: CiJob): Promise<PlannedFile> {
  const { parseDocument } = await import("yaml");
  const document = parseDocument(await readExample("ci/standin.yml"));
  const steps = document.getIn(["jobs", "tests", "steps"]) as YAMLSeq;
  const isWanted = (step: unknown): boolean => {
    const text = String(document.createNode(step));
    if (setup && /npm ci/.test(text)) return false;
    return hasReceiver || !text.includes("webhooks check");
  };
  steps.items = steps.items.filter(isWanted);
  if (setup) {
    steps.items.splice(2, 0, ...setup.map((step) => document.createNode(step)));
    document.deleteIn(["jobs", "tests", "steps", 1, "with", "cache"]);
  }
  const comment = "# Written by standin init: your tests, offline, with a sandbox of their own.";
  const text = document.toString({ lineWidth: 0 }).replace(/^#.*/, comment).replace("npm test", test);
  const standin = setup ? `npx -y standin@${version}` : "npx standin";
  return { path: ".github/workflows/standin.yml", text: text.replaceAll("npx standin", standin) };
}

/** Returns a script that runs the tests of a project that npm does not install. */
export const scriptFile = (test: string): PlannedFile => ({
  path: "standin-tests.sh",
  text: `#!/bin/sh
# Runs the tests with a sandbox of their own. Needs Node 20 or newer.
exec npx -y standin@${version} exec -- ${test} "$@"
`,
  isExecutable: true,
});
