/** Reads scenarios: built-in ones by name, others by file. */
import { basename, dirname, extname, join } from "node:path";
import { formatNearest } from "../../contract/nearest.js";
import { readTextFile } from "../../contract/read-file.js";
import { bundledScenarioNames, readFixture, scenarioFolder } from "../../scenarios/bundled-scenarios.js";
import { InvalidScenario, parseScenario } from "../../scenarios/parse-scenario.js";
import type { Scenario } from "../../scenarios/scenario-file.js";
import { operations } from "../call/operations.js";
import { CommandError, UsageError } from "../errors.js";

export interface ScenarioSource {
  name: string;
  file: string;
  scenario: Scenario;
  /** Reads a fixture beside the scenario, or else a built-in one. */
  readFixture(name: string): Promise<Uint8Array>;
}

/** Returns whether a name refers to a file rather than to a built-in scenario. */
export const isFile = (name: string): boolean =>
  [".yaml", ".yml", ".json"].includes(extname(name)) || name.includes("/");

/** Reads a scenario. Rejects with InvalidScenario if it is invalid, and with a UsageError if it does not exist. */
export async function readScenarioSource(name: string): Promise<ScenarioSource> {
  const file = isFile(name) ? name : await builtInFile(name);
  const text = await readTextFile(file, name);
  const path = isFile(name) ? name : `scenarios/${name}.yaml`;
  const scenario = await parseScenario(text, path, operations);
  return {
    name: basename(file, extname(file)),
    file: path,
    scenario,
    readFixture: (fixture) => readFixture(fixture, dirname(file)),
  };
}

/** Reads a scenario that must be valid. Rejects with a CommandError that names its first error. */
export const readValidSource = (name: string): Promise<ScenarioSource> =>
  readScenarioSource(name).catch((error: unknown) => {
    throw error instanceof InvalidScenario ? new CommandError(formatFirstError(name, error)) : error;
  });

export const readSources = (names: readonly string[]): Promise<ScenarioSource[]> =>
  Promise.all(names.map(readValidSource));

function formatFirstError(name: string, { message, errors }: InvalidScenario): string {
  const [first = ""] = message.split("\n");
  const others = errors.length - 1;
  return others === 0 ? first : `${first} (and ${others} more; "standin scenario check ${name}" lists all)`;
}

async function builtInFile(name: string): Promise<string> {
  const names = await bundledScenarioNames();
  if (names.includes(name)) return join(scenarioFolder, `${name}.yaml`);
  throw new UsageError(
    `there is no scenario ${name}${formatNearest(name, names)}; "standin scenario list" lists the built-in scenarios, and the name of a file must end in .yaml`,
  );
}
