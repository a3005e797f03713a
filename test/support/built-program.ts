/** The program of the built bundle, in the process of the test. */
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const { program }: typeof import("../../build/bundle.cjs") = require("../../dist/standin.cjs");

export const { run } = program();
