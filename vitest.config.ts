import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { builtPackage, isOnBuiltPackage } from "./test/support/built-package.js";

/** Returns the test files that use the sandbox of the tests, which runs on each store. */
const sandboxTests = (): string[] =>
  readdirSync("test", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => join("test", name))
    .filter((file) => /\buse(Listening)?Sandbox\(/.test(readFileSync(file, "utf8")));

/** Only a test that hangs exceeds these limits, however busy the machine is. */
const shared = {
  testTimeout: 180_000,
  hookTimeout: 180_000,
  // One module graph per worker: evaluating the source anew for each file costs more than most files' tests.
  isolate: false,
};

/** What `npm run test:long` runs: the tests that repeat more often then, and the behaviour on PostgreSQL. */
const longProjects = [
  {
    ...shared,
    name: "repetitions",
    include: ["test/**/*.long.test.ts"],
    env: { STANDIN_LONG: "1" },
    testTimeout: 1_800_000,
  },
  {
    ...shared,
    name: "postgres",
    include: sandboxTests(),
    env: { STANDIN_TEST_STORE: "postgres" },
  },
];

/** Folders with the tests of HTTP, library and command line, which `npm run test:built` runs on the built package. */
const builtFolders = [
  ...["cli", "client", "contract", "control", "library", "pages", "rules", "scenarios", "server"],
  ...["service", "webhooks"],
];

export default defineConfig(({ mode }) => ({
  ...(isOnBuiltPackage ? { plugins: [builtPackage()] } : {}),
  test: {
    ...shared,
    include: isOnBuiltPackage ? [`test/{${builtFolders}}/**/*.test.ts`] : ["test/**/*.test.ts"],
    // Node loads the built files itself, as it does for users.
    server: { deps: { external: [/\/dist\//] } },
    ...(mode === "long" ? { projects: longProjects.map((test) => ({ test })) } : {}),
    globalSetup: ["test/build.ts", "test/support/browser-setup.ts", "test/support/postgres-setup.ts"],
    reporters: ["default", "./test/support/standing-tests.ts"],
    pool: "forks",
    maxWorkers: 2,
  },
}));
