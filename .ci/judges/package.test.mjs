/** Linters of packages find nothing in the package as npm would publish it. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { publint } from "publint";
import { pack } from "./package.mjs";

const tarball = pack();

test("publint finds nothing", async () => {
  const { messages } = await publint({
    pack: { tarball: new Uint8Array(readFileSync(tarball)).buffer },
    strict: true,
  });
  assert.deepEqual(messages, []);
});

// types.test.ts compiles with the types as both NodeNext and Bundler find them.
test("are the types wrong? finds nothing, in a package of ES modules", () => {
  const attw = fileURLToPath(new URL("node_modules/@arethetypeswrong/cli/dist/index.js", import.meta.url));
  const args = [attw, tarball, "--profile", "esm-only", "--no-emoji"];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
  assert.equal(status, 0, stdout);
});
