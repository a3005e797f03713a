/** What the program reads from the disk when it starts: the parts that only some commands need stay there. */
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { freshFolder } from "../support/folder.js";
import { runProgram, startProgram } from "../support/program.js";

/** Returns the names of the scripts that a process has loaded, from the coverage that Node wrote at its end. */
function scriptsIn(folder: string): string[] {
  const [report = ""] = readdirSync(folder);
  const { result } = JSON.parse(readFileSync(join(folder, report), "utf8")) as { result: { url: string }[] };
  const files = result.filter(({ url }) => url.startsWith("file:"));
  return files.map(({ url }) => basename(fileURLToPath(url))).sort();
}

const programAlone = ["program.cjs", "standin.cjs"];

test.each([[["--version"]], [["mcp", "--help"]]])("standin %s loads the program alone", async (args) => {
  const folder = freshFolder();
  expect((await runProgram(args, folder, { NODE_V8_COVERAGE: folder })).code).toBe(0);
  expect(scriptsIn(folder)).toEqual(programAlone);
});

test("standin scenario list loads neither a parser of YAML nor a validator", async () => {
  const folder = freshFolder();
  expect((await runProgram(["scenario", "list"], folder, { NODE_V8_COVERAGE: folder })).code).toBe(0);
  expect(scriptsIn(folder)).toEqual(programAlone);
});

test("standin start loads the program alone", async () => {
  const folder = freshFolder();
  const program = await startProgram(["--memory"], folder, ["env", `NODE_V8_COVERAGE=${folder}`]);
  expect(await program.stop()).toBe(0);
  expect(scriptsIn(folder)).toEqual(programAlone);
});
