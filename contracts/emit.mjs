/** Writes what this folder holds; `npm run contracts` after a change of the contract. */
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";

const { contracts } = createRequire(import.meta.url)("../dist/standin.cjs");

for (const [name, text] of Object.entries(contracts().emittedFiles()))
  writeFileSync(new URL(name, import.meta.url), text);
