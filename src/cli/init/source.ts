/** Where the project gets Standin from: the same source as the program that runs `standin init`. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { promisify } from "node:util";
import { version } from "../../sandbox.js";
import { CommandError } from "../errors.js";
import { examplesFolder } from "../examples.js";
import type { PlannedFile } from "./plan.js";

export interface StandinSource {
  /** Argument of `npm install`: a version, a URL, or the path of the tarball in the project. */
  readonly spec: string;
  /** The tarball that the project gets, if there is no other source. */
  readonly files: readonly PlannedFile[];
}

const packageFolder = dirname(examplesFolder);

/** Returns the source that the program itself was installed from, or a copy of it as a tarball in the project. */
export async function readStandinSource(): Promise<StandinSource> {
  const installedFrom = await readResolved();
  if (installedFrom !== null) return { spec: installedFrom, files: [] };
  const path = `vendor/standin-${version}.tgz`;
  return { spec: `./${path}`, files: [{ path, text: await pack() }] };
}

/** Returns whether others who check out the project can install from this source. */
export function isShared(spec: string, folder: string): boolean {
  const [, path] = /^(?:file:|link:|(?=\.{0,2}\/|~\/))(.*)/.exec(spec) ?? [];
  if (path === undefined) return true;
  const inside = relative(folder, resolve(folder, path));
  return inside !== "" && inside !== ".." && !inside.startsWith(`..${sep}`);
}

/** Reads the source from npm's record of what it has installed, unless that is a file or folder of this machine. */
async function readResolved(): Promise<string | null> {
  const modules = dirname(packageFolder);
  if (basename(modules) !== "node_modules") return null;
  const text = await readFile(join(modules, ".package-lock.json"), "utf8").catch(() => null);
  if (text === null) return null;
  const { packages = {} } = JSON.parse(text) as { packages?: Record<string, { resolved?: string }> };
  const resolved = packages["node_modules/standin"]?.resolved ?? "";
  if (resolved.endsWith(`/standin/-/standin-${version}.tgz`)) return version;
  return /^(?:git\+|https?:)/.test(resolved) ? resolved : null;
}

let packed: Promise<Uint8Array> | undefined;

/** Packs this package once per process. Its tarball always has the same bytes. */
const pack = (): Promise<Uint8Array> => {
  packed ??= packAnew();
  return packed;
};

async function packAnew(): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), "standin-pack-"));
  try {
    const args = ["pack", packageFolder, "--ignore-scripts", "--silent", "--pack-destination", folder];
    await promisify(execFile)("npm", args, { cwd: folder, shell: process.platform === "win32" });
    return await readFile(join(folder, `standin-${version}.tgz`));
  } catch (error) {
    throw new CommandError(`npm cannot pack ${packageFolder} for the project: ${(error as Error).message}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
