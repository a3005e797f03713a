/**
 * Tests of HTTP, library and command line run what is built from them, as users do; tests of inner modules import their
 * sources. With `STANDIN_TEST_SOURCE=1`, all tests run the sources, for a debugger.
 */
import { join, relative } from "node:path";
import type { Plugin } from "vitest/config";

export const isOnBuiltPackage = process.env.STANDIN_TEST_SOURCE !== "1";

const root = join(import.meta.dirname, "../..");

/** Sources that tests import, and what is built from them. */
const builtFiles: Readonly<Record<string, string>> = {
  "src/index.ts": "dist/index.js",
  "src/playwright.ts": "dist/playwright.js",
  "src/documents/contracts.ts": "test/support/built-bundle.ts",
  "src/cli/program.ts": "test/support/built-bundle.ts",
};

/** Resolves imports of the sources to what is built from them. */
export const builtPackage = (): Plugin => ({
  name: "built-package",
  enforce: "pre",
  async resolveId(source, importer) {
    if (!source.startsWith(".") || !importer) return;
    const resolved = await this.resolve(source, importer, { skipSelf: true });
    const built = resolved && builtFiles[relative(root, resolved.id)];
    return built && join(root, built);
  },
});
