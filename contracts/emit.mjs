/** Writes what this folder holds; `npm run contracts` after a change of the contract. */
import { writeFileSync } from "node:fs";
import { emittedFiles } from "../dist/bundle/contracts.js";

for (const [name, text] of Object.entries(emittedFiles()))
  writeFileSync(new URL(name, import.meta.url), text);
