/** Scenarios as the command line names them: those that come with the sandbox by name, others by file. */
import { readFile } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { controlOperations } from "../../control/index.js";
import { readOwnFixture, scenarioFolder, scenarioNames } from "../../scenarios/catalogue.js";
import type { Scenario } from "../../scenarios/file.js";
import { NoScenario, parseScenario } from "../../scenarios/parse.js";
import { serviceOperations } from "../../service/index.js";
import { UsageError } from "../config.js";
import { CommandFailure } from "../control-api.js";
import { nearest } from "../nearest.js";

export interface ScenarioSource {
  name: string;
  file: string;
  scenario: Scenario;
  /** The bytes of a fixture: beside the scenario, or of the sandbox's own. */
  readFixture(name: string): Promise<Uint8Array>;
}

const operations = [...serviceOperations, ...controlOperations];

const isFile = (name: string): boolean =>
  [".yaml", ".yml", ".json"].includes(extname(name)) || name.includes("/");

/** Rejects with NoScenario where the file is none, with a UsageError where there is no such file. */
export async function readSource(name: string): Promise<ScenarioSource> {
  const file = isFile(name) ? name : await builtIn(name);
  const text = await readFile(file, "utf8").catch((error: Error) => {
    throw new UsageError(`${name} cannot be read: ${error.message}`);
  });
  const shown = isFile(name) ? name : `scenarios/${name}.yaml`;
  const scenario = await parseScenario(text, shown, operations);
  return { name: basename(file, extname(file)), file: shown, scenario, readFixture: fixturesBeside(file) };
}

/** For commands that cannot do without it: they end with the first thing that is wrong. */
export const neededSource = (name: string): Promise<ScenarioSource> =>
  readSource(name).catch((error: unknown) => {
    throw error instanceof NoScenario ? new CommandFailure(sayWrong(name, error)) : error;
  });

export const readSources = (names: readonly string[]): Promise<ScenarioSource[]> =>
  Promise.all(names.map(neededSource));

function sayWrong(name: string, { message, errors }: NoScenario): string {
  const [first = ""] = message.split("\n");
  const more = errors.length - 1;
  return more === 0 ? first : `${first} (and ${more} more; "standin scenario check ${name}" says them all)`;
}

async function builtIn(name: string): Promise<string> {
  const names = await scenarioNames();
  if (names.includes(name)) return join(scenarioFolder, `${name}.yaml`);
  throw new UsageError(
    `there is no scenario ${name}${await nearest(names, name)}; "standin scenario list" lists all, and a file is named with its .yaml`,
  );
}

function fixturesBeside(file: string): ScenarioSource["readFixture"] {
  return async (name) => {
    const beside = await readFile(join(dirname(file), name)).catch(() => null);
    return beside ?? readOwnFixture(name);
  };
}
