/**
 * Unpacks the browser before the tests of pages: 200 MB under node_modules/.cache, once a version, and only for runs
 * that have such tests. It needs nothing from the machine, since it includes fonts and libraries.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Folder of the unpacked browser. Undefined if no test needs it. */
    browserFolder: string;
  }
}

const modules = join(import.meta.dirname, "../../node_modules");
const cache = join(modules, ".cache");

/** The package does not export its package.json. */
function version(): string {
  const text = readFileSync(join(modules, "@sparticuz/chromium/package.json"), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}

export async function setup(project: TestProject): Promise<void> {
  const { state } = project.vitest;
  if (!state.getPaths().some((path) => /-browser(?:\.long)?\.test\.ts$/.test(path))) return;
  const folder = join(cache, `chromium-${version()}`);
  if (!existsSync(folder)) await unpackTo(folder);
  project.provide("browserFolder", folder);
}

/** Unpacks into a temporary folder and renames it, so that the folder is always complete, even if several processes unpack it. */
async function unpackTo(folder: string): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const unpacked = mkdtempSync(`${folder}-`);
  await unpack(unpacked);
  writeFileSync(join(unpacked, "fonts/fonts.conf"), fontsConf(folder));
  try {
    renameSync(unpacked, folder);
  } catch (error) {
    rmSync(unpacked, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
}

/** The package reads from the environment what to unpack and where, and changes the environment itself. */
async function unpack(folder: string): Promise<void> {
  const before = { ...process.env };
  process.env.TMPDIR = folder;
  // Makes it include the NSS libraries, which slim machines lack.
  process.env.AWS_LAMBDA_JS_RUNTIME = "nodejs20.x";
  try {
    const { default: chromium } = await import("@sparticuz/chromium");
    await chromium.executablePath();
  } finally {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
  }
}

/** The package's own file names folders of another machine. A single font makes screenshots the same everywhere. */
const fontsConf = (folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}/fonts</dir>
  <cachedir>${folder}/fonts-cache</cachedir>
  <match target="pattern"><edit name="family" mode="append_last"><string>Open Sans</string></edit></match>
</fontconfig>
`;
