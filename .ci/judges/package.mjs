/** The package as npm would publish it. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));
const judges = fileURLToPath(new URL(".", import.meta.url));

/** Packs the project and returns the path of the tarball. */
export function pack() {
  const folder = mkdtempSync(join(tmpdir(), "standin-package-"));
  const args = ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder];
  execFileSync("npm", args, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
  return join(folder, ...readdirSync(folder));
}

/** Creates an empty project that has the packed package and these packages of the judges installed. Returns its path. */
export function projectWith(tarball, names) {
  const folder = mkdtempSync(join(tmpdir(), "standin-project-"));
  const modules = join(folder, "node_modules");
  const standin = join(modules, "standin");
  mkdirSync(standin, { recursive: true });
  execFileSync("tar", ["-xzf", tarball, "-C", standin, "--strip-components=1"]);
  mkdirSync(join(modules, ".bin"));
  symlinkSync(join(standin, "dist/standin.cjs"), join(modules, ".bin/standin"));
  for (const name of names) {
    symlinkSync(join(judges, "node_modules", name), join(modules, name));
    symlinkSync(join(judges, "node_modules", name, "bin", `${name}.js`), join(modules, ".bin", name));
  }
  return folder;
}
