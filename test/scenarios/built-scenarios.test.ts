/** The scenarios that the build parses are those of the files. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readBundledScenarios } from "../../src/scenarios/bundled-scenarios.js";

test("the built program has every scenario as its file has it", async () => {
  const built = JSON.parse(readFileSync("dist/bundle/scenarios.json", "utf8"));
  const fromFiles = await readBundledScenarios();
  expect(fromFiles.length).toBeGreaterThan(40);
  expect(built).toEqual(fromFiles);
});
