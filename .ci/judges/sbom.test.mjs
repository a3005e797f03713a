/** The bill of materials of the package is valid CycloneDX, and names what is bundled. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { Spec, Validation } from "@cyclonedx/cyclonedx-library";

const dist = new URL("../../dist/", import.meta.url);

test("the SBOM is valid CycloneDX 1.6", async () => {
  const text = await readFile(new URL("sbom.cdx.json", dist), "utf8");
  const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
  assert.equal(await validator.validate(text), null);
  await assert.rejects(
    validator.validate(text.replace('"library"', '"book"')).then((errors) => {
      if (errors) throw new Error(JSON.stringify(errors));
    }),
  );
});

test("the SBOM names each package whose licence the package has", async () => {
  const { components } = JSON.parse(await readFile(new URL("sbom.cdx.json", dist), "utf8"));
  const notices = await readFile(new URL("third-party-licences.txt", dist), "utf8");
  const licensed = [...notices.matchAll(/^# (\S+) (\d\S*): /gm)].map(
    ([, name, version]) => `${name}@${version}`,
  );
  const named = components.map(({ group, name, version }) => `${group ? `${group}/` : ""}${name}@${version}`);
  assert.ok(named.includes(`express@${named.find((one) => one.startsWith("express@")).slice(8)}`));
  assert.deepEqual(named.sort(), licensed.sort());
});
