/** Loads the program as dist/standin.cjs does, in the process of the test. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Script } from "node:vm";

const file = join(import.meta.dirname, "../../dist/bundle/program.cjs");
const program = { exports: {} as { run(args: readonly string[]): Promise<void> } };
const script = new Script(readFileSync(file, "latin1"), { filename: file });
script.runInThisContext()(program.exports, createRequire(file), program, file, dirname(file));

export const { run } = program.exports;
