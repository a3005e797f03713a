/** The scenarios that come with the sandbox: the files of scenarios/, read when somebody asks. */
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { AnyOperation } from "../contract/operation.js";
import { parseScenario } from "./parse-scenario.js";
import type { Scenario } from "./scenario-file.js";

/** Two folders up from src/scenarios and from dist/bundle alike. */
export const scenarioFolder = fileURLToPath(new URL("../../scenarios/", import.meta.url));

/** Uploads of these scenarios, for others to use. */
const fixtureFolder = fileURLToPath(new URL("../../fixtures/files/", import.meta.url));

export const readFixture = (name: string): Promise<Uint8Array> =>
  readFile(`${fixtureFolder}${name}`).catch(() => {
    throw new Error(`there is no fixture ${name} in fixtures/files`);
  });

const suffix = ".yaml";

/** In alphabetical order. */
export const bundledScenarioNames = async (): Promise<string[]> =>
  (await readdir(scenarioFolder))
    .filter((file) => file.endsWith(suffix))
    .map((file) => file.slice(0, -suffix.length))
    .sort();

/** The text as it was when it was read. */
const known = new Map<string, { text: string; scenario: Promise<Scenario> }>();

/** Null: there is no such file. A file that has not changed since it was asked for last is not parsed again. */
export async function readBundledScenario(
  name: string,
  operations: readonly AnyOperation[],
): Promise<Scenario | null> {
  if (!(await bundledScenarioNames()).includes(name)) return null;
  const file = `${name}${suffix}`;
  const text = await readFile(`${scenarioFolder}${file}`, "utf8");
  const last = known.get(name);
  if (last?.text === text) return last.scenario;
  const scenario = parseScenario(text, `scenarios/${file}`, operations);
  known.set(name, { text, scenario });
  return scenario;
}
