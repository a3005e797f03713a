/** What tests import from the sources, from the built bundle. */
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const { contracts, program }: typeof import("../../build/bundle.cjs") = require("../../dist/standin.cjs");

export const { controlDocument, emittedFiles, serviceDocument, withCoverageTotals } = contracts();
export const { loadCommands, run } = program();
