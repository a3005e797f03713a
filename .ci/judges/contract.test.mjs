/** Redocly's strict rules and all of Spectral's OpenAPI rules, those that are off by default included, find nothing in the contracts. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import spectralCore from "@stoplight/spectral-core";
import spectralRulesets from "@stoplight/spectral-rulesets";
import { root } from "./package.mjs";
import { redocly } from "./redocly.mjs";

const contract = (...flags) =>
  execFileSync(process.execPath, ["dist/standin.cjs", "export", "openapi", ...flags], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64e6,
  });

for (const [name, flags, skipped] of [
  ["service", [], []],
  // Health and contract endpoints never refuse. A control call is described by its summary and the names of its parameters.
  [
    "control API",
    ["--control"],
    ["operation-4xx-response", "operation-description", "parameter-description"],
  ],
])
  test(`Redocly's strict rules find nothing in the contract of the ${name}`, () => {
    const file = join(mkdtempSync(join(tmpdir(), "standin-contract-")), "openapi.json");
    writeFileSync(file, contract(...flags));
    const skip = skipped.flatMap((rule) => ["--skip-rule", rule]);
    const args = ["lint", file, "--config", "redocly.yaml", "--format", "json", ...skip];
    const { stdout, stderr } = redocly(...args);
    const { problems } = JSON.parse(stdout.slice(stdout.indexOf("{")));
    assert.deepEqual(
      problems.map(({ ruleId, message }) => `${ruleId}: ${message}`),
      [],
      stderr,
    );
  });

test("Spectral's OpenAPI rules find nothing in the contract of the service", async () => {
  const linter = new spectralCore.Spectral();
  linter.setRuleset({
    extends: [[spectralRulesets.oas, "all"]],
    rules: {
      // The licence has an SPDX identifier, which excludes a URL; the project has no address of its own.
      "license-url": "off",
      "contact-properties": "off",
      // The tags have the order of the interface.
      "openapi-tags-alphabetical": "off",
    },
  });
  const found = await linter.run(JSON.parse(readFileSync(join(root, "contracts/openapi.json"), "utf8")));
  assert.deepEqual(
    found.map(({ code, path }) => `${code}: ${path.join("/")}`),
    [],
  );
});
