/**
 * Unpacks the browser before the tests of pages: 200 MB under node_modules/.cache, once a version, and only for runs
 * that have such tests. Nothing of the machine is needed: fonts and libraries come with it.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder of the unpacked browser; absent where no test asks for it. */
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
  if (!state.getPaths().some((path) => path.endsWith("-browser.test.ts"))) return;
  const folder = join(cache, `chromium-${version()}`);
  if (!existsSync(folder)) await unpackTo(folder);
  project.provide("browserFolder", folder);
}

/** Unpacks beside and renames, so that the folder is whole whenever it is there, whoever else unpacks it. */
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

/** The package asks the environment where to unpack and what, and leaves its own marks there. */
async function unpack(folder: string): Promise<void> {
  const before = { ...process.env };
  process.env.TMPDIR = folder;
  // Makes it bring the NSS libraries, which slim machines do not have.
  process.env.AWS_LAMBDA_JS_RUNTIME = "nodejs20.x";
  try {
    const { default: chromium } = await import("@sparticuz/chromium");
    await chromium.executablePath();
  } finally {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
  }
}

/** The package's own file names folders of another machine. One font for all makes screenshots alike everywhere. */
const fontsConf = (folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}/fonts</dir>
  <cachedir>${folder}/fonts-cache</cachedir>
  <match target="pattern"><edit name="family" mode="append_last"><string>Open Sans</string></edit></match>
</fontconfig>
`;
