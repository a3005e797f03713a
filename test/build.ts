/**
 * Builds dist/ before the tests if it is older than the source, so that tests start the same program as users, and packs
 * the package if a test installs it. All temporary folders of a run are in one, which is removed after the tests.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Path of the package as npm would publish it. Undefined if no test needs it. */
    tarball: string;
  }
}

const folder = mkdtempSync(join(tmpdir(), "standin-tests-"));
// Run by root, the PostgreSQL server has a user of its own, which must reach its folder.
chmodSync(folder, 0o711);

const needsPackage = (testFile: string): boolean => readFileSync(testFile, "utf8").includes("usePackage(");

export function setup(project: TestProject): void {
  process.env.TMPDIR = folder;
  execFileSync(process.execPath, ["build.mjs", "--if-stale"], { stdio: "inherit" });
  if (!project.vitest.state.getPaths().some(needsPackage)) return;
  const packed = mkdtempSync(join(folder, "package-"));
  const args = ["pack", "--ignore-scripts", "--silent", "--pack-destination", packed];
  const { PATH, HOME } = process.env;
  execFileSync("npm", args, { env: { PATH, HOME }, stdio: ["ignore", "ignore", "inherit"] });
  const [name = ""] = readdirSync(packed);
  project.provide("tarball", join(packed, name));
}

export function teardown(): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
