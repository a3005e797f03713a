/** The scenarios that come with the sandbox, read from scenarios/ on demand. */
import { readdir, readFile, realpath } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { AnyOperation } from "../contract/operation.js";
import { parseScenario } from "./parse-scenario.js";
import type { Scenario } from "./scenario-file.js";

/** Two folders up, both from src/scenarios and from dist/bundle. */
export const scenarioFolder = fileURLToPath(new URL("../../scenarios/", import.meta.url));

/** Files to upload, for any scenario. */
const fixtureFolder = fileURLToPath(new URL("../../fixtures/files/", import.meta.url));

/** Reads a fixture from `folder`, the one of the scenario, or else from fixtures/files. No file elsewhere is read. */
export async function readFixture(name: string, folder?: string): Promise<Uint8Array> {
  for (const parent of folder === undefined ? [fixtureFolder] : [folder, fixtureFolder]) {
    const file = await realpath(join(parent, name)).catch(() => null);
    if (file === null) continue;
    const path = relative(await realpath(parent), file);
    if (path.split(sep)[0] === ".." || isAbsolute(path))
      throw new Error(`the fixture ${name} must be in the folder of the scenario or in fixtures/files`);
    return readFile(file);
  }
  const places = folder === undefined ? "fixtures/files" : "the folder of the scenario or in fixtures/files";
  throw new Error(`there is no fixture ${name} in ${places}`);
}

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
