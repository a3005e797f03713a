/** The files that a scenario uploads are next to it or in fixtures/files. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { readScenarioSource } from "../../src/cli/scenario/sources.js";
import { temporaryFolder } from "../support/program.js";

const project = temporaryFolder();
const folder = join(project, "scenarios");
const scenario = join(folder, "visit.yaml");

beforeAll(() => {
  mkdirSync(join(folder, "photos"), { recursive: true });
  writeFileSync(scenario, "name: A visit\nsteps:\n  - advance: 1m\n");
  writeFileSync(join(folder, "photos/mine.png"), "mine");
  writeFileSync(join(folder, "..mine.png"), "dots");
  writeFileSync(join(project, "secret.txt"), "secret");
  symlinkSync(join(project, "secret.txt"), join(folder, "link.png"));
});

const read = async (name: string): Promise<string> =>
  String(Buffer.from(await (await readScenarioSource(scenario)).readFixture(name)));

test("a fixture is read from the folder of the scenario, or else from fixtures/files", async () => {
  expect(await read("photos/mine.png")).toBe("mine");
  expect(await read("photos/../photos/mine.png")).toBe("mine");
  expect(await read("..mine.png")).toBe("dots");
  expect(await read("id-card.png")).toContain("PNG");
});

test.each(["../secret.txt", "photos/../../secret.txt", "link.png", join(project, "secret.txt"), ".."])(
  "%s is not read, as it is in neither folder",
  async (name) => {
    await expect(read(name)).rejects.toThrow(/must be in the folder of the scenario|there is no fixture/);
  },
);

test("a fixture that does not exist is named with the folders that were searched", async () => {
  await expect(read("missing.png")).rejects.toThrow(
    "there is no fixture missing.png in the folder of the scenario or in fixtures/files",
  );
});
