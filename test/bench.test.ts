/** The benches find what they measure in the source. What they import by path is named in bench/world.mjs alone. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startSandbox } from "../src/index.js";
import { freshFolder } from "./support/folder.js";

test("bench/world.mjs bundles the inner classes that it names, and starts phone verifications with them", async () => {
  const folder = freshFolder();
  const script = join(import.meta.dirname, "../bench/fill-folder.mjs");
  const { status, stderr } = spawnSync(process.execPath, [script, folder, "2"], { encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
  const sandbox = await startSandbox({ data: folder });
  onTestFinished(() => sandbox.close());
  for (const number of [0, 1]) {
    const { state } = await sandbox.account({ key: `svc_test_bench_${number}` }).snapshot();
    expect(Object.values(state.phone_verification ?? {})).toEqual([
      expect.objectContaining({ phone: "+2348031234567", state: "pending" }),
    ]);
  }
});
