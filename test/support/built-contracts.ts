/** The documents of the built bundle. */
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const { contracts }: typeof import("../../build/bundle.cjs") = require("../../dist/standin.cjs");

export const { controlDocument, emittedFiles, serviceDocument } = contracts();
