/** The built-in scenarios and the scenarios in a tester's folder, read on demand. */
import { readdir, readFile, realpath } from "node:fs/promises";
import { basename, extname, isAbsolute, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { formatNearest } from "../contract/nearest.js";
import type { AnyOperation } from "../contract/operation.js";
import { readTextFile } from "../contract/read-file.js";
import { parseScenario } from "./parse-scenario.js";
import type { Scenario } from "./scenario-file.js";

/** Two folders up, both from src/scenarios and from dist/bundle. */
export const scenarioFolder = fileURLToPath(new URL("../../scenarios/", import.meta.url));

/** Files to upload, for any scenario. */
const fixtureFolder = fileURLToPath(new URL("../../fixtures/files/", import.meta.url));

/** Reads a fixture from `folder`, the folder of the scenario, or else from fixtures/files. Files elsewhere are not read. */
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
const ownSuffixes = [suffix, ".yml", ".json"];

/** Returns the names in alphabetical order. */
export const bundledScenarioNames = async (): Promise<string[]> =>
  (await readdir(scenarioFolder))
    .filter((file) => file.endsWith(suffix))
    .map((file) => file.slice(0, -suffix.length))
    .sort();

export interface NamedScenario {
  readonly name: string;
  readonly scenario: Scenario;
}

/** Written by the build beside the bundled code. */
const parsedFile = new URL("scenarios.json", import.meta.url);

/**
 * Reads the built-in scenarios without checking them: tests do that, and compiling the schemas would take longer than
 * reading. The built program has them parsed already.
 */
export async function readBundledScenarios(): Promise<NamedScenario[]> {
  const parsed = await readFile(parsedFile, "utf8").catch(() => null);
  if (parsed !== null) return JSON.parse(parsed) as NamedScenario[];
  const { parse } = await import("yaml");
  const read = async (name: string) => {
    const text = await readFile(`${scenarioFolder}${name}${suffix}`, "utf8");
    return { name, scenario: parse(text) as Scenario };
  };
  const scenarios: NamedScenario[] = [];
  // One at a time: parsing a file blocks the event loop for milliseconds.
  for (const name of await bundledScenarioNames()) scenarios.push(await read(name));
  return scenarios;
}

let builtIn: Promise<readonly NamedScenario[]> | undefined;

/** Returns the built-in scenarios, which are read once: their files do not change while the process runs. */
const builtInScenarios = (): Promise<readonly NamedScenario[]> => (builtIn ??= readBundledScenarios());

/** Thrown when no scenario has the name. */
export class UnknownScenario extends Error {}

/** Parsed scenarios by file, with the text that they were parsed from. */
const known = new Map<string, { text: string; scenario: Promise<Scenario> }>();

/** The built-in scenarios and the tester's scenarios, which replace built-in ones of the same name. */
export class ScenarioCatalogue {
  constructor(
    /** The tester's folder, or null. */
    readonly folder: string | null,
    /** Operations that scenarios may call. */
    readonly operations: readonly AnyOperation[],
  ) {}

  /** Yields all scenarios in alphabetical order. A file with errors yields an error instead of a scenario. */
  async *all(): AsyncGenerator<{ name: string; scenario: Scenario | Error }> {
    const all = await this.#sources();
    for (const [name, source] of [...all].sort(([one], [other]) => (one < other ? -1 : 1))) {
      const scenario = await this.#scenarioOf(source).catch((error: Error) => error);
      yield { name, scenario };
    }
  }

  /** Reads a scenario. Rejects with UnknownScenario, or with InvalidScenario if its file has errors. */
  async read(name: string): Promise<Scenario> {
    const all = await this.#sources();
    const source = all.get(name);
    if (source !== undefined) return this.#scenarioOf(source);
    const wanted = name.slice(0, 100);
    const nearest = formatNearest(wanted, [...all.keys()].sort(), { maxDistance: Number.POSITIVE_INFINITY });
    throw new UnknownScenario(`There is no scenario ${JSON.stringify(wanted)}${nearest}.`);
  }

  /** Returns the built-in scenarios and the tester's files by name. The tester's folder is read each time. */
  async #sources(): Promise<Map<string, Scenario | string>> {
    const bundled = (await builtInScenarios()).map(({ name, scenario }) => [name, scenario] as const);
    const own = this.folder === null ? [] : await ownFiles(this.folder);
    return new Map<string, Scenario | string>([...bundled, ...own]);
  }

  async #scenarioOf(source: Scenario | string): Promise<Scenario> {
    return typeof source === "string" ? this.#parse(source) : source;
  }

  /** An unchanged file is not parsed again. */
  async #parse(file: string): Promise<Scenario> {
    const text = await readTextFile(file);
    const last = known.get(file);
    if (last?.text === text) return last.scenario;
    const scenario = parseScenario(text, file, this.operations);
    known.set(file, { text, scenario });
    return scenario;
  }
}

const ownFiles = async (folder: string): Promise<[name: string, file: string][]> =>
  (await readdir(folder))
    .filter((file) => ownSuffixes.includes(extname(file)))
    .map((file) => [basename(file, extname(file)), join(folder, file)]);

interface FixtureFile {
  readonly file: string;
  readonly type: string;
  /** Media types of the uploads that the file can replace. */
  readonly standsFor: RegExp;
}

const selfie: FixtureFile = { file: "selfie.jpg", type: "image/jpeg", standsFor: /^image\// };
const idCard: FixtureFile = { file: "id-card.png", type: "image/png", standsFor: /^image\// };
/** The best first, for fields that accept several types. */
const fixtures: readonly FixtureFile[] = [
  idCard,
  { file: "order.pdf", type: "application/pdf", standsFor: /^application\/pdf$/ },
  {
    file: "order.docx",
    type: "application/zip",
    standsFor: /^application\/(?:zip|vnd\.openxmlformats-officedocument\.wordprocessingml\.document)$/,
  },
  { file: "tone.wav", type: "audio/wav", standsFor: /^audio\// },
  { file: "clip.mp4", type: "video/mp4", standsFor: /^video\// },
];

const fixturesOf = (field: string): readonly FixtureFile[] =>
  field.includes("selfie") ? [selfie, ...fixtures] : fixtures;

/** Returns the best file for a field that accepts these media types. */
export const fixtureFor = (field: string, types: readonly string[]): FixtureFile =>
  fixturesOf(field).find(({ type }) => types.includes(type)) ?? idCard;

/** Returns a file that can stand in for an upload of this media type, or undefined if none can. */
export const standInFor = (field: string, type: string): FixtureFile | undefined =>
  fixturesOf(field).find(({ standsFor }) => standsFor.test(type));
