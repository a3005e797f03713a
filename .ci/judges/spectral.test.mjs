/** All of Spectral's OpenAPI rules, those that are off by default included, find nothing in the contract. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import spectralCore from "@stoplight/spectral-core";
import spectralRulesets from "@stoplight/spectral-rulesets";

const contract = new URL("../../contracts/openapi.json", import.meta.url);

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
  const found = await linter.run(JSON.parse(await readFile(contract, "utf8")));
  assert.deepEqual(
    found.map(({ code, path }) => `${code}: ${path.join("/")}`),
    [],
  );
});
