/** `standin init`: writes a test, a script and a CI job into the project in this folder. */
import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline/promises";
import type { Command } from "commander";
import { topCommand } from "./command-list.js";
import { UsageError } from "./errors.js";
import { type FlagsOf, flagTable, withFlags } from "./flags.js";
import { planGo, planMaven, planNpm, planPhpunit, planPytest } from "./init/projects.js";
import { colors, printResult } from "./output/print.js";
import type { InitPlan, PlannedFile } from "./recipes.js";

/** Kinds of projects. The first of these files that exists decides. */
const projects: readonly (readonly [file: string, plan: (folder: string) => Promise<InitPlan>])[] = [
  ["package.json", planNpm],
  ["pyproject.toml", planPytest],
  ["requirements.txt", planPytest],
  ["pom.xml", planMaven],
  ["composer.json", planPhpunit],
  ["go.mod", planGo],
];

const notes = `It looks for ${projects.map(([file]) => file).join(", ")}, in this order. Existing files
of yours are only overwritten when you say so; package.json and pom.xml get additions.`;

const options = flagTable(null, [
  ["--dry-run", "only list what would be written"],
  ["--exam", "also add a workflow that runs an exam of your client once a week"],
  ["--yes", "overwrite existing files without asking"],
  ["--json", "print the files, with what was done to each, as one JSON document"],
]);

export const initCommand = (): Command =>
  withFlags(
    topCommand("init", ["standin init --dry-run", "standin init", "standin init --exam"], notes),
    options,
  ).action(init);

interface Outcome {
  /** False for --dry-run. */
  written: boolean;
  project: string;
  files: { path: string; action: Action }[];
  next: string[];
}

async function init({ dryRun, exam, yes, ...output }: FlagsOf<typeof options>): Promise<void> {
  const folder = process.cwd();
  const [, plan] = projects.find(([file]) => existsSync(join(folder, file))) ?? [];
  if (!plan)
    throw new UsageError(
      `there is no ${projects.map(([file]) => file).join(", ")} in ${folder}; go to the folder of your project, or begin one, such as with npm init -y`,
    );
  const { project, files: planned, next } = await plan(folder);
  const files: Outcome["files"] = [];
  for (const file of planned.filter(({ isOfExam }) => exam || !isOfExam)) {
    const needed = await actionFor(folder, file);
    const isKept = needed === "overwrite" && !dryRun && !yes && !(await isOverwritten(file.path));
    if (!dryRun && !isKept && needed !== "unchanged") await write(folder, file);
    files.push({ path: file.path, action: isKept ? "keep" : needed });
  }
  printResult<Outcome>(output, { written: !dryRun, project, files, next }, formatOutcome);
}

const formatOutcome = ({ written, project, files, next }: Outcome): string =>
  [
    `This is ${project}.`,
    ...files.map(({ path, action }) => `  ${colors.bold(action.padEnd(10))}${path}`),
    ...(written ? ["Next:", ...next.map((line) => `  ${line}`)] : ["Nothing was written."]),
  ].join("\n");

type Action = "write" | "add to" | "overwrite" | "unchanged" | "keep";

async function actionFor(folder: string, { path, text, isAddition }: PlannedFile): Promise<Action> {
  const existing = await readFile(join(folder, path)).catch(() => null);
  if (existing === null) return "write";
  if (existing.equals(Buffer.from(text))) return "unchanged";
  return isAddition ? "add to" : "overwrite";
}

/** Asks on a terminal. Without one, nothing is overwritten. */
async function isOverwritten(path: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`${path} exists and differs. Overwrite it? [y/N] `);
  terminal.close();
  return /^y(?:es)?$/i.test(answer.trim());
}

async function write(folder: string, { path, text, isExecutable }: PlannedFile): Promise<void> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  if (isExecutable) await chmod(file, 0o755);
}
