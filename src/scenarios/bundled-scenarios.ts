/** The scenarios that come with the sandbox, read from scenarios/ on demand. */
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { AnyOperation } from "../contract/operation.js";
import { parseScenario } from "./parse-scenario.js";
import type { Scenario } from "./scenario-file.js";

/** Two folders up, both from src/scenarios and from dist/bundle. */
export const scenarioFolder = fileURLToPath(new URL("../../scenarios/", import.meta.url));

/** Files to upload, for any scenario. */
const fixtureFolder = fileURLToPath(new URL("../../fixtures/files/", import.meta.url));

export const readFixture = (name: string): Promise<Uint8Array> =>
  readFile(`${fixtureFolder}${name}`).catch(() => {
    throw new Error(`there is no fixture ${name} in fixtures/files`);
  });

const suffix = ".yaml";

/** Returns the names in alphabetical order. */
export const bundledScenarioNames = async (): Promise<string[]> =>
  (await readdir(scenarioFolder))
    .filter((file) => file.endsWith(suffix))
    .map((file) => file.slice(0, -suffix.length))
    .sort();

/** Parsed scenarios by name, with the text that they were parsed from. */
const known = new Map<string, { text: string; scenario: Promise<Scenario> }>();

/** Returns null when there is no scenario of this name. An unchanged file is not parsed again. */
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
