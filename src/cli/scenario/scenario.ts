/** `standin scenario`: files that are documentation, demo and test at once. */
import type { Command } from "commander";
import type { ScenarioState } from "../../library/types.js";
import { scenarioNames } from "../../scenarios/catalogue.js";
import { controlApi, onSandbox, print, type SteeringFlags, taught, write } from "../steering.js";
import { count, table } from "../table.js";
import { neededSource, readSource, readSources } from "./files.js";
import { runScenarios } from "./run.js";

export const scenarioCommand = (): Command =>
  taught(
    "scenario",
    "List, load, run and check scenarios: stories that set the sandbox up and walk through it.",
    [
      "standin scenario run payout-rejected",
      "standin scenario load demo-day",
      "standin scenario check scenarios/*.yaml",
    ],
  )
    .helpCommand(false)
    .addCommand(listCommand())
    .addCommand(loadCommand())
    .addCommand(runCommand())
    .addCommand(checkCommand());

const part = (name: string, description: string, examples: readonly string[]): Command =>
  taught(name, description, examples)
    .exitOverride()
    .showHelpAfterError(`("standin scenario ${name} --help" says what it takes)`);

const listCommand = (): Command =>
  part("list", "List the scenarios that come with the sandbox; none need run.", ["standin scenario list"])
    .option("--json", "print them as one JSON document")
    .action(list);

async function list({ json }: { json?: true }): Promise<void> {
  const sources = await readSources(await scenarioNames());
  const items = sources.map(({ name, scenario }) => ({
    name,
    title: scenario.name,
    description: scenario.description ?? null,
    steps: scenario.steps?.length ?? 0,
  }));
  const rows = items.map(({ name, steps, description }) => [name, String(steps), description ?? ""]);
  write(`${json ? JSON.stringify({ items }) : table(["scenario", "steps", "story"], rows)}\n`);
}

const loadCommand = (): Command =>
  onSandbox(
    part("load", "Put a scenario on an account of the running sandbox: its state, rules and timeline.", [
      "standin scenario load demo-day",
      "standin scenario load ./my-story.yaml --keep",
    ])
      .argument("<scenario>", "a name that list shows, or a file")
      .option("--keep", "leave what is on the account; else it is emptied but for its endpoints"),
  ).action(load);

async function load(name: string, flags: SteeringFlags & { keep?: true }): Promise<void> {
  const { scenario } = await neededSource(name);
  const path = flags.keep ? "/scenarios?keep=true" : "/scenarios";
  print(flags, await controlApi(flags).call<ScenarioState>("POST", path, scenario), sayLoaded);
}

function sayLoaded({ title, given, timeline }: ScenarioState): string {
  const made = Object.entries(given).map(([section, value]) =>
    Array.isArray(value) ? `${value.length} ${section}` : section,
  );
  const due = timeline.map(({ do: action, next_at }) => [next_at ?? "-", action]);
  const coming = due.length === 0 ? "" : `\n\n${table(["next at", "does"], due)}`;
  return `${title} is on the account${made.length === 0 ? "" : `: ${made.join(", ")}`}.${coming}`;
}

const runCommand = (): Command =>
  part("run", "Walk through scenarios and check every step, each on a fresh account.", [
    "standin scenario run payout-rejected",
    "standin scenario run --all --junit scenarios.xml",
    "standin scenario run ./my-story.yaml --url http://127.0.0.1:4010",
  ])
    .argument("[scenarios...]", "names that list shows, or files")
    .option("--all", "all that come with the sandbox")
    .optionsGroup("Where:")
    .option("--url <url>", "a running sandbox (default: one in memory, for this run alone)")
    .option("--key <key>", "API key of the account, which every scenario empties (default: a fresh one each)")
    .option("--admin-token <token>", "token of standin start --admin-token (default STANDIN_ADMIN_TOKEN)")
    .optionsGroup("Output:")
    .option("--json", "print the results as one JSON document")
    .option("--junit <file>", "write the results as JUnit XML too")
    .action(runScenarios);

const checkCommand = (): Command =>
  part("check", "Read scenario files and say what is wrong with them; nothing is run.", [
    "standin scenario check ./my-story.yaml",
  ])
    .argument("<files...>", "scenario files")
    .option("--json", "print what is wrong as one JSON document")
    .action(check);

async function check(files: readonly string[], { json }: { json?: true }): Promise<void> {
  const { NoScenario } = await import("../../scenarios/parse.js");
  const read = await Promise.all(
    files.map((file) =>
      readSource(file).then(
        () => [],
        (error: unknown) => {
          if (error instanceof NoScenario) return error.errors;
          throw error;
        },
      ),
    ),
  );
  const errors = read.flat();
  const said = errors.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`);
  const right = `${count(files.length, "scenario")} read, nothing is wrong.`;
  write(`${json ? JSON.stringify({ errors }) : errors.length === 0 ? right : said.join("\n")}\n`);
  if (errors.length > 0) process.exitCode = 1;
}
