/**
 * Builds dist/ before the tests if it is older than the source, so that tests start the same program as users, and packs
 * the package if a test installs it.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Path of the package as npm would publish it. Undefined if no test needs it. */
    tarball: string;
  }
}

let folder = "";

const needsPackage = (testFile: string): boolean => readFileSync(testFile, "utf8").includes("usePackage(");

export function setup(project: TestProject): void {
  execFileSync(process.execPath, ["build.mjs", "--if-stale"], { stdio: "inherit" });
  if (!project.vitest.state.getPaths().some(needsPackage)) return;
  folder = mkdtempSync(join(tmpdir(), "standin-package-"));
  const args = ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder];
  const { PATH, HOME } = process.env;
  execFileSync("npm", args, { env: { PATH, HOME }, stdio: ["ignore", "ignore", "inherit"] });
  const [name = ""] = readdirSync(folder);
  project.provide("tarball", join(folder, name));
}

export function teardown(): void {
  if (folder !== "") rmSync(folder, { recursive: true, force: true });
}
