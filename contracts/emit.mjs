/** Writes what repeats the contract: this folder, and the totals in the docs. `npm run contracts` after a change of the contract. */
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

const { emittedFiles, withCoverageTotals } = createRequire(import.meta.url)(
  "../dist/standin.cjs",
).contracts();

for (const [name, text] of Object.entries(emittedFiles()))
  writeFileSync(new URL(name, import.meta.url), text);

const reference = new URL("../docs/testing-reference.md", import.meta.url);
writeFileSync(reference, withCoverageTotals(readFileSync(reference, "utf8")));
